//! What agents reach by calling others: one search per permission, from those that have it back to their callers. Cycles end it, and the
//! first way that it finds is a shortest one.

use alloc::vec;
use alloc::vec::Vec;

use super::found::Reached;
use super::own::{ANY_TOOL, Own, Power};
use crate::vocabulary::Rights;

/// Who calls whom, from the called to the callers. Nodes that call any agent share one more node, their circle, so that the calls stay
/// few.
pub(super) struct Calls {
    nodes: usize,
    callers: Vec<Vec<(usize, Option<usize>)>>,
}

#[derive(Clone, Copy)]
struct Step {
    next: usize,
    edge: Option<usize>,
    owner: usize,
}

impl Calls {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            nodes,
            callers: vec![Vec::new(); nodes],
        }
    }

    pub(super) fn add(&mut self, caller: usize, called: usize, edge: usize) {
        self.callers[called].push((caller, Some(edge)));
    }

    /// Each of the callers may call each of the members.
    pub(super) fn add_circle(&mut self, callers: &[usize], members: &[usize]) {
        let circle = self.callers.len();
        self.callers
            .push(callers.iter().map(|caller| (*caller, None)).collect());
        members
            .iter()
            .for_each(|member| self.callers[*member].push((circle, None)));
    }

    /// The first step from every node to the nearest owner.
    fn steps(&self, is_owner: &dyn Fn(usize) -> bool) -> Vec<Option<Step>> {
        let mut steps: Vec<Option<Step>> = vec![None; self.callers.len()];
        let mut is_known = vec![false; self.callers.len()];
        let mut queue: Vec<usize> = (0..self.nodes).filter(|node| is_owner(*node)).collect();
        queue.iter().for_each(|owner| is_known[*owner] = true);
        let mut next = 0;
        while let Some(called) = queue.get(next).copied() {
            next += 1;
            let known = steps[called];
            for (caller, edge) in &self.callers[called] {
                if core::mem::replace(&mut is_known[*caller], true) {
                    continue;
                }
                // A circle is not an agent: the next one is where it leads.
                let through = known.filter(|_| called >= self.nodes);
                steps[*caller] = Some(Step {
                    next: through.map_or(called, |step| step.next),
                    edge: *edge,
                    owner: known.map_or(called, |step| step.owner),
                });
                queue.push(*caller);
            }
        }
        steps
    }

    /// What each node reaches, without what that implies.
    pub(super) fn reached(&self, own: &[&Own]) -> Vec<Vec<Reached>> {
        let mut all: Vec<Vec<Reached>> = vec![Vec::new(); self.nodes];
        let mut rights = vec![Rights::default(); self.nodes];
        for power in Power::all() {
            let whole = self.steps(&|node| own[node].has(power));
            let part = self.steps(&|node| own[node].has_part(power));
            for node in (0..self.nodes).filter(|node| !own[*node].has(power)) {
                let limited = whole[node].is_none();
                let part = part[node].filter(|_| !own[node].has_part(power));
                let Some(Step { next, edge, owner }) = whole[node].or(part) else {
                    continue;
                };
                if let (Power::Right(right), false) = (power, limited) {
                    rights[node] = rights[node].with(right);
                }
                all[node].push(Reached {
                    name: power.name(),
                    limited,
                    next,
                    edge,
                    owner,
                });
            }
        }
        for (node, reached) in all.iter_mut().enumerate() {
            if reached.last().is_some_and(|last| last.name == ANY_TOOL) {
                reached.drain(..reached.len() - 1);
            }
            let mut left = rights[node];
            reached.retain(|reached| {
                let right = Rights::of(reached.name).filter(|_| !reached.limited);
                let Some(right) = right else { return true };
                let others = left.without(right);
                let is_idle = own[node].makes_idle(right, others);
                left = if is_idle { others } else { left };
                !is_idle
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes of a long chain, and a circle of all of them.
    #[test]
    fn ten_thousand_agents_have_one_step_each() {
        const COUNT: usize = 10_000;
        let mut calls = Calls::new(COUNT);
        (1..COUNT).for_each(|called| calls.add(called - 1, called, called - 1));
        let steps = calls.steps(&|node| node == COUNT - 1);
        assert!(steps[..COUNT - 1].iter().all(Option::is_some));
        let first = steps[0].expect("it calls one");
        assert_eq!((first.next, first.edge, first.owner), (1, Some(0), COUNT - 1));
        let all: Vec<usize> = (0..COUNT).collect();
        calls.add_circle(&all, &all);
        let edges: usize = calls.callers.iter().map(Vec::len).sum();
        assert_eq!(edges, COUNT - 1 + 2 * COUNT);
        let first = calls.steps(&|node| node == COUNT - 1)[0].expect("it calls any");
        assert_eq!(
            (first.next, first.edge, first.owner),
            (COUNT - 1, None, COUNT - 1)
        );
    }
}
