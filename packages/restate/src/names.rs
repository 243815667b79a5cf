//! The names of the services of a label.

#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(crate) session: String,
    pub(crate) step: String,
}

impl Names {
    pub(crate) fn of(label: Option<&str>) -> Self {
        let ending = ending(label);
        Self {
            session: format!("CallsheetSession{ending}"),
            step: format!("CallsheetStep{ending}"),
        }
    }
}

pub(crate) fn ending(label: Option<&str>) -> String {
    label.map(|label| format!("-{label}")).unwrap_or_default()
}
