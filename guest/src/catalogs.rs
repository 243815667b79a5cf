//! Exports `catalogs`: many files, and which definitions are active.

use std::cell::RefCell;

use callsheet_core::catalog;
use callsheet_core::project::installed;

use crate::bindings::exports::callsheet::agents::catalogs::{
    Agent, Card, Catalog, CatalogError, Change, Counters, Diagnostic, Entry, Explanation, Grants, Guest,
    GuestCatalog, Options, ProjectBorrow, SectionError, Visited,
};
use crate::files::HostFiles;
use crate::projects::OpenProject;
use crate::{Component, convert, dialects};

impl Guest for Component {
    type Catalog = OpenCatalog;

    fn with_section(text: String, agents: Vec<Card>) -> Result<String, SectionError> {
        let agents: Vec<catalog::Card> = agents.into_iter().map(convert::core_card).collect();
        catalog::with_section(&text, &agents).map_err(SectionError::BadMarks)
    }
}

/// A catalog that stays open.
pub(crate) struct OpenCatalog(pub(crate) RefCell<catalog::Catalog>);

impl GuestCatalog for OpenCatalog {
    fn open(project: ProjectBorrow<'_>, options: Options) -> Result<Catalog, CatalogError> {
        let options = convert::options(&project.get::<OpenProject>().0, &options);
        let catalog = installed::open(Box::new(HostFiles), &dialects(), options);
        let catalog = catalog.map_err(convert::catalog_error)?;
        Ok(Catalog::new(Self(RefCell::new(catalog))))
    }

    fn refresh(&self) -> Vec<Change> {
        let changes = installed::refresh(&mut self.0.borrow_mut());
        changes.into_iter().map(convert::change).collect()
    }

    fn visited(&self) -> Vec<Visited> {
        self.0
            .borrow()
            .visited()
            .into_iter()
            .map(convert::visited)
            .collect()
    }

    fn names(&self) -> Vec<String> {
        self.0.borrow().names()
    }

    fn entries(&self, all: bool) -> Vec<Entry> {
        convert::entries(self.0.borrow().entries(all))
    }

    fn get(&self, name: String) -> Option<Agent> {
        let (definition, origin) = self.0.borrow_mut().get(&name)?;
        Some(convert::agent((*definition).clone(), origin))
    }

    fn search(&self, query: String, limit: u32) -> Vec<Entry> {
        convert::entries(self.0.borrow().search(&query, limit))
    }

    fn explain(&self, name: String) -> Explanation {
        convert::explanation(self.0.borrow_mut().explain(&name))
    }

    fn grants(&self, name: String, offered: Vec<String>) -> Option<Grants> {
        self.0.borrow_mut().grants(&name, &offered).map(convert::grants)
    }

    fn cards(&self, names: Vec<String>) -> Vec<Card> {
        let cards = self.0.borrow_mut().cards(&names);
        cards.into_iter().map(convert::card).collect()
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        convert::diagnostics(self.0.borrow().diagnostics())
    }

    fn suppressed(&self) -> Vec<Diagnostic> {
        convert::diagnostics(self.0.borrow().suppressed())
    }

    fn register(&self, name: String, contents: String) -> Result<(), CatalogError> {
        let registered = self.0.borrow_mut().register(&name, &contents);
        registered.map_err(convert::catalog_error)
    }

    fn reserve(&self, name: String, tool: String) {
        self.0.borrow_mut().reserve(&name, &tool);
    }

    fn counters(&self) -> Counters {
        convert::counters(self.0.borrow().counters())
    }
}
