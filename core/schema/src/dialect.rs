//! A set of rules for reading files, as a dialect file states them.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::call::CallRules;
use crate::context::ContextRules;
use crate::delegation::Delegation;
use crate::fields::Canonical;
use crate::files::{Clash, Format, Identity, Kind};
use crate::hooks::HookRules;
use crate::instructions::InstructionRules;
use crate::keys::{Key, Shape};
use crate::kind::KindRules;
use crate::memory::MemoryRules;
use crate::places::{FileRule, Level, Relocation, Source};
use crate::servers::ServerRules;
use crate::settings::{SettingRules, TextNames};
use crate::skills::SkillTool;
use crate::tools::ToolDefaults;
use crate::verdict::{BodyRule, NoFrontmatter, Tolerance, Verdict, dropped, fine};

/// A set of rules for reading agent files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialect {
    /// Its name.
    pub id: String,
    /// The product's display name.
    pub title: String,
    /// The document or the release that the rules are from.
    pub evidence: String,
    /// What its files define.
    #[serde(skip)]
    pub kind: Kind,
    /// How its files are written.
    #[serde(default)]
    pub format: Format,
    /// The name of an agent that does not set one.
    #[serde(default)]
    pub identity: Identity,
    /// The precedence of equal names.
    pub clash: Clash,
    /// The strictest reading that the product does not require.
    pub tolerates: Tolerance,
    /// What a duplicate key means. If it is fine, the last one counts.
    #[serde(default = "fine")]
    pub duplicate_keys: Verdict,
    /// What an unknown key means.
    #[serde(default = "fine")]
    pub unknown_keys: Verdict,
    /// Keys that it accepts besides, and that say nothing about the agent.
    #[serde(default)]
    pub other_keys: Vec<String>,
    /// Whether a skill wins over every command of its name.
    #[serde(default)]
    pub skills_win: bool,
    /// What a name other than the folder's costs, if the product requires it.
    #[serde(default)]
    pub other_folder: Option<String>,
    /// How many characters of `description` and `when_to_use` are listed.
    #[serde(default)]
    pub listing: Option<u32>,
    /// The prefix of its variables.
    #[serde(default)]
    pub variable_prefix: Option<String>,
    /// The variables that it replaces in the text.
    #[serde(default)]
    pub variables: Vec<String>,
    /// How its skills or commands are called.
    #[serde(skip)]
    pub call: CallRules,
    /// The dialect that names its tools and models, if this is a release of it, or its files are not agents.
    #[serde(skip)]
    pub base: Option<String>,
    /// What frontmatter that cannot be read means.
    #[serde(default = "dropped")]
    pub bad_frontmatter: Verdict,
    /// What frontmatter means that is not closed or no map, or that begins late.
    #[serde(default = "dropped")]
    pub unread_frontmatter: Verdict,
    /// Whether one refused file keeps the product from loading anything of the project.
    #[serde(default)]
    pub fatal: bool,
    /// What happens to whitespace around the body.
    pub body: BodyRule,
    /// Which files it reads.
    pub files: FileRule,
    /// What an empty or missing `tools` means.
    pub tools: ToolDefaults,
    /// Model aliases.
    #[serde(default)]
    pub model_aliases: Vec<String>,
    /// Whether upper and lower case are the same in them.
    #[serde(default)]
    pub any_case_models: bool,
    /// Whether any word may name a model, as a profile of the user's own.
    #[serde(default)]
    pub any_model: bool,
    /// Whether a model may be given by its display name.
    #[serde(default)]
    pub titled_models: bool,
    /// Whether a broken file leaves its name without a fallback.
    #[serde(default)]
    pub broken_keeps_name: bool,
    /// Whether an agent of a plugin is named `plugin:name`.
    #[serde(default)]
    pub plugin_prefix: bool,
    /// The sources whose files load whatever they say: wrong values count as absent, and so does frontmatter that cannot be read.
    #[serde(default)]
    pub lenient_at: Vec<Level>,
    /// Whether names that differ only in case and separators are the same.
    #[serde(default)]
    pub folds_names: bool,
    /// Whether it looks for an agent in the file of that name, in some functions.
    #[serde(default)]
    pub by_file: bool,
    /// Built-in agents that are not among the ones here.
    #[serde(default)]
    pub other_agents: Vec<String>,
    /// Whether these win over every file of their name.
    #[serde(default)]
    pub keeps_names: bool,
    /// The folders of skills, below the project and the home directory.
    #[serde(default)]
    pub skills: Vec<String>,
    /// The field of a skill that, if true, keeps agents from loading it.
    #[serde(default)]
    pub skill_lock: Option<String>,
    /// The field of a skill with another name that agents may load it by.
    #[serde(default)]
    pub skill_title: Option<String>,
    /// How its agents load skills in a run.
    #[serde(default)]
    pub skill_tool: Option<SkillTool>,
    /// The total tokens of all descriptions above which it warns; of skills, that it lists.
    #[serde(default)]
    pub description_budget: Option<u32>,
    /// How the sources of its plugins are recognized.
    #[serde(default)]
    pub plugin_source: Option<PluginSource>,
    /// What rulesync writes for it.
    #[serde(default)]
    pub rulesync: Option<Section>,
    /// How hooks are configured.
    #[serde(default)]
    pub hooks: HookRules,
    /// What its settings name.
    #[serde(default)]
    pub settings: SettingRules,
    /// What the texts of its files name.
    #[serde(default)]
    pub text_names: TextNames,
    /// How MCP servers are configured.
    #[serde(default)]
    pub servers: ServerRules,
    /// Its instructions for a project.
    #[serde(default)]
    pub instructions: Vec<InstructionRules>,
    /// The instructions that agents get in a run.
    #[serde(default)]
    pub context: ContextRules,
    /// The memory of its agents.
    #[serde(default)]
    pub memory: MemoryRules,
    /// Its message for an unknown name; `{name}` and `{names}` are filled in.
    pub not_found: String,
    /// How its agents call each other.
    pub delegation: Delegation,
    /// Its sources, in documented order: the winner first under `first-wins`, else last.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// What environment variables replace.
    #[serde(default, rename = "relocation")]
    pub relocations: Vec<Relocation>,
    /// The keys that it knows.
    #[serde(rename = "key")]
    pub keys: Vec<Key>,
    /// The agents that it ships. Filled in by the build script from `builtins/<id>/`.
    #[serde(default)]
    pub built_ins: Vec<BuiltIn>,
    /// Whether its releases were measured in this kind of place: in directories of agents, not in plugins.
    #[serde(skip)]
    pub unmeasured: bool,
}

