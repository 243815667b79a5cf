//! Half of all requests fail at random, and some streams are cut: answers are right, or errors.

use callsheet::model::Kind;
use futures_util::future::join_all;

use super::ask::{KEY, ask, providers, request};
use super::mock::Mock;

/// Requests per format.
const RUNS: usize = 50;

/// Four independent faults, so that 1 - 0.84⁴ = 50 % of the requests fail.
const FAULTS: [&str; 8] = [
    "--chaos-drop",
    "0.16",
    "--chaos-malformed",
    "0.16",
    "--chaos-disconnect",
    "0.16",
    "--chaos-ratelimit",
    "0.16",
];

/// Prompts, and the only right answers: the text, and the number of calls. None: the stream is always cut.
const PROMPTS: [(&str, Option<(&str, usize)>); 3] = [
    ("greet", Some(("Good evening, whoever you are.", 0))),
    ("compare", Some(("Both files, then.", 2))),
    ("cut always", None),
];

#[tokio::test]
async fn failing_models_give_right_answers_or_errors() {
    let Some(mock) = Mock::start_with(&FAULTS) else {
        return;
    };
    let (mut right, mut failed) = (0, 0);
    for kind in Kind::ALL {
        let models = providers(kind, &mock.url(kind), KEY);
        let requests: Vec<_> = (0..RUNS)
            .map(|run| {
                (
                    PROMPTS[run % PROMPTS.len()].1,
                    request(PROMPTS[run % PROMPTS.len()].0),
                )
            })
            .collect();
        let asked = requests.iter().map(|(_, request)| ask(&models, request));
        for ((expected, _), (answer, _)) in requests.iter().zip(join_all(asked).await) {
            match answer {
                Ok(answer) => {
                    assert_eq!(Some((&*answer.text, answer.calls.len())), *expected, "{kind:?}");
                    right += 1;
                }
                Err(_) => failed += 1,
            }
        }
    }
    eprintln!("{right} right answers, {failed} errors");
    assert!(right >= 40 && failed >= 40, "{right} {failed}");
}
