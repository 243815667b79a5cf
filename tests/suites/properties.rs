//! What is true of any bytes, tested on many. The same texts each time; `CALLSHEET_CASES` tests more of them.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use callsheet::Callsheet;
use callsheet_core::definition::{Definition, ToolFilter};
use callsheet_core::span::Span;
use callsheet_core::yaml::Reading;
use callsheet_invariants::{self as invariants, parse, path_of, with_dialects};
use callsheet_tests::backend::native::Native;
use callsheet_tests::backend::{Runtime, of_dialect};
use callsheet_tests::case::Case;
use callsheet_tests::commands::Settings;
use callsheet_tests::texts::{self, check};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;

#[test]
fn splitter_holds_its_invariants() {
    check(4000, texts::bytes(), |bytes| {
        invariants::splitter(&bytes);
        Ok(())
    });
}

#[test]
fn yaml_holds_its_invariants() {
    check(4000, texts::bytes(), |bytes| {
        invariants::yaml(&bytes);
        Ok(())
    });
}

#[test]
fn definition_holds_its_invariants() {
    check(1500, texts::bytes(), |bytes| {
        invariants::definition(&bytes);
        Ok(())
    });
}

#[test]
fn completions_hold_their_invariants() {
    check(150, texts::bytes(), |bytes| {
        invariants::completions(&bytes);
        Ok(())
    });
}

#[test]
fn conversion_holds_its_invariants() {
    check(150, texts::bytes(), |bytes| {
        invariants::convert(&bytes);
        Ok(())
    });
}

#[test]
fn readers_hold_their_invariants() {
    check(1500, texts::bytes(), |bytes| {
        invariants::readers(&bytes);
        Ok(())
    });
}

#[test]
fn resolver_holds_its_invariants() {
    check(150, vec(texts::bytes(), 1..4), |files| {
        invariants::resolver(&files.join(&0));
        Ok(())
    });
}

#[test]
fn writer_holds_its_invariants() {
    check(500, (texts::bytes(), texts::bytes()), |(file, meant)| {
        invariants::writer(&[file, meant].join(&0));
        Ok(())
    });
}

/// Words of real options among any others.
#[test]
fn options_hold_their_invariants() {
    const PIECES: [&str; 24] = [
        "--",
        "-",
        "-o",
        "-c",
        "-C",
        "-e",
        "-m",
        "-n",
        "-xvf",
        "--output",
        "--exec",
        "--message=",
        "x",
        "HEAD",
        "origin",
        ".",
        "{print}",
        "s/a/b/",
        "log",
        "status",
        "-name",
        "=",
        "a=b",
        "https://a/b",
    ];
    let words = vec((0..PIECES.len() + 1, any::<[char; 3]>()), 0..8);
    check(4000, (any::<u8>(), words), |(program, words)| {
        let word = |(at, own): &(usize, [char; 3])| match PIECES.get(*at) {
            Some(piece) => (*piece).to_owned(),
            None => own.iter().collect::<String>(),
        };
        let words: Vec<String> = words.iter().map(word).collect();
        invariants::command_options(&[&[program], words.join(" ").as_bytes()].concat());
        Ok(())
    });
}

#[test]
fn session_holds_its_invariants() {
    check(300, vec(any::<u8>(), 0..200), |bytes| {
        invariants::session(&bytes);
        Ok(())
    });
}

/// The content of a definition, in any order. The prompt is the body's own text and keeps its line ends.
fn values(definition: &Definition) -> Definition {
    let place = Span::default();
    let mut values = Definition {
        system_prompt: definition.system_prompt.replace("\r\n", "\n"),
        body: place,
        fields: Vec::new(),
        ..definition.clone()
    };
    let tools = match &mut values.tools {
        ToolFilter::Only(rules) => rules.as_mut_slice(),
        _ => &mut [],
    };
    tools
        .iter_mut()
        .chain(&mut values.denied_tools)
        .for_each(|rule| rule.span = place);
    values
}

#[test]
fn line_endings_change_no_value() {
    let unix = texts::text().prop_map(|text| text.replace('\r', ""));
    check(1000, unix, |text| {
        let dos = text.replace('\n', "\r\n");
        with_dialects(|dialects| {
            for dialect in dialects.iter() {
                let read = |text: &str| parse(text.as_bytes(), dialect, dialects).document;
                // Claude Code puts values in quotes only in files with LF.
                if dialect.id.starts_with("claude-code") && read(&text).reading == Reading::Quoted {
                    continue;
                }
                let of = |text: &str| values(&read(text).definition);
                assert_eq!(of(&text), of(&dos), "{}: {text:?}", dialect.id);
            }
        });
        Ok(())
    });
}

#[test]
fn the_component_agrees_with_the_library() {
    let folder = tempfile::tempdir().expect("there is room for an empty folder");
    let project = folder.path().to_string_lossy().into_owned();
    let settings = Settings::of_project(&project);
    let component = Callsheet::builder().project(project).without_home().build();
    let component = std::cell::RefCell::new(component.expect("the component is embedded"));
    let native = std::cell::RefCell::new(Native::open(&settings).expect("the project is there"));
    let dialects = with_dialects(|all| {
        all.iter()
            .map(|it| (it.id.clone(), path_of(it)))
            .collect::<Vec<_>>()
    });
    check(200, texts::bytes(), |bytes| {
        for (dialect, path) in &dialects {
            let ours = native
                .borrow_mut()
                .parse(&of_dialect(path, dialect), &bytes)
                .expect("the dialect is known");
            let theirs = component
                .borrow_mut()
                .parse(path, &bytes, Some(dialect))
                .expect("it does not trap");
            assert_eq!(ours, theirs, "{dialect}");
        }
        Ok(())
    });
}

/// The files of the cases, which are the seeds of the fuzzers, too; and truncated, like files being written.
#[test]
fn whole_and_truncated_case_files_hold_the_invariants() {
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"));
    let cases: Vec<Case> = cases.into_iter().filter_map(|(_, case)| case.ok()).collect();
    let files = cases.iter().flat_map(|case| &case.files);
    let seeds: BTreeSet<&[u8]> = files
        .filter(|(path, _)| path.ends_with(".md"))
        .map(|(_, bytes)| &**bytes)
        .collect();
    assert!(!seeds.is_empty(), "there are cases");
    let seeds: Vec<&[u8]> = seeds.into_iter().filter(|bytes| bytes.len() < 4096).collect();
    let hold = |(number, bytes): (usize, &[u8])| {
        invariants::resolver(bytes);
        invariants::toml(bytes);
        invariants::readers(bytes);
        invariants::session(bytes);
        invariants::convert(bytes);
        invariants::writer(bytes);
        invariants::command(bytes);
        invariants::command_options(bytes);
        // Two places, others in each file.
        let cuts = [7, 13].map(|step| number * step % (bytes.len() + 1));
        for length in cuts.into_iter().chain([bytes.len()]) {
            invariants::splitter(&bytes[..length]);
            invariants::yaml(&bytes[..length]);
            invariants::definition(&bytes[..length]);
        }
    };
    // It takes minutes, longer than all other tests here together.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for first in 0..threads {
            let own = seeds.iter().copied().enumerate().skip(first).step_by(threads);
            scope.spawn(move || own.for_each(hold));
        }
    });
}