/// How the source of a plugin is recognized.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PluginSource {
    /// The folder that marks one.
    pub mark: String,
    /// The folder beside it that holds the agents, unless the manifest says otherwise.
    pub directory: String,
    /// The same for commands.
    pub commands: String,
    /// The folder beside it that holds skills; the manifest may add others.
    pub skills: String,
    /// The plugin's manifest in the marking folder.
    pub manifest: String,
    /// The marketplace's manifest in the marking folder.
    pub marketplace: String,
    /// The file of its MCP servers, unless the manifest says otherwise.
    pub servers: String,
    /// Other fields of the manifest with paths that must be there.
    pub other_files: Vec<String>,
    /// The fields of a marketplace's entry with `strict: false` that keep a plugin with a manifest from loading.
    pub exclusive: Vec<String>,
    /// The values of the manifest that name its servers: keys with dots between them, `*` for each of several.
    pub named_servers: Vec<String>,
}

/// What rulesync writes for a tool: the name, the description and the prompt of its source, and the keys of a section.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Section {
    /// The name of the section, and of the tool in `targets`.
    pub name: String,
    /// Keys of the section that are ignored.
    #[serde(default)]
    pub ignores: Vec<String>,
    /// Keys whose text is written as a list with one entry.
    #[serde(default)]
    pub lists: Vec<String>,
}

/// An agent that a dialect ships.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BuiltIn {
    /// Its file's name.
    pub file: String,
    /// Its file's text.
    pub text: String,
}

impl Dialect {
    /// The dialect that names its tools and models.
    pub fn product(&self) -> &str {
        self.base.as_deref().unwrap_or(&self.id)
    }

    /// Its name after the kind of its files, if those are not agents: `skill:codex`.
    pub fn full_name(&self) -> String {
        match self.kind {
            Kind::Agent => self.id.clone(),
            kind => [kind.noun(), ":", &self.id].concat(),
        }
    }

    /// The key of a field.
    pub fn of_field(&self, field: Canonical) -> Option<&Key> {
        self.keys.iter().find(|key| key.field == field)
    }

    /// The rule for a key as spelled.
    pub fn key(&self, spelling: &str) -> Option<&Key> {
        self.keys
            .iter()
            .find(|key| key.spellings.iter().any(|known| known == spelling))
    }

