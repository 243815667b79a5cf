//! Writes the input files of every case into a folder: `cases FOLDER`.

use std::path::Path;

use callsheet_tests::case::Case;

fn main() {
    let to = std::env::args_os().nth(1).expect("a folder is given");
    for (name, case) in Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")) {
        let case = case.unwrap_or_else(|error| panic!("{error}"));
        let laid_out = case.lay_out(&Path::new(&to).join(&name));
        laid_out.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
