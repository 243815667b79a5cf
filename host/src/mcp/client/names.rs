//! Names of servers' tools.

use sha2::{Digest as _, Sha256};

/// The longest tool name that every known provider accepts.
const LONGEST: usize = 64;

/// `mcp__server__tool`, with unsupported characters replaced, and shortened if necessary.
pub(super) fn of_tool(server: &str, tool: &str) -> String {
    let name = format!("mcp__{}__{}", plain(server), plain(tool));
    if name.len() <= LONGEST {
        return name;
    }
    // The hash keeps shortened names distinct, and stable for rules in files.
    let digest = Sha256::digest(&name);
    let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}_{mark}", &name[..LONGEST - 1 - mark.len()])
}

/// With unsupported characters replaced.
pub(super) fn plain(name: &str) -> String {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    name.chars()
        .map(|character| if fits(character) { character } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::of_tool;

    #[test]
    fn tool_names_are_valid_for_providers() {
        assert_eq!(of_tool("github", "create-issue"), "mcp__github__create-issue");
        assert_eq!(of_tool("my server", "a.b/ç"), "mcp__my_server__a_b__");
        let [one, two] = ["1", "2"].map(|end| of_tool("server", &format!("{}{end}", "x".repeat(99))));
        assert_eq!((one.len(), two.len()), (64, 64));
        assert_ne!(one, two);
        // Whatever release asks.
        assert!(one.ends_with("_5bf06268"), "{one}");
    }
}
