//! The component.
