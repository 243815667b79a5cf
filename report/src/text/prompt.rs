//! What a model gets.

use std::fmt::Write as _;

use callsheet_contract::conversation::{ModelRequest, Role};

use super::cell::clean_lines;

/// The messages and the tools of a request below headings. Control characters are replaced.
pub fn prompt(request: &ModelRequest) -> String {
    let mut out = String::new();
    for message in &request.messages {
        let heading = match message.role {
            Role::System => "System prompt",
            _ => "First message",
        };
        let _ = write!(out, "# {heading}\n\n{}\n\n", message.text);
    }
    let _ = writeln!(out, "# Tools: {}", request.tools.len());
    for tool in &request.tools {
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\n{}\n",
            tool.name, tool.description, tool.schema
        );
    }
    clean_lines(&out)
}
