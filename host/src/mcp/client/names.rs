//! What tools of servers are called.

use sha2::{Digest as _, Sha256};

/// What every known provider takes for the name of a tool.
const LONGEST: usize = 64;

/// `mcp__server__tool`, with what no provider takes replaced, and made short if need be.
pub(super) fn of_tool(server: &str, tool: &str) -> String {
    let name = format!("mcp__{}__{}", plain(server), plain(tool));
    if name.len() <= LONGEST {
        return name;
    }
    // Names that begin alike must not become one, and rules in files have to hold tomorrow, too.
    let digest = Sha256::digest(&name);
    let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}_{mark}", &name[..LONGEST - 1 - mark.len()])
}

fn plain(name: &str) -> String {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    name.chars()
        .map(|character| if fits(character) { character } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::of_tool;

    #[test]
    fn names_that_providers_take() {
        assert_eq!(of_tool("github", "create-issue"), "mcp__github__create-issue");
        assert_eq!(of_tool("my server", "a.b/ç"), "mcp__my_server__a_b__");
        let [one, two] = ["1", "2"].map(|end| of_tool("server", &format!("{}{end}", "x".repeat(99))));
        assert_eq!((one.len(), two.len()), (64, 64));
        assert_ne!(one, two);
        // Whatever release asks.
        assert!(one.ends_with("_5bf06268"), "{one}");
    }
}
