//! What all ways to express permissions share: the target, the plan, and the report of losses.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::convert::grants::Grants;
use crate::convert::plan::Plan;
use crate::dialect::{Canonical, Dialect};
use crate::vocabulary::{self, Rights, Vocabulary};
use crate::write::Value;

/// Expresses the source's grants in the target.
pub(in crate::convert) struct Speaker<'a> {
    pub(super) target: &'a Dialect,
    pub(super) vocabulary: &'static Vocabulary,
    pub(super) plan: &'a mut Plan,
    /// The tools of the source, as written.
    pub(super) said: String,
}

impl<'a> Speaker<'a> {
    /// None for a dialect without a vocabulary, which the build rejects.
    pub(in crate::convert) fn new(target: &'a Dialect, said: String, plan: &'a mut Plan) -> Option<Self> {
        let vocabulary = vocabulary::of(target.product())?;
        Some(Self {
            target,
            vocabulary,
            plan,
            said,
        })
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.target.keys.iter().any(|key| key.field.name() == field)
    }

    pub(super) fn put_mode(&mut self, name: &str) {
        match self.vocabulary.bounds {
            Some(Canonical::ReadOnly) => self.plan.put("read-only", Value::Boolean(true)),
            _ => self.plan.put("permission-mode", Value::Text(name.to_owned())),
        }
    }

    /// All rights of the target's tools.
    pub(super) fn here(&self) -> Rights {
        let tools = self.vocabulary.current();
        tools.fold(Rights::default(), |all, tool| all.with(tool.rights))
    }

    /// A line for each tool that loses a right. If no tool was named, rights that no tool of the target has are ignored.
    pub(super) fn lose_rights(
        &mut self,
        grants: &Grants,
        left: Rights,
        reason: impl Fn(&Self, Rights) -> String,
    ) {
        let counted = if grants.names_tools() {
            Rights::all()
        } else {
            self.here()
        };
        for (name, rights) in grants.named_tools() {
            let missing = rights.without(grants.denied).without(left);
            if missing.meets(counted) {
                let reason = reason(self, missing);
                self.plan.lose("tools", name, &reason);
            }
        }
    }
}
