//! Signing in to servers with OAuth: one that is not ours, and one that misbehaves.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use callsheet::Tools as _;
use callsheet::mcp::{Client, LookUp, Server, Servers, ServersConfig, SignIns, Transport};
use tokio::sync::mpsc;

fn server(url: String) -> Server {
    Server {
        name: "guarded".into(),
        source: ".mcp.json".into(),
        transport: Transport::Http {
            url,
            headers: BTreeMap::new(),
        },
    }
}

fn variables() -> LookUp {
    Arc::new(|_| None)
}

/// Signs in; `answer` makes the address to which the page leads of the page's.
async fn sign_in(
    home: &Path,
    server: &Server,
    answer: impl FnOnce(&str) -> String + Send + 'static,
) -> Result<(), String> {
    let sign_ins = SignIns::of_user(Some(home)).expect("there is a home");
    // No terminal: nothing is pasted.
    let (_kept, pasted) = mpsc::channel(1);
    let show = |page: &str| {
        let page = page.to_owned();
        thread::spawn(move || get(&answer(&page)));
    };
    sign_ins
        .sign_in(server, &variables(), &Client::default(), show, pasted)
        .await
}

/// The tools of a server, or the messages about it.
async fn tools(home: &Path, server: &Server) -> Result<Vec<String>, String> {
    let said = Arc::<Mutex<String>>::default();
    let to = Arc::clone(&said);
    let say = Arc::new(move |text: &str| to.lock().expect("no thread panics").push_str(text));
    let mut config = ServersConfig::new(vec![server.clone()], ".", say);
    config.sign_ins = SignIns::of_user(Some(home));
    let servers = Servers::connect(config, &|_| true).await;
    let names: Vec<String> = servers.specs().into_iter().map(|spec| spec.name).collect();
    servers.close().await;
    let said = said.lock().expect("no thread panics").clone();
    if said.is_empty() { Ok(names) } else { Err(said) }
}

/// The head of an answer.
fn get(address: &str) -> String {
    let (host, path) = address
        .trim_start_matches("http://")
        .split_once('/')
        .expect("it has a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is text");
    answer
}

/// The value of a parameter, as written.
fn parameter<'a>(address: &'a str, name: &str) -> &'a str {
    let query = address.split_once('?').expect("it has parameters").1;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).expect("it has this one").1
}

fn decoded(text: &str) -> String {
    text.replace("%3A", ":").replace("%2F", "/")
}

/// Where the page leads a user who agrees.
fn agreed(page: &str) -> String {
    let (back, state) = (decoded(parameter(page, "redirect_uri")), parameter(page, "state"));
    format!("{back}?code=c0de&state={state}")
}

const KEPT: &str = ".local/share/callsheet/servers";

#[tokio::test(flavor = "multi_thread")]
async fn the_official_server_can_be_signed_in_to() {
    let Some(place) = super::installed() else { return };
    let free = || TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let (port, other) = (free().expect("a port").port(), free().expect("a port").port());
    let program = "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js";
    let mut child = tokio::process::Command::new("node")
        .arg(place.join(program))
        .args(["--oauth", "--oauth-strict"])
        .env("MCP_PORT", port.to_string())
        .env("MCP_AUTH_PORT", other.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("there is node");
    let mut lines = tokio::io::BufReader::new(child.stdout.take().expect("it is piped"));
    for _ in 0..2 {
        let mut line = String::new();
        let read = tokio::io::AsyncBufReadExt::read_line(&mut lines, &mut line);
        read.await.expect("it listens");
    }
    let home = tempfile::tempdir().expect("a directory");
    let server = server(format!("http://localhost:{port}/mcp"));
    let refused = tools(home.path(), &server).await.expect_err("it wants a token");
    assert!(
        refused.ends_with("it wants you to sign in: `callsheet login guarded`"),
        "{refused}"
    );
    let agreed = |page: &str| {
        let answer = get(page);
        let line = answer.lines().find_map(|line| line.strip_prefix("Location: "));
        line.expect("it leads back").to_owned()
    };
    sign_in(home.path(), &server, agreed)
        .await
        .expect("the user agrees");
    let names = tools(home.path(), &server).await.expect("it has a token");
    assert!(names.contains(&"mcp__guarded__greet".to_owned()), "{names:?}");
    let sign_ins = SignIns::of_user(Some(home.path())).expect("there is a home");
    let Transport::Http { url, .. } = &server.transport else {
        unreachable!()
    };
    assert!(sign_ins.forget(url).expect("it is a file"));
    assert!(!sign_ins.forget(url).expect("it is a file"));
    tools(home.path(), &server).await.expect_err("it wants a token");
}

/// A server whose answers are ours: paths with their statuses and bodies. `$SELF` is its own address.
struct Scripted {
    url: String,
    /// The bodies of the requests for tokens.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    fn start(answers: &[(&'static str, u16, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = format!("http://{}", listener.local_addr().expect("it has one"));
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let (answers, kept, at) = (answers.to_vec(), Arc::clone(&asked), own.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = Self::answer(&stream, &at, &answers, &kept);
            }
        });
        let url = format!("{own}/mcp");
        Self { url, asked }
    }

    fn answer(
        mut stream: &TcpStream,
        own: &str,
        answers: &[(&str, u16, &str)],
        asked: &Mutex<Vec<String>>,
    ) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {
            let line = head.lines().last().unwrap_or_default().to_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body = String::from_utf8_lossy(&body).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default();
        if path == "/token" {
            asked.lock().expect("no thread panics").push(body.clone());
        }
        let (status, text) = if path == "/mcp" {
            let is_known = head.contains("Bearer s3cond");
            mcp(&body).filter(|_| is_known).unwrap_or((401, String::new()))
        } else {
            let refreshing = [
                "/token",
                &"?refresh"[..usize::from(body.contains("grant_type=refresh")) * 8],
            ];
            let path = refreshing.concat().replacen("/token", path, 1);
            let found = answers.iter().find(|(known, ..)| *known == path);
            found.map_or((404, String::new()), |(_, status, text)| {
                (*status, text.replace("$SELF", own))
            })
        };
        let challenge = match status {
            401 => "WWW-Authenticate: Bearer\r\n",
            _ => "",
        };
        write!(
            stream,
            "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\n{challenge}Connection: close\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        )
    }
}

