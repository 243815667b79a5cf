//! Masks keys of models and other secrets of the environment in texts.

use std::sync::{Arc, PoisonError, RwLock};

use aho_corasick::{AhoCorasick, MatchKind};

use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::lent::{Answer, Caller, Say, Tools};

/// The suffixes of variables with secrets.
const ENDINGS: [&str; 7] = [
    "_KEY",
    "_TOKEN",
    "_SECRET",
    "_PASSWORD",
    "_PASSPHRASE",
    "_CREDENTIALS",
    "_PAT",
];

/// A variable whose value is a list of headers, among which a key may be.
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// The minimum length: masking shorter values would make texts unreadable.
pub(crate) const SHORTEST: usize = 8;

const MASK: &str = "***";

/// Values to mask.
#[derive(Clone, Debug, Default)]
pub struct Keys(Option<Arc<AhoCorasick>>);

impl Keys {
    /// The secrets of this process's environment, by the usual suffixes and these names.
    pub fn of_environment(names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let is_secret = |name: &str| {
            let name = name.to_uppercase();
            ENDINGS.iter().any(|ending| name.ends_with(ending))
        };
        let variables = std::env::vars_os();
        let variables =
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let values = variables.filter(|(name, _)| names.contains(name) || name == HEADERS || is_secret(name));
        let parts = |(name, value): (String, String)| match &*name {
            HEADERS => value.split(',').filter_map(header).collect(),
            _ => vec![value],
        };
        Self::new(values.flat_map(parts).collect())
    }

    fn new(mut values: Vec<String>) -> Self {
        values.retain(|value| value.len() >= SHORTEST);
        let search = (!values.is_empty()).then(|| {
            let mut builder = AhoCorasick::builder();
            let built = builder.match_kind(MatchKind::LeftmostLongest).build(values);
            Arc::new(built.expect("keys are far from two billion bytes"))
        });
        Self(search)
    }

    /// The text with secrets masked.
    pub fn masked(&self, text: String) -> String {
        match &self.0 {
            Some(search) if search.is_match(&text) => {
                let masks = vec![MASK; search.patterns_len()];
                search.replace_all(&text, &masks)
            }
            _ => text,
        }
    }
}

/// The value of `NAME=VALUE`, without a scheme such as `Bearer`.
fn header(text: &str) -> Option<String> {
    let (_, value) = text.split_once('=')?;
    let value = value.rsplit("%20").next()?;
    value.rsplit(' ').next().map(str::to_owned)
}

/// The secrets of this process's environment, once they are needed.
static KEYS: RwLock<Option<Keys>> = RwLock::new(None);

/// From now on, the variables of these names are secrets, too.
pub fn add_names(names: impl IntoIterator<Item = String>) {
    let keys = Keys::of_environment(names);
    *KEYS.write().unwrap_or_else(PoisonError::into_inner) = Some(keys);
}

/// A text with the secrets of this process's environment masked.
pub fn masked(text: String) -> String {
    if let Some(keys) = &*KEYS.read().unwrap_or_else(PoisonError::into_inner) {
        return keys.masked(text);
    }
    add_names([]);
    masked(text)
}

/// Tools whose results are masked.
pub struct Masked {
    inner: Arc<dyn Tools>,
    keys: Keys,
}

impl Masked {
    /// Masks the results of these tools.
    pub fn new(inner: Arc<dyn Tools>, keys: Keys) -> Self {
        Self { inner, keys }
    }

    async fn answer(&self, request: &ToolRequest, caller: &Caller) -> Result<ToolAnswer, CallError> {
        let mut answer = self.inner.call(request, &self.caller(caller)).await?;
        answer.text = self.keys.masked(answer.text);
        Ok(answer)
    }

    /// The caller, which receives masked output.
    fn caller(&self, caller: &Caller) -> Caller {
        let keys = self.keys.clone();
        let masked = |printed: Say| -> Say { Arc::new(move |text| printed(&keys.masked(text.to_owned()))) };
        Caller {
            printed: caller.printed.clone().map(masked),
            ..caller.clone()
        }
    }
}

impl Tools for Masked {
    fn specs(&self) -> Vec<ToolSpec> {
        self.inner.specs()
    }

    fn inner(&self) -> Option<&dyn Tools> {
        Some(&*self.inner)
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(self.answer(request, caller))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolCall;

    /// Prints, and answers nothing.
    struct Prints;

    impl Tools for Prints {
        fn specs(&self) -> Vec<ToolSpec> {
            Vec::new()
        }

        fn call<'a>(&'a self, _: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
            caller.printed.as_ref().expect("it is passed on")("a sk-0123456789 b");
            Box::pin(std::future::ready(Err(CallError::Other(String::new()))))
        }
    }

    #[test]
    fn keys_are_masked_in_what_commands_print() {
        let (heard, received) = std::sync::mpsc::channel();
        let printed: Say = Arc::new(move |text| heard.send(text.to_owned()).unwrap());
        let caller = Caller {
            printed: Some(printed),
            ..Caller::default()
        };
        let masked = Masked::new(Arc::new(Prints), Keys::new(vec!["sk-0123456789".into()]));
        let request = ToolRequest {
            agent: vec!["tester".into()],
            call: ToolCall {
                id: "1".into(),
                name: "Bash".into(),
                arguments: "{}".into(),
            },
            permitted: true,
            workspace: None,
        };
        drop(futures_executor::block_on(masked.call(&request, &caller)));
        assert_eq!(received.recv().unwrap(), "a *** b");
    }

    #[test]
    fn keys_are_masked() {
        let keys = Keys::new(
            ["sk-0123456789", "sk-0123456789-long", "short"]
                .map(str::to_owned)
                .into(),
        );
        for (text, masked) in [
            ("a sk-0123456789 b", "a *** b"),
            ("sk-0123456789-long,sk-0123456789", "***,***"),
            ("short", "short"),
            ("", ""),
        ] {
            assert_eq!(keys.masked(text.into()), masked);
        }
        assert_eq!(Keys::new(Vec::new()).masked("a".into()), "a");
    }
}
