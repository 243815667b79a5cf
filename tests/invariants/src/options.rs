//! Options of known programs, in command lines of any words.

use callsheet_core::dialect::CommandPatterns;
use callsheet_core::permission::allow_command;

/// Programs and subcommands whose options are known. None hands over to another program.
const PROGRAMS: &[&str] = &[
    "git",
    "git log",
    "git grep",
    "git fetch",
    "git push",
    "git commit",
    "git rebase",
    "git stash",
    "git branch",
    "git checkout",
    "git remote",
    "tar",
    "find",
    "fd",
    "rg",
    "make",
    "awk",
    "sed",
    "sort",
    "split",
    "curl",
    "wget",
    "rsync",
    "cp",
    "mv",
    "rm",
    "tee",
    "dd",
    "uniq",
    "shuf",
    "xxd",
    "zip",
    "unzip",
    "less",
    "man",
    "touch",
    "mkdir",
    "chmod",
    "install",
    "gh",
];

/// What no program has as an option.
const STRANGE: [&str; 3] = ["--unknown-option", "--unknown-option=x", "-\u{f8}"];

/// The longest line that is tried.
const WORDS: usize = 8;

/// A wildcard allows no unknown option, at any place: not as a value, and not after `--`.
pub fn options(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let program = PROGRAMS[usize::from(*first) % PROGRAMS.len()];
    let text = String::from_utf8_lossy(rest);
    let words = text.split([' ', '\n', '\0']).filter(|word| !word.is_empty());
    let words = words.take(WORDS).map(|word| word.replace(['\'', '\r'], ""));
    let words: Vec<String> = words.collect();
    for at in 0..=words.len() {
        for strange in STRANGE {
            let mut with = words.clone();
            with.insert(at, strange.to_owned());
            assert!(!allows(program, &with), "{program} {with:?}");
        }
    }
    // Whatever is decided, a pattern that spells it out decides it the same way.
    if allows(program, &words) {
        let line = line(program, &words);
        let spelled = allow_command(std::slice::from_ref(&line), CommandPatterns::Glob, &line);
        assert!(spelled.is_ok() || line.contains('*'), "{line:?}: {spelled:?}");
    }
}

fn allows(program: &str, words: &[String]) -> bool {
    // `git` itself, so that a wildcard also covers its subcommand.
    let pattern = program.split(' ').next().unwrap_or(program);
    let patterns = [format!("{pattern} *")];
    allow_command(&patterns, CommandPatterns::Prefix, &line(program, words)).is_ok()
}

/// Each word in quotes, so that the shell leaves it as it is.
fn line(program: &str, words: &[String]) -> String {
    let words = words.iter().map(|word| format!(" '{word}'"));
    [program.to_owned(), words.collect()].concat()
}
