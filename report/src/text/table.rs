//! Tables that fit: the widest column shrinks first, then whole columns are dropped.

use super::cell::{cut, cut_front, width, wrap};
use super::look::Look;

const INDENT: usize = 2;
const GAP: usize = 2;

/// A column: its title, its minimum width, and its priority.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    title: &'static str,
    floor: usize,
    weight: u8,
    cut: Cut,
}

impl Column {
    /// A column that may shrink to `floor`. If that does not fit either, the column of the least weight is dropped.
    pub const fn new(title: &'static str, floor: usize, weight: u8) -> Self {
        Self {
            title,
            floor,
            weight,
            cut: Cut::Back,
        }
    }

    /// The same for paths, which matter most at their ends.
    pub const fn of_paths(title: &'static str, floor: usize, weight: u8) -> Self {
        Self {
            title,
            floor,
            weight,
            cut: Cut::Front,
        }
    }
}

/// Which end of a wide cell is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    Back,
    Front,
}

/// How a wide last column is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Last {
    /// Cut: one line per row.
    Cut,
    /// Wrapped below itself.
    Wrap,
}

/// Rows of clean text under titles. Every row has a cell for every column; a wrapped one may have several lines.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    /// The columns, from left to right.
    pub columns: &'a [Column],
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
    /// How the last column is shown if it does not fit.
    pub last: Last,
}

impl Table<'_> {
    /// The table in lines that fit.
    pub fn render(&self, look: &Look) -> String {
        let (shown, widths) = self.layout(look.width);
        let titles: Vec<&str> = shown.iter().map(|&index| self.columns[index].title).collect();
        let mut out = String::new();
        let kinds: Vec<Cut> = shown.iter().map(|&index| self.columns[index].cut).collect();
        for line in lay(&titles, &widths, &kinds, Last::Cut) {
            out.push_str(&format!("{}\n", look.faint(line)));
        }
        for row in &self.rows {
            let cells: Vec<&str> = shown.iter().map(|&index| row[index].as_str()).collect();
            for line in lay(&cells, &widths, &kinds, self.last) {
                out.push_str(&line);
                out.push('\n');
            }
        }
        out
    }

    /// The shown columns, and their widths.
    fn layout(&self, room: usize) -> (Vec<usize>, Vec<usize>) {
        let natural = |index: usize| {
            let lines = self.rows.iter().flat_map(|row| row[index].split('\n').map(width));
            lines.chain([width(self.columns[index].title)]).max().unwrap_or(0)
        };
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        loop {
            let mut widths: Vec<usize> = shown.iter().map(|&index| natural(index)).collect();
            let floors: Vec<usize> = shown.iter().map(|&index| self.columns[index].floor).collect();
            if shrink(&mut widths, &floors, room) || shown.len() == 1 {
                return (shown, widths);
            }
            let lightest = (0..shown.len()).min_by_key(|&at| self.columns[shown[at]].weight);
            shown.remove(lightest.expect("more than one column is shown"));
        }
    }
}

/// Shrinks the columns until they fit, and returns whether they do.
fn shrink(widths: &mut [usize], floors: &[usize], room: usize) -> bool {
    let taken = INDENT + GAP * (widths.len() - 1);
    while widths.iter().sum::<usize>() + taken > room {
        let surplus = |at: &usize| widths[*at].saturating_sub(floors[*at]);
        let widest = (0..widths.len())
            .max_by_key(surplus)
            .expect("a table has columns");
        if surplus(&widest) == 0 {
            return false;
        }
        widths[widest] -= 1;
    }
    true
}

fn lay(cells: &[&str], widths: &[usize], kinds: &[Cut], last: Last) -> Vec<String> {
    let end = cells.len() - 1;
    let mut head = " ".repeat(INDENT);
    for ((cell, &columns), kind) in cells[..end].iter().zip(widths).zip(kinds) {
        let cell = match kind {
            Cut::Back => cut(cell, columns),
            Cut::Front => cut_front(cell, columns),
        };
        head.push_str(&cell);
        head.push_str(&" ".repeat(columns - width(&cell) + GAP));
    }
    let tail = match last {
        Last::Cut => vec![cut(cells[end], widths[end])],
        Last::Wrap => wrap(cells[end], widths[end]),
    };
    let margin = " ".repeat(width(&head));
    let heads = std::iter::once(head).chain(std::iter::repeat(margin));
    heads
        .zip(tail)
        .map(|(head, tail)| format!("{head}{tail}").trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Column, Last, Table};
    use crate::text::Look;

    const COLUMNS: [Column; 3] = [
        Column::new("NAME", 6, 2),
        Column::new("TOOLS", 5, 0),
        Column::new("WHAT", 8, 1),
    ];

    fn render(width: usize, last: Last) -> String {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["reviewer", "Read, Grep", "Reviews the code of others"]),
            row(["b", "", "日本語"]),
        ];
        Table {
            columns: &COLUMNS,
            rows,
            last,
        }
        .render(&Look {
            color: false,
            links: false,
            width,
        })
    }

    #[test]
    fn the_widest_column_is_cut() {
        let expected = "  NAME      TOOLS       WHAT\n  reviewer  Read, Grep  Reviews the c…\n  b                     日本語\n";
        assert_eq!(render(38, Last::Cut), expected);
    }

    #[test]
    fn the_least_important_column_is_dropped() {
        assert_eq!(
            render(22, Last::Cut),
            "  NAME      WHAT\n  reviewer  Reviews t…\n  b         日本語\n"
        );
        assert_eq!(render(4, Last::Cut), "  NAME\n  revie…\n  b\n");
    }

    #[test]
    fn a_wrapped_column_stays_aligned() {
        let expected = "  NAME      WHAT\n  reviewer  Reviews\n            the code\n            of others\n  b         日本語\n";
        assert_eq!(render(21, Last::Wrap), expected);
    }
}