    /// The extensions of its files with their dots, that of new ones first; an empty one means none. `/SKILL.md` for files in folders.
    pub fn endings(&self) -> impl Iterator<Item = String> {
        let dotted = |extension: &String| {
            if extension.is_empty() {
                String::new()
            } else {
                [".", extension].concat()
            }
        };
        let file = self.files.name.iter().map(|name| ["/", name].concat());
        let is_named = self.files.name.is_some();
        let extensions = self.files.extensions.iter().filter(move |_| !is_named);
        file.chain(extensions.map(dotted))
    }

    /// The field of the key that holds the prompt; none if the body does.
    pub fn prompt_key(&self) -> Option<&str> {
        (self.format == Format::Toml).then_some("prompt")
    }

    /// The directories of a project that are its own.
    pub fn own_directories(&self) -> impl Iterator<Item = &str> {
        let sources = self.sources.iter();
        let own = sources.filter(|source| source.owned && source.level == Level::Project);
        own.map(|source| &*source.directory)
    }

    /// The same dialect with its rules for skills or commands.
    pub fn for_kind(base: &Self, rules: KindRules) -> Self {
        let is_alone = rules.alone.is_some();
        let mut hooks = base.hooks.clone();
        let (id, title) = match rules.alone {
            Some(alone) => {
                hooks.plugin_variable = alone.plugin_variable;
                (alone.id, alone.title)
            }
            None => (base.id.clone(), base.title.clone()),
        };
        Self {
            id,
            title,
            kind: rules.kind,
            evidence: rules.evidence,
            format: rules.format,
            identity: rules.identity,
            clash: rules.clash,
            tolerates: rules.tolerates,
            duplicate_keys: rules.duplicate_keys,
            unknown_keys: rules.unknown_keys,
            other_keys: Vec::new(),
            skills_win: rules.skills_win,
            other_folder: rules.other_folder,
            listing: rules.listing,
            variable_prefix: rules.variable_prefix,
            variables: rules.variables,
            call: rules.call,
            base: Some(base.id.clone()),
            bad_frontmatter: rules.bad_frontmatter,
            unread_frontmatter: rules.unread_frontmatter,
            fatal: rules.fatal,
            body: rules.body,
            files: rules.files,
            sources: rules.sources,
            keys: rules.keys,
            hooks,
            tools: ToolDefaults {
                unknown: Verdict::Fine,
                ..base.tools
            },
            built_ins: Vec::new(),
            other_agents: Vec::new(),
            lenient_at: Vec::new(),
            broken_keeps_name: false,
            description_budget: rules.description_budget,
            plugin_source: base.plugin_source.clone().filter(|_| !is_alone),
            ..base.clone()
        }
    }

    /// The same dialect as it reads files that settings name: what they lack may be in the settings.
    pub fn named_by_settings(&self) -> Self {
        let mut dialect = self.clone();
        dialect.unmeasured = true;
        dialect.body.empty = Verdict::Fine;
        dialect
            .keys
            .iter_mut()
            .for_each(|key| key.missing = Verdict::Fine);
        dialect
    }

    /// The same dialect as it reads files of a source of this kind; none if that makes no difference.
    pub fn at(&self, level: Level) -> Option<Self> {
        if !self.lenient_at.contains(&level) {
            return None;
        }
        let lenient = |verdict: Verdict| match verdict {
            Verdict::Dropped => Verdict::Ignored,
            verdict => verdict,
        };
        let mut dialect = self.clone();
        dialect.unmeasured = true;
        dialect.bad_frontmatter = lenient(dialect.bad_frontmatter);
        dialect.unread_frontmatter = lenient(dialect.unread_frontmatter);
        dialect.body.no_frontmatter = NoFrontmatter::Agent;
        for key in &mut dialect.keys {
            key.missing = match key.field {
                Canonical::Name => Verdict::Fine,
                _ => lenient(key.missing),
            };
            key.wrong = lenient(key.wrong);
            key.out_of_bounds = lenient(key.out_of_bounds);
            key.other_form = lenient(key.other_form);
            key.joined = key.field == Canonical::Name;
            // Their text is that of any scalar.
            if matches!(key.field, Canonical::Name | Canonical::Description) {
                key.form = None;
                key.shape = Shape::Scalar;
                key.unescapes = false;
            }
        }
        Some(dialect)
    }
}
