//! Cycles of calls.

use alloc::vec;
use alloc::vec::Vec;

/// Cycles among callers that each list whom they call: each as its callers with the numbers of their calls, the smallest caller first. At
/// most one of several callers begins at each caller: there may be exponentially many.
pub(crate) fn cycles(calls: &[Vec<usize>]) -> Vec<Vec<(usize, usize)>> {
    let mut walk = Walk {
        calls,
        position: vec![Position::New; calls.len()],
        reported: vec![false; calls.len()],
        alone: vec![false; calls.len()],
        cycles: Vec::new(),
    };
    for start in 0..calls.len() {
        walk.from(start);
    }
    walk.cycles
}

#[derive(Clone, Copy, PartialEq)]
enum Position {
    New,
    OnPath(usize),
    Done,
}

struct Walk<'a> {
    calls: &'a [Vec<usize>],
    position: Vec<Position>,
    /// The callers at which a cycle of several is reported.
    reported: Vec<bool>,
    /// Those whose calls of themselves are.
    alone: Vec<bool>,
    cycles: Vec<Vec<(usize, usize)>>,
}

impl Walk<'_> {
    /// Follows the calls depth first, each call once.
    fn from(&mut self, start: usize) {
        if self.position[start] != Position::New {
            return;
        }
        // The callers on the path, each with the number of its next call.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        self.position[start] = Position::OnPath(0);
        while let Some((caller, next)) = path.last_mut() {
            let Some(called) = self.calls[*caller].get(*next) else {
                self.position[*caller] = Position::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match self.position[*called] {
                Position::New => {
                    self.position[*called] = Position::OnPath(path.len());
                    path.push((*called, 0));
                }
                Position::OnPath(at) => self.close(&path[at..]),
                Position::Done => {}
            }
        }
    }

    fn close(&mut self, path: &[(usize, usize)]) {
        let mut cycle: Vec<(usize, usize)> = path.iter().map(|(caller, next)| (*caller, *next - 1)).collect();
        let smallest = cycle.iter().enumerate().min_by_key(|(_, (caller, _))| *caller);
        let Some((at, (caller, _))) = smallest else { return };
        let reported = if path.len() == 1 {
            &mut self.alone
        } else {
            &mut self.reported
        };
        if !reported[*caller] {
            reported[*caller] = true;
            cycle.rotate_left(at);
            self.cycles.push(cycle);
        }
    }
}
