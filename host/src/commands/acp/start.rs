//! How a conversation begins.

use std::path::PathBuf;

use agent_client_protocol::Result;
use agent_client_protocol::v1::Responder;
use agent_client_protocol::v1::schema::{
    LoadSessionRequest, LoadSessionResponse, McpServer, NewSessionRequest, NewSessionResponse,
    ResumeSessionRequest, ResumeSessionResponse, SessionId, SessionModeState,
};

/// A request for a conversation.
pub(super) enum Start {
    New(NewSessionRequest, Responder<NewSessionResponse>),
    /// A saved one, which is shown again.
    Load(LoadSessionRequest, Responder<LoadSessionResponse>),
    /// A saved one, which the editor still shows.
    Resume(ResumeSessionRequest, Responder<ResumeSessionResponse>),
}

impl Start {
    /// The ID of a saved one.
    pub(super) fn id(&self) -> Option<SessionId> {
        match self {
            Self::New(..) => None,
            Self::Load(request, _) => Some(request.session_id.clone()),
            Self::Resume(request, _) => Some(request.session_id.clone()),
        }
    }

    /// The project, and the MCP servers that the editor passes.
    pub(super) fn place(&self) -> (PathBuf, Vec<McpServer>) {
        match self {
            Self::New(request, _) => (request.cwd.clone(), request.mcp_servers.clone()),
            Self::Load(request, _) => (request.cwd.clone(), request.mcp_servers.clone()),
            Self::Resume(request, _) => (request.cwd.clone(), request.mcp_servers.clone()),
        }
    }

    pub(super) fn answer(self, id: SessionId, begun: Result<SessionModeState>) -> Result<()> {
        match self {
            Self::New(_, responder) => {
                responder.respond_with_result(begun.map(|modes| NewSessionResponse::new(id).modes(modes)))
            }
            Self::Load(_, responder) => {
                responder.respond_with_result(begun.map(|modes| LoadSessionResponse::new().modes(modes)))
            }
            Self::Resume(_, responder) => {
                responder.respond_with_result(begun.map(|modes| ResumeSessionResponse::new().modes(modes)))
            }
        }
    }
}
