//! The measured figures, with their targets.

/// One figure.
struct Row {
    what: String,
    target: String,
    measured: String,
    met: Option<bool>,
}

/// All figures, printed as Markdown.
#[derive(Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    /// A figure with the target `most`, both in `unit`.
    pub(crate) fn at_most(&mut self, what: &str, measured: f64, most: f64, unit: &str) {
        self.0.push(Row {
            what: what.to_owned(),
            target: format!("≤ {}{unit}", digits(most)),
            measured: format!("{}{unit}", digits(measured)),
            met: Some(measured <= most),
        });
    }

    /// A figure that is only reported.
    pub(crate) fn report(&mut self, what: &str, measured: f64, unit: &str) {
        self.0.push(Row {
            what: what.to_owned(),
            target: "–".to_owned(),
            measured: format!("{}{unit}", digits(measured)),
            met: None,
        });
    }

    pub(crate) fn print(&self) {
        println!("| figure | target | measured | |\n|---|---|---|---|");
        for row in &self.0 {
            let verdict = match row.met {
                Some(true) => "pass",
                Some(false) => "**fail**",
                None => "",
            };
            println!("| {} | {} | {} | {verdict} |", row.what, row.target, row.measured);
        }
    }

    pub(crate) fn missed(&self) -> bool {
        self.0.iter().any(|row| row.met == Some(false))
    }
}

fn digits(number: f64) -> String {
    match number {
        number if number >= 100.0 => format!("{number:.0}"),
        number if number >= 10.0 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}
