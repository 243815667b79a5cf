//! Exports `catalogs`: many files, and who is in force.

use crate::Component;
use crate::bindings::exports::callsheet::agents::catalogs::{
    Agent, Catalog, CatalogError, Change, Counters, Diagnostic, Entry, Explanation, Grants, Guest,
    GuestCatalog, Location, Options, Visited,
};

impl Guest for Component {
    type Catalog = OpenCatalog;

    fn locations(_options: Options) -> Result<Vec<Location>, CatalogError> {
        Ok(Vec::new())
    }
}

/// A catalog that lives on.
pub(crate) struct OpenCatalog;

impl GuestCatalog for OpenCatalog {
    fn open(_options: Options) -> Result<Catalog, CatalogError> {
        Ok(Catalog::new(OpenCatalog))
    }

    fn refresh(&self) -> Vec<Change> {
        Vec::new()
    }

    fn visited(&self) -> Vec<Visited> {
        Vec::new()
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn entries(&self, _all: bool) -> Vec<Entry> {
        Vec::new()
    }

    fn get(&self, _name: String) -> Option<Agent> {
        None
    }

    fn search(&self, _query: String, _limit: u32) -> Vec<Entry> {
        Vec::new()
    }

    fn explain(&self, name: String) -> Explanation {
        Explanation {
            name,
            rule: String::new(),
            candidates: Vec::new(),
            refusal: None,
            near: Vec::new(),
        }
    }

    fn grants(&self, _name: String, _offered: Vec<String>) -> Option<Grants> {
        None
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn register(&self, _name: String, _contents: String) -> Result<(), CatalogError> {
        Err(CatalogError::Other("not built yet".into()))
    }

    fn counters(&self) -> Counters {
        Counters {
            files: 0,
            parsed: 0,
            bytes: 0,
            hits: 0,
            misses: 0,
            cached: 0,
        }
    }
}
