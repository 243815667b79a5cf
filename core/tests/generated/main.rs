//! Files generated from the rules and the dialects. `BLESS=1` writes them.

mod hooks;
mod rules;
mod schema;

use std::path::Path;

/// Compares a file of the project with its generated content.
#[track_caller]
fn compare(name: &str, expected: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, expected).expect("the documentation can be written");
    }
    let stated = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stated == expected,
        "{name} is stale: BLESS=1 cargo test -p callsheet-core --test generated"
    );
}
