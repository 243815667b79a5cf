//! The least work of any such program: reads the agent files below a project and parses their frontmatter as YAML.

use std::path::Path;
use std::{env, fs, io};

use granit_parser::Parser;

/// As in `generate`. The library is not linked, to keep the floor light.
const FOLDER: &str = ".claude/agents";

fn main() -> io::Result<()> {
    let project = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut events = 0;
    for entry in fs::read_dir(Path::new(&project).join(FOLDER))? {
        let text = fs::read_to_string(entry?.path())?;
        let yaml = text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"));
        // Anything after an error is ignored.
        events += yaml.map_or(0, |(yaml, _)| {
            Parser::new_from_str(yaml).take_while(Result::is_ok).count()
        });
    }
    println!("{events}");
    Ok(())
}
