//! Asks on a terminal.

use std::io::{self, BufRead, IsTerminal as _, Write, stderr, stdin};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use super::apart::apart;
use super::asking::{Asker, Decision, Question};
use crate::output::text::{clean, clean_lines};

/// The most lines of a question: more would push it off the screen.
const LINES: usize = 200;

/// Does something while no other output is written to the terminal.
pub type Aside = Arc<dyn Fn(&mut dyn FnMut()) + Send + Sync>;

/// Asks on the program's controlling terminal.
#[derive(Clone)]
pub struct Terminal {
    aside: Aside,
    turn: Arc<Mutex<()>>,
}

impl Terminal {
    /// The terminal, if there is one. `aside` holds back other output.
    pub fn find(aside: Aside) -> Option<Self> {
        let found = stdin().is_terminal() && stderr().is_terminal();
        found.then(|| Self {
            aside,
            turn: Arc::default(),
        })
    }

    fn aside<T>(&self, what: impl FnOnce() -> T) -> Option<T> {
        // An aborted question may still wait for its answer.
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut what, mut done) = (Some(what), None);
        (self.aside)(&mut || done = what.take().map(|what| what()));
        done
    }
}

impl Asker for Terminal {
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        let (this, question) = (self.clone(), question.clone());
        // The error stream is not locked: an interrupt writes there.
        let asked = apart(move |_| this.aside(|| put(&question, &mut stdin().lock(), &mut stderr())));
        Box::pin(async move {
            match asked.await {
                Ok(Some(Ok(decision))) => decision,
                _ => Decision::Unasked,
            }
        })
    }

    fn tell(&self, remark: &str) {
        // Without an error stream, there is no way to report.
        self.aside(|| writeln!(stderr(), "{}", clean(remark)));
    }
}

/// Asks until there is an answer.
fn put(question: &Question, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Decision> {
    let agent: Vec<String> = question.agent.iter().map(|name| clean(name)).collect();
    writeln!(
        output,
        "\n{} wants to use {}:\n",
        agent.join(" > "),
        clean(&question.call.name)
    )?;
    let text = clean_lines(&question.what);
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(LINES) {
        writeln!(output, "    {line}")?;
    }
    if lines.len() > LINES {
        writeln!(output, "    [{} more lines]", lines.len() - LINES)?;
    }
    writeln!(output, "\n  y  allow this call")?;
    writeln!(output, "  a  allow {} for this run", clean(&question.call.name))?;
    if let Some(rule) = &question.rule {
        writeln!(output, "  r  allow, and remember {}", clean(rule))?;
    }
    writeln!(output, "  n  deny (text after `n` goes to the agent)")?;
    loop {
        write!(output, "> ")?;
        output.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(Decision::No(None));
        }
        if let Some(decision) = understood(line.trim(), question.rule.is_some()) {
            return Ok(decision);
        }
        writeln!(output, "{}", help(line.trim(), question.rule.is_some()))?;
    }
}

/// What to answer instead.
fn help(line: &str, remembers: bool) -> &'static str {
    match (line, remembers) {
        ("r" | "R", false) => {
            "no rule describes just this call, so it cannot be remembered: answer y, a or n"
        }
        (_, true) => "answer y, a, r or n",
        (_, false) => "answer y, a or n",
    }
}

fn understood(line: &str, remembers: bool) -> Option<Decision> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (word.to_ascii_lowercase().as_str(), rest) {
        ("y" | "yes", "") => Some(Decision::Once),
        ("a", "") => Some(Decision::ToolForSession),
        ("r", "") if remembers => Some(Decision::Remember),
        ("n" | "no", "") => Some(Decision::No(None)),
        ("n" | "no", reason) => Some(Decision::No(Some(reason.into()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolCall;

    fn answered(input: &str, rule: Option<&str>) -> (Decision, String) {
        let question = Question {
            agent: ["lead".into(), "writer".into()].into(),
            call: ToolCall {
                id: "1".into(),
                name: "Bash".into(),
                arguments: "{}".into(),
            },
            what: "git push\n\x1b[2Jecho hidden".into(),
            rule: rule.map(Into::into),
        };
        let mut output = Vec::new();
        let decision = put(&question, &mut input.as_bytes(), &mut output).unwrap();
        (decision, String::from_utf8(output).unwrap())
    }

    #[test]
    fn answers_are_parsed() {
        let rule = Some("Bash(git push)");
        for (input, rule, decision) in [
            ("y\n", rule, Decision::Once),
            ("YES\n", rule, Decision::Once),
            ("a\n", rule, Decision::ToolForSession),
            ("r\n", rule, Decision::Remember),
            ("n\n", rule, Decision::No(None)),
            (
                "n  use a branch \n",
                rule,
                Decision::No(Some("use a branch".into())),
            ),
            ("", rule, Decision::No(None)),
            ("\nwhat\ny please\ny\n", rule, Decision::Once),
            ("r\nn\n", None, Decision::No(None)),
        ] {
            assert_eq!(answered(input, rule).0, decision, "{input:?}");
        }
    }

    #[test]
    fn a_question_shows_the_whole_command() {
        let (_, text) = answered("n\n", None);
        assert!(text.contains("lead > writer wants to use Bash:\n\n    git push\n    ␛[2Jecho hidden\n"));
        assert!(!text.contains("remember"));
        assert!(
            answered("n\n", Some("Bash(git push)"))
                .1
                .contains("remember Bash(git push)")
        );
    }
}
