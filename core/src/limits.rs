//! Every limit, with its reason.

/// The largest file that is read. The largest known agent file has 55 KB; no prompt needs a megabyte.
pub const FILE_BYTES: usize = 1 << 20;

/// The longest frontmatter that is parsed as YAML. Real ones stay below 16 KB, and parsing costs time per byte; Claude Code 2.1.332 loads 80 KB.
pub const FRONTMATTER_BYTES: usize = 128 << 10;

/// The most YAML nodes of one frontmatter, including those of aliases. Stops alias bombs.
pub const YAML_NODES: usize = 10_000;

/// The most lines of quoted text that are indented for the parser, one attempt each. Real quoted texts are shorter.
pub const YAML_ATTEMPTS: usize = 32;

/// The deepest nesting of YAML collections. Hooks, the deepest real field, need six.
pub const YAML_DEPTH: usize = 64;

/// The deepest directory below a source. Real collections nest three deep.
pub const DIRECTORY_DEPTH: usize = 16;

/// The most directories of one call. Large repositories have 20,000; each way along links that lead to each other counts as one.
pub const DIRECTORIES: usize = 100_000;

/// The most files of one source. Ten times the largest collection that we want to serve fast.
pub const SOURCE_FILES: usize = 100_000;

/// The most entries of a list of tools that are checked. Real lists stay below a hundred, and searching the closest known name takes
/// time.
pub const TOOLS: usize = 500;

/// The longest name that is looked for in a text, in characters. Products allow 64, and folders or a plugin before them.
pub const TEXT_NAME: usize = 256;

/// The most ways in which one file may write a name that `rename` changes. Real files have one or two, and the whole text is compared for each.
pub const SPELLINGS: usize = 16;

/// The most permissions, hooks, settings of skills and dependencies in one file whose names are looked for. Real files have a few hundred.
pub const NAMES: usize = 2000;

/// How many names in a row a plugin may have in a marketplace's `renames`: Claude Code 2.1.332 follows no more.
pub const RENAMES: usize = 16;

/// How many files of instructions import each other in a row: Claude Code follows no more (its memory documentation, 2026-08).
pub const IMPORT_DEPTH: usize = 4;

/// The most files of instructions that one of them imports, at any depth. Real ones import a few dozen.
pub const IMPORTED_FILES: usize = 200;

/// The longest pattern of files that is looked for, in bytes.
pub const PATTERN_BYTES: usize = 300;

/// The most patterns that alternatives in one of them stand for. Real ones have a few.
pub const ALTERNATIVES: usize = 50;

/// How often patterns and paths of one project are compared. 100 patterns in a project of 10,000 files need half of it.
pub const COMPARISONS: usize = 2_000_000;

/// The most files that one skill links to and that are looked for. Real skills link to a few dozen.
pub const LINKS: usize = 100;

/// The most unknown names of one kind that get a suggestion, in all files together: each is compared with all names.
pub const GUESSES: usize = 50;

/// The most keys of a text without a path that are looked at: each is compared with those of every dialect. Real frontmatter has twenty.
pub const GUESSED_KEYS: usize = 64;

/// The most similar names in an explanation. More would not be read.
pub const NEAR_MISSES: usize = 5;

/// The most rules that the comments of one file may name. Each is compared with every finding.
pub const IGNORES: usize = 256;

/// The most files on the way from a source to its last parent. Who changes a field must find where it is set.
pub const EXTENDS_DEPTH: usize = 8;

/// The most files that one prompt is made of. Each is compared with the others, so that none is repeated.
pub const COMPOSED_PROMPTS: usize = 64;

/// The most entries in the tool lists and permissions of a file that extends others. Each is compared with all of a parent's.
pub const COMPARED_ENTRIES: usize = 500;

/// The longest command line that is parsed. A longer one is a script, and belongs in a file.
pub const COMMAND_BYTES: usize = 64 << 10;

/// The most simple commands of one command line.
pub const COMMANDS: usize = 256;

/// The deepest nesting of substitutions, groups and commands that run commands. Each costs stack.
pub const COMMAND_DEPTH: usize = 16;

/// The most problems of one folder's manifests that are reported one by one. To find the place of each, the manifest is read again.
pub const MANIFEST_PROBLEMS: usize = 100;

/// The most characters of a name that a message about a manifest quotes: a hundred messages with a name of a megabyte fill memory.
pub const QUOTED: usize = 80;

/// The deepest nesting of a tool call's arguments. Each costs stack.
pub const JSON_DEPTH: usize = 64;

/// The longest path that is compared with a specifier.
pub const PATH_BYTES: usize = 4 << 10;

/// The most tool calls in one answer of a model. Each may become an agent.
pub const CALLS: usize = 100;

/// The most events of a session that are buffered for the host. Each holds a model's answer.
pub const EVENTS: usize = 1_000;

/// The most skills, and the most commands, of a session. Each is a line in every request of an agent that may load them.
pub const SKILLS: usize = 1_000;

/// The most bytes of skills that a session keeps. Each snapshot contains them; the skills of real projects have a few hundred KB.
pub const SKILLS_BYTES: usize = 2 << 20;

/// The most bytes of an agent's memory that it is always told, as in Claude Code.
pub const MEMORY_BYTES: usize = 25_000;

/// The most bytes of skills in the first message of an agent: half of a context of 200,000 tokens, at four bytes a token.
pub const PRELOADED_BYTES: usize = 400_000;

/// The most bytes of instructions in the first message of an agent: a quarter of such a context.
pub const INSTRUCTION_BYTES: usize = 200_000;

/// The most files of instructions in it. Real projects have a few dozen.
pub const INSTRUCTION_FILES: usize = 200;

/// The most files that settings name, for texts. Real projects have a few dozen agents.
pub const SETTINGS_FILES: usize = 200;

/// The most bytes of changed files that agents are told: as many as Claude Code tells.
pub const CHANGES_BYTES: usize = 2_000;

/// The most bytes of descriptions in a list of skills. Claude Code documents 1 % of the context: of 200,000 tokens, at four bytes a token.
pub const LISTED_BYTES: usize = 8_000;
