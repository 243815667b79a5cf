//! The meaning of fields, independent of dialects.

use alloc::format;
use alloc::string::String;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Makes the fields and the table of their names.
macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// The meaning of a field, independent of its name in a dialect. Those without a place in a definition are only passed on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Canonical {
            $(
                #[doc = concat!("`", $name, "`")]
                $field,
            )*
        }

        const FIELDS: &[(Canonical, &str)] = &[$((Canonical::$field, $name)),*];
    };
}

fields! {
    AdvancedOptions = "advanced-options",
    Agent = "agent",
    AgentCard = "agent-card",
    AgentCardUrl = "agent-card-url",
    Agents = "agents",
    AllowedCommands = "allowed-commands",
    ApprovalPolicy = "approval-policy",
    ApprovalsReviewer = "approvals-reviewer",
    ArgumentHint = "argument-hint",
    Arguments = "arguments",
    AutoCompactWindow = "auto-compact-window",
    Auth = "auth",
    Background = "background",
    ClaudePermissionMode = "claude-permission-mode",
    Color = "color",
    CompactPrompt = "compact-prompt",
    Compatibility = "compatibility",
    Context = "context",
    ContextKind = "context-kind",
    DeniedTools = "denied-tools",
    Description = "description",
    Disabled = "disabled",
    DisplayName = "display-name",
    Effort = "effort",
    EffortPlanned = "effort-planned",
    Endpoint = "endpoint",
    Executor = "executor",
    Experimental = "experimental",
    Features = "features",
    ForkContext = "fork-context",
    Github = "github",
    Handoffs = "handoffs",
    Hidden = "hidden",
    History = "history",
    Hooks = "hooks",
    IncludeInstructions = "include-instructions",
    Infer = "infer",
    InitialPrompt = "initial-prompt",
    InitialPromptPlanned = "initial-prompt-planned",
    Isolation = "isolation",
    IsolationPlanned = "isolation-planned",
    Kind = "kind",
    License = "license",
    LogDir = "log-dir",
    MaxTokens = "max-tokens",
    MaxTurns = "max-turns",
    McpServers = "mcp-servers",
    Memory = "memory",
    MemoryPlanned = "memory-planned",
    Metadata = "metadata",
    Mode = "mode",
    Model = "model",
    ModelAutoCompactTokenLimit = "model-auto-compact-token-limit",
    ModelConfiguration = "model-configuration",
    ModelContextWindow = "model-context-window",
    ModelInstructionsFile = "model-instructions-file",
    ModelMayNotPick = "model-may-not-pick",
    ModelName = "model-name",
    ModelPolicy = "model-policy",
    ModelProvider = "model-provider",
    ModelProviders = "model-providers",
    ModelReasoningSummary = "model-reasoning-summary",
    ModelSupportsReasoningSummaries = "model-supports-reasoning-summaries",
    ModelVerbosity = "model-verbosity",
    Models = "models",
    Name = "name",
    NicknameCandidates = "nickname-candidates",
    Notify = "notify",
    Observed = "observed",
    ObservedResults = "observed-results",
    Observer = "observer",
    ObserverMessage = "observer-message",
    OmitContextFiles = "omit-context-files",
    Options = "options",
    Paths = "paths",
    PermissionMode = "permission-mode",
    PermissionProfiles = "permission-profiles",
    Permissions = "permissions",
    Personality = "personality",
    Plugins = "plugins",
    Priority = "priority",
    Profile = "profile",
    Profiles = "profiles",
    ProjectDocMaxBytes = "project-doc-max-bytes",
    Projects = "projects",
    Prompt = "prompt",
    Provider = "provider",
    ReadOnly = "read-only",
    Request = "request",
    RequiredMcpServers = "required-mcp-servers",
    ReviewModel = "review-model",
    RunConfiguration = "run-configuration",
    SandboxWorkspaceWrite = "sandbox-workspace-write",
    ServiceTier = "service-tier",
    Shell = "shell",
    ShellEnvironmentPolicy = "shell-environment-policy",
    Sidekick = "sidekick",
    Skills = "skills",
    SkillsConfiguration = "skills-configuration",
    SkillsPlanned = "skills-planned",
    SubAgents = "sub-agents",
    Subtask = "subtask",
    SystemReminder = "system-reminder",
    Target = "target",
    Temperature = "temperature",
    ThinkingBudget = "thinking-budget",
    TimeoutMinutes = "timeout-minutes",
    ToolConfiguration = "tool-configuration",
    ToolOutputTokenLimit = "tool-output-token-limit",
    Tools = "tools",
    TopP = "top-p",
    Tui = "tui",
    UserMayPick = "user-may-pick",
    Variant = "variant",
    WebSearch = "web-search",
    WhenToUse = "when-to-use",
    Windows = "windows",
}

impl Canonical {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        let field = FIELDS.iter().find(|(_, known)| *known == name);
        field.map(|(field, _)| *field)
    }

    /// Its name, as dialect files and the contract have it.
    pub fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }
}

// Data files have names; compiled data has numbers.
impl Serialize for Canonical {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.name())
        } else {
            serializer.serialize_u8(*self as u8)
        }
    }
}

impl<'de> Deserialize<'de> for Canonical {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let name = String::deserialize(deserializer)?;
            let unknown = || D::Error::custom(format!("unknown field `{name}`"));
            return Self::named(&name).ok_or_else(unknown);
        }
        let field = FIELDS.get(usize::from(u8::deserialize(deserializer)?));
        field
            .map(|(field, _)| *field)
            .ok_or_else(|| D::Error::custom("unknown field"))
    }
}