/// The answer to a message of MCP.
fn mcp(body: &str) -> Option<(u16, String)> {
    let message: serde_json::Value = serde_json::from_str(body).ok()?;
    let result = match message["method"].as_str()? {
        "initialize" => serde_json::json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "scripted", "version": "1"},
        }),
        "tools/list" => serde_json::json!({"tools": [{"name": "ring", "inputSchema": {"type": "object"}}]}),
        _ => return Some((202, String::new())),
    };
    let answer = serde_json::json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    Some((200, answer.to_string()))
}

const RESOURCE: (&str, u16, &str) = (
    "/.well-known/oauth-protected-resource/mcp",
    200,
    r#"{"resource": "$SELF/mcp", "authorization_servers": ["$SELF"]}"#,
);
const METADATA: (&str, u16, &str) = (
    "/.well-known/oauth-authorization-server",
    200,
    r#"{"issuer": "$SELF", "authorization_endpoint": "$SELF/authorize", "token_endpoint": "$SELF/token", "registration_endpoint": "$SELF/register", "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}"#,
);
const REGISTERED: (&str, u16, &str) = ("/register", 201, r#"{"client_id": "id", "redirect_uris": []}"#);
const TOKEN: (&str, u16, &str) = (
    "/token",
    200,
    r#"{"access_token": "f1rst", "token_type": "bearer", "expires_in": 1, "refresh_token": "refr3sh"}"#,
);
const REFRESHED: (&str, u16, &str) = (
    "/token?refresh",
    200,
    r#"{"access_token": "s3cond", "token_type": "bearer", "expires_in": 3600, "refresh_token": "n3w"}"#,
);

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_renewed_and_kept_from_others() {
    let scripted = Scripted::start(&[RESOURCE, METADATA, REGISTERED, TOKEN, REFRESHED]);
    let home = tempfile::tempdir().expect("a directory");
    let server = server(scripted.url.clone());
    sign_in(home.path(), &server, agreed)
        .await
        .expect("the user agrees");
    for _ in 0..2 {
        let names = tools(home.path(), &server).await.expect("it has a token");
        assert_eq!(names, ["mcp__guarded__ring"]);
    }
    let asked = scripted.asked.lock().expect("no thread panics");
    let kinds: Vec<&str> = asked
        .iter()
        .map(|body| parameter_of(body, "grant_type"))
        .collect();
    assert_eq!(kinds, ["authorization_code", "refresh_token"]);
    assert!(!parameter_of(&asked[0], "code_verifier").is_empty());
    for file in std::fs::read_dir(home.path().join(KEPT)).expect("it is there") {
        let file = file.expect("a file");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.metadata().expect("it is there").permissions().mode();
            assert_eq!(mode & 0o77, 0, "{:?}", file.path());
        }
        assert_ne!(file.path().extension().expect("it has one"), "new");
    }
}

fn parameter_of<'a>(body: &'a str, name: &str) -> &'a str {
    let mut pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map_or("", |(_, value)| value)
}

/// What goes wrong, the answers instead of the usual ones, where the user ends, and the reason.
type Failing = (
    &'static str,
    &'static [(&'static str, u16, &'static str)],
    fn(&str) -> String,
    &'static str,
);

