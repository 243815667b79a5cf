//! Writes any number of realistic agent files, always the same ones.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// Their folder below the project.
pub const FOLDER: &str = ".claude/agents";

const WORDS: &[&str] = &[
    "review",
    "the",
    "code",
    "with",
    "care",
    "and",
    "report",
    "what",
    "breaks",
    "tests",
    "before",
    "merging",
    "each",
    "change",
    "database",
    "schema",
    "migration",
    "security",
    "latency",
    "design",
    "document",
    "interface",
    "service",
    "always",
    "explain",
    "why",
    "never",
    "guess",
    "measure",
    "first",
    "then",
    "improve",
    "edge",
    "cases",
    "matter",
];

const TOOLS: &[&str] = &[
    "Read",
    "Grep",
    "Glob",
    "Bash(git *)",
    "Edit",
    "Write",
    "WebFetch",
    "mcp__db__query",
];

/// Writes `count` agents below `project`; with `colons`, 7 in 100 have an unquoted colon in the description.
pub fn write(project: &Path, count: usize, colons: bool) -> io::Result<()> {
    let folder = project.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for number in 0..count {
        fs::write(
            folder.join(format!("agent-{number:05}.md")),
            agent(number, colons),
        )?;
    }
    Ok(())
}

/// The `number`th agent.
pub fn agent(number: usize, colons: bool) -> String {
    let mut dice = Dice(number as u64 + 1);
    let mut text = format!("---\nname: agent-{number:05}\n");
    let description = sentence(&mut dice, 12);
    let colon = if colons && dice.below(100) < 7 {
        "Examples: use it"
    } else {
        "Use it"
    };
    let _ = writeln!(
        text,
        "description: {description} {colon} when you {}",
        sentence(&mut dice, 8)
    );
    let tools: Vec<&str> = (0..=dice.below(5)).map(|_| dice.pick(TOOLS)).collect();
    let _ = writeln!(text, "tools: {}", tools.join(", "));
    let _ = writeln!(
        text,
        "model: {}",
        dice.pick(&["sonnet", "opus", "haiku", "inherit"])
    );
    let _ = writeln!(
        text,
        "color: {}\n---\n",
        dice.pick(&["red", "blue", "green", "purple"])
    );
    body(&mut text, &mut dice);
    text
}

/// 300 to 6,000 bytes, 2,300 on average: real ones are mostly short, with a long tail.
fn body(text: &mut String, dice: &mut Dice) {
    let length = 300 + (dice.below(5700).min(dice.below(5700)) * 21 / 20).min(5700);
    let end = text.len() + length;
    let _ = writeln!(text, "You {}.\n", sentence(dice, 9));
    while text.len() + 200 < end {
        match dice.below(8) {
            0 => drop(writeln!(text, "## {}\n", sentence(dice, 3))),
            1 => drop(writeln!(text, "```sh\n{}\n```\n", sentence(dice, 5))),
            2..5 => drop(writeln!(
                text,
                "- **{}**: {}",
                dice.pick(WORDS),
                sentence(dice, 9)
            )),
            _ => drop(writeln!(text, "{}.\n", sentence(dice, 18))),
        }
    }
}

fn sentence(dice: &mut Dice, words: usize) -> String {
    let words: Vec<&str> = (0..words).map(|_| dice.pick(WORDS)).collect();
    words.join(" ")
}

/// SplitMix64: short, and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).expect("it is below a usize")
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::agent;

    #[test]
    fn generated_sizes_match_real_files() {
        let sizes: Vec<usize> = (0..1000).map(|number| agent(number, true).len()).collect();
        let mean = sizes.iter().sum::<usize>() / sizes.len();
        assert!((2300..2900).contains(&mean), "{mean}");
        assert!(sizes.iter().all(|size| (300..6700).contains(size)));
    }
}
