//! In this process: the component compared with the native core, and the cost of the cache and of a refresh.

use std::hint::black_box;
use std::io::Write as _;
use std::time::Duration;

use callsheet::{Callsheet, Catalog};
use callsheet_core::dialect::Dialects;
use callsheet_core::document;
use callsheet_tests::{generate, measure};

use super::table::Table;

const AGENTS: usize = 1_000;

pub(crate) fn measure(table: &mut Table) {
    parsing(table);
    catalogs(table);
    sizes(table);
}

fn parsing(table: &mut Table) {
    let texts: Vec<String> = (0..AGENTS).map(|number| generate::agent(number, true)).collect();
    let dialects = Dialects::embedded();
    let mut callsheet = Callsheet::builder()
        .without_home()
        .build()
        .expect("the component is embedded");
    let path = ".claude/agents/x.md";
    let native = || {
        for text in &texts {
            let parsed = document::parse(path, text.as_bytes(), Some("claude-code"), None, &dialects);
            black_box(parsed.expect("the dialect is known"));
        }
    };
    let mut component = || {
        for text in &texts {
            let parsed = callsheet.parse(path, text.as_bytes(), Some("claude-code"));
            black_box(parsed.expect("it does not trap"));
        }
    };
    let [native, component] = measure::least(
        15,
        [&mut || measure::thread(native).0, &mut || {
            measure::thread(&mut component).0
        }],
        |now, best| now < best,
    );
    table.report(
        "native core: parse and check one file",
        micros(native) / AGENTS as f64,
        " µs",
    );
    table.at_most(
        "component: the same",
        ratio(component, native),
        2.0,
        " × native core",
    );
}

fn catalogs(table: &mut Table) {
    let folder = tempfile::tempdir().expect("there is room for the files");
    generate::write(folder.path(), AGENTS, false).expect("the files can be written");
    let project = folder.path().to_string_lossy().into_owned();
    let callsheet = Callsheet::builder().project(project).without_home().build();
    let callsheet = callsheet.expect("the project is there");
    let open = || callsheet.open("claude-code").expect("the dialect is known");
    let mut catalog = open();
    let mut again = open();
    let [load, refresh, get] = measure::least(
        15,
        [
            &mut || measure::thread(|| drop(open())).0,
            &mut || measure::thread(|| catalog.refresh().expect("it does not trap")).0,
            &mut || measure::thread(|| get_all(&mut again)).0,
        ],
        |now, best| now < best,
    );
    table.report(
        "cold load of 1,000 agents in a running host, CPU",
        micros(load) / 1e3,
        " ms",
    );
    table.at_most(
        "refresh with nothing changed",
        ratio(refresh, load) * 100.0,
        15.0,
        " % of the cold load",
    );
    table.at_most("cached `get`", micros(get) / AGENTS as f64, 20.0, " µs");
}

fn get_all(catalog: &mut Catalog) {
    for number in 0..AGENTS {
        let agent = catalog
            .get(&format!("agent-{number:05}"))
            .expect("it does not trap");
        black_box(agent.expect("it is there"));
    }
}

fn sizes(table: &mut Table) {
    let bytes = callsheet::component();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    let compressed = encoder.finish().expect("memory takes it").len();
    table.at_most("`callsheet.wasm`", bytes.len() as f64 / 1e3, 1_100.0, " KB");
    table.at_most("`callsheet.wasm`, gzipped", compressed as f64 / 1e3, 400.0, " KB");
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn ratio(time: Duration, base: Duration) -> f64 {
    time.as_secs_f64() / base.as_secs_f64()
}
