//! How a product's manifests of plugins and marketplaces, and its settings, look.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

/// How a manifest of a plugin or a marketplace looks, as JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Manifest {
    /// Its name.
    pub id: String,
    /// The product or the specification, for display.
    pub title: String,
    /// The file, relative to the plugin or the marketplace.
    pub file: String,
    /// The name that conversions have for it, if it is that of a plugin.
    #[serde(default)]
    pub target: Option<String>,
    /// Who reads it, for display in conversions.
    #[serde(default)]
    pub product: String,
    /// What its `$schema` contains, if other products have such a file, too.
    #[serde(default)]
    pub schema: Option<String>,
    /// The name of the format of another file, which counts if this one is valid.
    #[serde(default)]
    pub then: Option<String>,
    /// Whether it only counts after another one.
    #[serde(default)]
    pub dependent: bool,
    /// Whether what cannot be read is reported elsewhere.
    #[serde(default)]
    pub read_elsewhere: bool,
    /// The dialect of its skills, and their folder.
    #[serde(default)]
    pub skills: Option<(String, String)>,
    /// What follows if it is invalid.
    pub effect: String,
    /// Whether a field that is given twice is an error.
    #[serde(default)]
    pub strict: bool,
    /// What a plugin loads.
    #[serde(default, rename = "part")]
    pub parts: Vec<ManifestPart>,
    /// Its fields.
    #[serde(rename = "key")]
    pub keys: Vec<ManifestKey>,
}

/// How a product's settings look, as JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SettingsFormat {
    /// Its name: the dialect, if that has no other format of settings.
    pub id: String,
    /// The dialect, if it is not the name.
    #[serde(default)]
    pub dialect: Option<String>,
    /// The settings, for display.
    pub title: String,
    /// The files, relative to the project.
    pub files: Vec<String>,
    /// What follows if they are invalid.
    pub effect: String,
    /// What follows if they cannot be read; the product ignores them if nothing is stated.
    #[serde(default)]
    pub unread: Option<String>,
    /// Whether a field that is given twice is an error.
    #[serde(default)]
    pub strict: bool,
    /// Whether comments, a comma before an end and a byte order mark make a file unreadable, whatever other files of the product may have.
    #[serde(default)]
    pub pure: bool,
    /// Names at the outside of another version of the product, whose settings look otherwise.
    #[serde(default)]
    pub others: Vec<String>,
    /// Their fields.
    #[serde(rename = "key")]
    pub keys: Vec<ManifestKey>,
}

/// What a plugin loads.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ManifestPart {
    /// The field that lists it, if the manifest has it.
    pub name: String,
    /// What it is. Two products load the same files if this is the same.
    #[serde(default)]
    pub holds: String,
    /// The file or folder that is loaded without the field; empty for none.
    #[serde(default)]
    pub usual: String,
    /// Whether that is also loaded if the field lists others.
    #[serde(default)]
    pub adds: bool,
    /// Whether its files can be converted one by one.
    #[serde(default)]
    pub convertible: bool,
}

/// A field of a manifest or of settings, or the whole.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ManifestKey {
    /// Its names from the outside, joined by dots: `*` for any name and for items of lists, `#` for items of lists only, and `:value` after an object with a `tag`. Empty for the
    /// whole.
    pub path: String,
    /// The path of the field whose fields it has, too.
    #[serde(default)]
    pub like: Option<String>,
    /// The field of other formats that means the same, if it has another name.
    #[serde(default)]
    pub means: Option<String>,
    /// Where the product has it in manifests of Agent Plugins: the name in `extensions`.
    #[serde(default)]
    pub namespace: Option<String>,
    /// What its value may be; anything if empty.
    #[serde(default)]
    pub is: Vec<JsonType>,
    /// Whether the object around it must have it.
    #[serde(default)]
    pub required: bool,
    /// The only texts.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// Reserved names in an object.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// Texts that only a holder may use.
    #[serde(default)]
    pub taken: Vec<Taken>,
    /// Whether the items of a list must differ in it.
    #[serde(default)]
    pub unique: bool,
    /// The form of its text or number.
    #[serde(default)]
    pub form: Option<TextForm>,
    /// The form of the names in an object.
    #[serde(default)]
    pub names: Option<TextForm>,
    /// The name whose value decides which other names an object may have.
    #[serde(default)]
    pub tag: Option<String>,
    /// The kind of an object without that name.
    #[serde(default)]
    pub untagged: Option<String>,
    /// The name of a boolean: with it, something wrong in the object costs no more than this server.
    #[serde(default)]
    pub switch: Option<String>,
    /// A field, and the kind that is meant by an object with it, but without the tag: conversions write the tag.
    #[serde(default)]
    pub meant: Option<[String; 2]>,
    /// Names that tell the kind of an object: the first that it has.
    #[serde(default)]
    pub told_by: Vec<String>,
    /// Whether it must have one of these.
    #[serde(default)]
    pub needs_kind: bool,
    /// The kind of the object around it that may have it; none if empty.
    #[serde(default)]
    pub only: Option<String>,
    /// What follows from a wrong value.
    #[serde(default)]
    pub wrong: Consequence,
    /// The same of a text that has the right type, but not the form, if it is not the same.
    #[serde(default)]
    pub malformed: Consequence,
    /// What follows from an unknown name in an object, if anything.
    #[serde(default)]
    pub unknown: Option<Consequence>,
    /// Whether unknown names are fine that do not look like a known one.
    #[serde(default)]
    pub open: bool,
    /// What to do about it.
    #[serde(default)]
    pub help: Option<String>,
}

