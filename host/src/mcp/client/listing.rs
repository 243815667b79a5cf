//! The list of a server's tools, within limits.

use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::{Peer, RoleClient};

/// The most tools of a server, and the most pages of its list: a list may have no end. Models accept a few hundred tools.
const MOST: usize = 1000;

/// The most bytes of all definitions, which are a part of each request to a model.
const LONGEST: usize = 4 << 20;

/// Fails with the problem, for display.
pub(super) async fn tools_of(server: &Peer<RoleClient>) -> Result<Vec<Tool>, String> {
    let (mut tools, mut bytes, mut cursor) = (Vec::new(), 0, None);
    for _ in 0..MOST {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let page = server.list_tools(Some(params)).await;
        let page = page.map_err(|error| error.to_string())?;
        bytes += page.tools.iter().map(length).sum::<usize>();
        tools.extend(page.tools);
        if tools.len() > MOST {
            return Err(format!("it has more than {MOST} tools"));
        }
        if bytes > LONGEST {
            return Err(format!("its tools are defined by more than {} MB", LONGEST >> 20));
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(format!("its list of tools has more than {MOST} pages"))
}

fn length(tool: &Tool) -> usize {
    serde_json::to_string(tool).map_or(0, |text| text.len())
}
