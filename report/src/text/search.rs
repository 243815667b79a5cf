//! The matches of a query.

use callsheet_contract::catalogs::Entry;

use super::entry::active;
use super::look::Look;
use crate::report::Hits;

/// The hits in one dialect, the best first.
pub fn search(look: &Look, hits: &Hits) -> String {
    let entries: Vec<&Entry> = hits.entries.iter().collect();
    format!("{}:\n{}", look.heading(&hits.dialect), active(look, &entries))
}
