//! What the seeds ask of caching, as counters and ratios: a clock would tell of the machine.

use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use callsheet::{Callsheet, Catalog};
use callsheet_tests::generate;
use tempfile::TempDir;

const AGENTS: usize = 50;

/// A project with agents, its catalog, and the files that were read since last asked.
struct World {
    folder: TempDir,
    catalog: Catalog,
    reads: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new(capacity: u32) -> Self {
        let folder = tempfile::tempdir().expect("there is room for some files");
        generate::write(folder.path(), AGENTS, false).expect("the files can be written");
        let reads = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&reads);
        let callsheet = Callsheet::builder()
            .project(folder.path().to_string_lossy())
            .without_home()
            .cache_capacity(capacity)
            .on_read(move |path| log.lock().expect("no thread panics").push(path.to_owned()))
            .build()
            .expect("the project is there");
        let catalog = callsheet.open("claude-code").expect("the dialect is known");
        Self {
            folder,
            catalog,
            reads,
        }
    }

    fn reads(&self) -> Vec<String> {
        std::mem::take(&mut *self.reads.lock().expect("no thread panics"))
    }

    fn touch(&self, file: &str) {
        let file = File::options()
            .write(true)
            .open(self.path(file))
            .expect("the file is there");
        let later = SystemTime::now() + Duration::from_secs(60);
        file.set_times(FileTimes::new().set_modified(later))
            .expect("its time can be set");
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.folder.path().join(generate::FOLDER).join(file)
    }
}

fn name(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path)
}

#[test]
fn opening_reads_each_file_once() {
    let mut world = World::new(1024);
    let mut reads = world.reads();
    reads.sort();
    reads.dedup();
    assert_eq!(reads.len(), AGENTS);
    let counters = world.catalog.counters().unwrap();
    assert_eq!(counters.files as usize, AGENTS);
    assert_eq!(counters.parsed as usize, AGENTS);
    let sizes = fs::read_dir(world.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len());
    assert_eq!(counters.bytes, sizes.sum::<u64>());
}

#[test]
fn a_cached_definition_is_neither_read_nor_parsed() {
    let mut world = World::new(1024);
    world.reads();
    let before = world.catalog.counters().unwrap();
    for _ in 0..100 {
        assert!(world.catalog.get("agent-00007").unwrap().is_some());
    }
    let after = world.catalog.counters().unwrap();
    assert_eq!(world.reads(), [""; 0]);
    assert_eq!(
        (after.parsed, after.bytes, after.misses),
        (before.parsed, before.bytes, before.misses)
    );
    assert_eq!(after.hits, before.hits + 100);
}

#[test]
fn a_refresh_reads_only_what_changed() {
    let mut world = World::new(1024);
    world.reads();
    assert_eq!(world.catalog.refresh().unwrap(), []);
    assert_eq!(world.reads(), [""; 0]);
    world.touch("agent-00003.md");
    world.catalog.refresh().unwrap();
    let reads = world.reads();
    assert_eq!(
        reads.iter().map(|path| name(path)).collect::<Vec<_>>(),
        ["agent-00003.md"]
    );
    fs::write(
        world.path("agent-00004.md"),
        "---\nname: agent-00004\ndescription: New\n---\nNew.\n",
    )
    .unwrap();
    world.touch("agent-00004.md");
    let changes = world.catalog.refresh().unwrap();
    assert_eq!(
        changes.iter().map(|change| &*change.name).collect::<Vec<_>>(),
        ["agent-00004"]
    );
    let reads = world.reads();
    assert_eq!(
        reads.iter().map(|path| name(path)).collect::<Vec<_>>(),
        ["agent-00004.md"]
    );
}

#[test]
fn the_cache_is_bounded_and_evicts_the_least_recently_used() {
    let mut world = World::new(10);
    let cached = world.catalog.counters().unwrap().cached;
    assert!(cached <= 10, "{cached}");
    world.reads();
    for _ in 0..2 {
        assert!(world.catalog.get("agent-00000").unwrap().is_some());
    }
    let reads = world.reads();
    assert_eq!(
        reads.iter().map(|path| name(path)).collect::<Vec<_>>(),
        ["agent-00000.md"]
    );
    // As many others as there is room for push it out.
    for number in 20..30 {
        world.catalog.get(&format!("agent-{number:05}")).unwrap();
    }
    world.reads();
    world.catalog.get("agent-00000").unwrap();
    assert_eq!(world.reads().len(), 1);
    assert!(world.catalog.counters().unwrap().cached <= 10);
}

#[test]
fn listing_and_searching_read_nothing() {
    let mut world = World::new(1);
    world.reads();
    assert_eq!(
        world
            .catalog
            .entries(false)
            .unwrap()
            .iter()
            .filter(|it| it.origin.path.is_some())
            .count(),
        AGENTS
    );
    world.catalog.search("agent", 20).unwrap();
    world.catalog.explain("agent-00001").unwrap();
    world.catalog.diagnostics().unwrap();
    assert_eq!(world.reads(), [""; 0]);
}