/// Texts that only a holder may use.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Taken {
    /// The texts, in lowercase.
    pub texts: Vec<String>,
    /// Whether they are taken in any case.
    #[serde(default)]
    pub any_case: bool,
    /// Who may use them: a part of the name or the email of the manifest's `owner`, in lowercase. Without it, no one may.
    #[serde(default)]
    pub by: Option<String>,
    /// What the client does about others.
    pub effect: String,
}

/// A type of JSON.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum JsonType {
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// `null`.
    Null,
    /// A number.
    Number,
    /// An object.
    Object,
    /// A string.
    String,
}

/// What follows from a problem of a manifest.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// That of the value around it, and at the outside that of the format.
    #[default]
    Inherited,
    /// The field is ignored.
    Ignored,
    /// None, although the documentation has another form.
    Tolerated,
    /// This plugin of a marketplace cannot be installed.
    SkippedPlugin,
    /// This hook never runs.
    SkippedHook,
    /// This MCP server is skipped.
    SkippedServer,
    /// This permission rule is skipped.
    SkippedRule,
    /// None of the files that the field is about is loaded.
    Unloaded,
}

impl Consequence {
    /// This one, or that of the value around it.
    pub fn or(self, outer: Self) -> Self {
        match self {
            Self::Inherited => outer,
            own => own,
        }
    }
}

/// The form of a text or a number in a manifest.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum TextForm {
    /// The address of an MCP server: encrypted, or of this machine.
    Address,
    /// One name of a program, or a path in the plugin.
    Command,
    /// The name of an HTTP header, once in any case.
    HeaderName,
    /// The value of an HTTP header.
    HeaderValue,
    /// A permission rule of Claude Code that allows something.
    AllowRule,
    /// Another permission rule of Claude Code.
    PermissionRule,
    /// The name of a plugin, also with `@` and its marketplace, and with `@^` and a version.
    Dependency,
    /// Letters, digits, hyphens and periods in lowercase.
    DottedName,
    /// Not empty.
    Filled,
    /// A path in the plugin, also without `./`.
    InnerPath,
    /// Letters, digits, hyphens and periods, up to 64.
    LetteredName,
    /// A path that begins with `./`. Those that lead out of the plugin are reported elsewhere.
    ListedPath,
    /// The same, or the plugin's own folder.
    ListedFolder,
    /// The same as `ListedPath`, of a file that ends with `.json`.
    ListedJson,
    /// The same, or a bundle, also its address.
    ListedServers,
    /// The same, of a file that ends with `.md`.
    ListedMarkdown,
    /// The name of a marketplace of Codex.
    CodexMarketplaceName,
    /// The name of a plugin of Codex. A blank one counts as none.
    CodexPluginName,
    /// The name of a marketplace of Claude Code.
    MarketplaceName,
    /// More than spaces.
    NotBlank,
    /// The name of a plugin of Claude Code.
    ClaudePluginName,
    /// Letters, digits, hyphens, periods and underscores after a letter or digit.
    PluginName,
    /// A path in the plugin that begins with `./`, and is not the plugin itself.
    PluginPath,
    /// The same, or the folder itself.
    RootPath,
    /// Letters, digits, hyphens and periods in lowercase, up to 64, without two hyphens or periods in a row.
    PortableName,
    /// A whole number that is not negative.
    Count,
    /// A whole number above zero.
    Positive,
    /// The number one.
    One,
    /// A finite number that is not negative.
    Duration,
    /// `#RRGGBB`, or a color of the theme.
    ThemeColor,
    /// The folder of a plugin in a marketplace, below its `metadata.pluginRoot` if there is one, or an address.
    SourcePath,
    /// The same, but always below that root, and never an address.
    JoinedPath,
    /// The address of a mailbox, or nothing.
    Email,
    /// `owner/repo`.
    Repository,
    /// A commit: 40 hexadecimal digits.
    Sha,
    /// An address that begins with a scheme.
    Url,
    /// A directory in the plugin or in its data.
    WorkingDirectory,
}
