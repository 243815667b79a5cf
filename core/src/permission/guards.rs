//! Files that control what agents may do, or what runs later.

use alloc::string::String;
use alloc::vec::Vec;

use super::paths::Places;
use super::pattern::wildcard;

/// Files that no tool may write.
const NEVER: &str = ".git git~1 callsheet.toml .mcp.json";

/// Files that are written only if an entry of the list names them, including everything below.
const GUARDED: &str = "agents/*.md *.agent.md .agents .claude/agents .claude/commands .claude/hooks .claude/plugins \
    .claude/settings*.json .claude/skills .claude-plugin .codex .copilot .cursor .gemini .kode .kodelet .neovate \
    .opencode opencode.json* .openhands .qwen .roo .windsurf .aider* .config/opencode \
    .github/agents .github/actions .github/workflows \
    .gitlab-ci.yml .circleci .travis.yml .buildkite jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .husky \
    .githooks .pre-commit-config.yaml *lefthook* .envrc .mise* mise.toml .tool-versions \
    .bazelrc .pnpmfile.cjs .yarn .devcontainer* .vscode .zed .idea .helix .exrc \
    .nvim* .vimrc .cargo .npmrc .yarnrc* .bash* .profile .zsh* .zlog* .zprofile .kshrc .*cshrc .login .inputrc \
    .gitconfig .config/git .config/fish .ssh .gnupg .netrc";

/// The protection of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guard {
    None,
    Named,
    Never,
}

/// The names of all guarded files, except other systems' names for them.
pub(super) fn guarded() -> impl Iterator<Item = &'static str> {
    let names = NEVER.split(' ').chain(GUARDED.split(' '));
    names.filter(|name| !name.contains('~'))
}

/// The protection of a file by any of its names. A star in the path matches anything.
pub(super) fn guard(places: &Places<'_>, path: &str) -> Guard {
    let Some(all) = places.resolve(path) else {
        return Guard::Never;
    };
    let root = places.resolve(places.root).unwrap_or_default();
    // The project's own place does not matter.
    let below = all.strip_prefix(root.as_slice()).unwrap_or(&all);
    let parts: Vec<String> = below.iter().map(|part| plain(part)).collect();
    let any = |list: &str| list.split(' ').any(|guarded| stands_in(guarded, &parts));
    // With two directories beside it, it makes a repository, whose configuration runs programs.
    let head = parts.last().is_some_and(|part| part == "head");
    if any(NEVER) {
        Guard::Never
    } else if head || any(GUARDED) {
        Guard::Named
    } else {
        Guard::None
    }
}

/// Whether a directory contains guarded files by its name, such as `.claude`. A copy into it may be one of them.
pub(super) fn encloses(path: &str) -> bool {
    let name = path.trim_end_matches(['/', '.']).rsplit('/').next();
    let name = name.map(plain).unwrap_or_default();
    let mut outer = GUARDED.split(' ').filter_map(|guarded| guarded.split_once('/'));
    outer.any(|(directory, _)| directory == name || may_be(&name, directory))
}

/// Whether an entry such as `.github/workflows/**` names guarded files itself.
pub(super) fn names_it(places: &Places<'_>, specifier: &str) -> bool {
    let literal = specifier.split('*').next().unwrap_or_default();
    let path = literal.trim_start_matches("./").trim_start_matches('/');
    !path.is_empty() && guard(places, path) == Guard::Named
}

fn stands_in(guarded: &str, parts: &[String]) -> bool {
    let count = guarded.split('/').count();
    parts.windows(count).any(|window| {
        let mut pairs = guarded.split('/').zip(window);
        pairs.all(|(known, part)| wildcard(known, part) || may_be(part, known))
    })
}

/// Whether the shell could expand a part with stars to this name.
fn may_be(part: &str, known: &str) -> bool {
    let hidden = known.starts_with('.') && part.starts_with('*');
    let ends = known.trim_matches('*');
    part.contains('*') && !hidden && (wildcard(part, known) || wildcard(part, ends))
}

/// Normalized for file systems that ignore case, trailing dots and, as macOS does, some characters without a width.
fn plain(part: &str) -> String {
    let mut plain = String::new();
    for c in part.chars() {
        match c {
            '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}' => {}
            'ſ' => plain.push('s'),
            '\u{212a}' => plain.push('k'),
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            c => plain.push(c.to_ascii_lowercase()),
        }
    }
    plain.truncate(plain.trim_end_matches(['.', ' ']).len());
    plain
}
