//! Sorting in one place: each type and order that is sorted adds four kilobytes to the component. Collecting a map or a set sorts, too;
//! extending an empty one does not.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The items in order; equal ones keep their order.
pub(crate) fn sorted<T>(items: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let indices = sorted_indices(items.len(), &|a, b| order(&items[a], &items[b]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    indices
        .into_iter()
        .filter_map(|index| items[index].take())
        .collect()
}

/// The names in order, each once.
pub(crate) fn names(names: Vec<String>) -> Vec<String> {
    let mut names = sorted(names, |a, b| a.cmp(b));
    names.dedup();
    names
}

/// The numbers below `count` in order; equal ones keep their order.
pub(crate) fn sorted_indices(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_by(|a, b| order(*a, *b));
    indices
}
