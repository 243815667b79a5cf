//! Finds an order in which each text has much in common with those right before it.

use std::collections::{HashMap, VecDeque};

/// Texts are alike if they share runs of so many bytes.
const RUN: usize = 6;

/// How much of the preceding text counts, in bytes: compression looks back 32 KB, and finds the nearest best.
const REACH: usize = 10_000;

/// Added to the size of each text, so that tiny ones are not ordered by chance.
const LEAST: usize = 20;

/// The texts by number, starting with the longest. Each is followed by the one that shares most with the last ones.
pub(crate) fn chain(texts: &[&[u8]]) -> Vec<usize> {
    let mut shared = Shared::of(texts);
    let mut left: Vec<usize> = (0..texts.len()).collect();
    let mut chain = Vec::with_capacity(texts.len());
    let mut near = VecDeque::new();
    let mut reach = 0;
    let mut next = left.iter().copied().max_by_key(|&text| texts[text].len());
    while let Some(text) = next {
        left.retain(|&other| other != text);
        chain.push(text);
        near.push_back(text);
        reach += texts[text].len();
        shared.enter(text);
        while reach > REACH && near.len() > 1 {
            let gone = near.pop_front().expect("it has more than one");
            reach -= texts[gone].len();
            shared.leave(gone);
        }
        next = left.iter().copied().reduce(|best, other| {
            if shared.likeness(other) > shared.likeness(best) {
                other
            } else {
                best
            }
        });
    }
    chain
}

/// What the texts share with the near ones.
struct Shared {
    /// The runs of each text, by number.
    runs: Vec<Vec<usize>>,
    /// The texts that have each run.
    texts: Vec<Vec<usize>>,
    /// How many of the near texts have each run.
    near: Vec<u32>,
    /// What each text shares with the near ones: rare runs weigh more.
    common: Vec<f64>,
}

impl Shared {
    fn of(texts: &[&[u8]]) -> Self {
        let mut numbers = HashMap::new();
        let mut having: Vec<Vec<usize>> = Vec::new();
        let mut runs = Vec::new();
        for (text, bytes) in texts.iter().enumerate() {
            let mut of_text = Vec::new();
            for run in bytes.windows(RUN) {
                let number = *numbers.entry(run).or_insert(having.len());
                if number == having.len() {
                    having.push(Vec::new());
                }
                if having[number].last() != Some(&text) {
                    having[number].push(text);
                    of_text.push(number);
                }
            }
            runs.push(of_text);
        }
        Self {
            near: vec![0; having.len()],
            common: vec![0.0; texts.len()],
            texts: having,
            runs,
        }
    }

    fn enter(&mut self, text: usize) {
        for &run in &self.runs[text] {
            self.near[run] += 1;
            if self.near[run] == 1 {
                weigh(&mut self.common, &self.texts[run], 1.0);
            }
        }
    }

    fn leave(&mut self, text: usize) {
        for &run in &self.runs[text] {
            self.near[run] -= 1;
            if self.near[run] == 0 {
                weigh(&mut self.common, &self.texts[run], -1.0);
            }
        }
    }

    fn likeness(&self, text: usize) -> f64 {
        self.common[text] / ((self.runs[text].len() + LEAST) as f64).sqrt()
    }
}

fn weigh(common: &mut [f64], texts: &[usize], sign: f64) {
    let weight = sign / (texts.len() as f64).sqrt();
    for &text in texts {
        common[text] += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::chain;

    #[test]
    fn similar_texts_are_adjacent() {
        let texts = [
            "a text about cats and dogs",
            "0123456789",
            "texts about cats",
            "0123456789abc",
        ];
        let texts = texts.map(str::as_bytes);
        assert_eq!(chain(&texts), [0, 2, 1, 3]);
    }

    #[test]
    fn every_text_occurs_once() {
        assert_eq!(chain(&[]), [0; 0]);
        assert_eq!(chain(&[b"", b"", b"same bytes", b"same bytes"]), [3, 2, 0, 1]);
    }
}
