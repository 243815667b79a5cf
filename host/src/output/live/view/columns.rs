//! The columns of the list of agents.

use ratatui::layout::Constraint;

/// The columns from which on a list of agents says what each does.
const BESIDE: u16 = 76;

/// The columns below which only the most important ones of the agents are shown.
const NARROW: u16 = 54;

/// A column of the list of agents.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Column {
    Agent,
    Doing,
    Turns,
    Tokens,
    Cost,
    Time,
}

impl Column {
    /// Those for a list of this width. If agents and entries are side by side, the entries show what an agent does.
    pub(super) fn shown(width: u16, has_cost: bool) -> Vec<Self> {
        let all = [
            Self::Agent,
            Self::Doing,
            Self::Turns,
            Self::Tokens,
            Self::Cost,
            Self::Time,
        ];
        let is_shown = |column: &Self| match column {
            Self::Agent | Self::Time => true,
            Self::Doing => width >= BESIDE,
            Self::Turns | Self::Tokens => width >= NARROW,
            Self::Cost => width >= NARROW && has_cost,
        };
        all.into_iter().filter(is_shown).collect()
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Agent => "Agent",
            Self::Doing => "Doing",
            Self::Turns => "Turns",
            Self::Tokens => "Tokens",
            Self::Cost => "Cost",
            Self::Time => "Time",
        }
    }

    pub(super) fn width(self) -> Constraint {
        match self {
            Self::Agent => Constraint::Fill(3),
            Self::Doing => Constraint::Fill(2),
            Self::Turns => Constraint::Length(5),
            Self::Tokens => Constraint::Length(9),
            Self::Cost => Constraint::Length(8),
            Self::Time => Constraint::Length(11),
        }
    }
}