const FAILING: [Failing; 9] = [
    (
        "no sign-in",
        &[(RESOURCE.0, 404, ""), (METADATA.0, 404, "")],
        agreed,
        "the server offers no sign-in with OAuth; it may want a token in `headers`",
    ),
    (
        "no registration",
        &[("/register", 403, "{}")],
        agreed,
        "if it has an ID for you, add `--client-id ID`",
    ),
    (
        "a denial",
        &[],
        |page| agreed(page).replace("code=c0de", "error=access_denied&error_description=Not+today"),
        "the server refused: access_denied (Not today)",
    ),
    (
        "a page that leads back without a code",
        &[],
        |page| agreed(page).replace("code=c0de&", ""),
        "missing code",
    ),
    (
        "a wrong code",
        &[("/token", 400, r#"{"error": "invalid_grant"}"#)],
        agreed,
        "invalid_grant",
    ),
    (
        "a token that is no JSON",
        &[("/token", 200, "<html>")],
        agreed,
        "token exchange failed",
    ),
    (
        "tokens for another resource",
        &[
            (
                RESOURCE.0,
                200,
                r#"{"resource": "http://other.example/mcp", "authorization_servers": ["$SELF"]}"#,
            ),
            (METADATA.0, 404, ""),
        ],
        agreed,
        "the server offers no sign-in with OAuth",
    ),
    (
        "another issuer",
        &[(
            METADATA.0,
            200,
            r#"{"issuer": "http://other.example", "authorization_endpoint": "$SELF/authorize", "token_endpoint": "$SELF/token"}"#,
        )],
        agreed,
        "other.example",
    ),
    (
        "no proof of the code",
        &[(
            METADATA.0,
            200,
            r#"{"issuer": "$SELF", "authorization_endpoint": "$SELF/authorize", "token_endpoint": "$SELF/token", "registration_endpoint": "$SELF/register", "response_types_supported": ["code"], "code_challenge_methods_supported": ["plain"]}"#,
        )],
        agreed,
        "S256",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_sign_in_says_why_and_keeps_nothing() {
    for (what, instead, answer, reason) in FAILING {
        let usual = [RESOURCE, METADATA, REGISTERED, TOKEN, REFRESHED];
        let scripted = Scripted::start(&[instead, &usual].concat());
        let home = tempfile::tempdir().expect("a directory");
        let failed = sign_in(home.path(), &server(scripted.url.clone()), answer).await;
        let failed = failed.expect_err(what);
        assert!(failed.contains(reason), "{what}: {failed}");
        assert!(
            !failed.contains("c0de") && !failed.contains("f1rst"),
            "{what}: {failed}"
        );
        let kept = std::fs::read_dir(home.path().join(KEPT));
        assert_eq!(kept.map_or(0, Iterator::count), 0, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_requests_to_the_port_do_not_end_a_sign_in() {
    let scripted = Scripted::start(&[RESOURCE, METADATA, REGISTERED, TOKEN, REFRESHED]);
    let home = tempfile::tempdir().expect("a directory");
    let agreed_at_last = |page: &str| {
        let back = decoded(parameter(page, "redirect_uri"));
        for address in [
            format!("{back}?code=evil&state=guessed"),
            format!("{back}?code=evil"),
            back.replace("/callback", "/favicon.ico"),
            agreed(page).replace("/callback", "/"),
        ] {
            assert!(get(&address).starts_with("HTTP/1.1 404"), "{address}");
        }
        agreed(page)
    };
    let signed = sign_in(home.path(), &server(scripted.url.clone()), agreed_at_last).await;
    signed.expect("the user agrees");
    assert!(scripted.asked.lock().expect("no thread panics")[0].contains("code=c0de"));
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_and_broken_tokens_ask_to_sign_in_again() {
    let rejected: (&str, u16, &str) = ("/token?refresh", 400, r#"{"error": "invalid_grant"}"#);
    let scripted = Scripted::start(&[RESOURCE, METADATA, REGISTERED, TOKEN, rejected]);
    let home = tempfile::tempdir().expect("a directory");
    let server = server(scripted.url.clone());
    sign_in(home.path(), &server, agreed)
        .await
        .expect("the user agrees");
    let failed = tools(home.path(), &server).await.expect_err("it has no token");
    assert!(failed.contains("`callsheet login guarded`"), "{failed}");
    assert!(!failed.contains("refr3sh"), "{failed}");
    let mut files = std::fs::read_dir(home.path().join(KEPT)).expect("it is there");
    let is_kept = |file: &std::path::PathBuf| file.extension().is_some_and(|it| it == "json");
    let file = files.find_map(|file| Some(file.ok()?.path()).filter(is_kept));
    std::fs::write(file.expect("it is kept"), "{").expect("a file");
    let failed = tools(home.path(), &server).await.expect_err("it cannot be read");
    assert!(failed.contains("its tokens cannot be used"), "{failed}");
    sign_in(home.path(), &server, agreed)
        .await
        .expect("the user agrees");
}
