//! Pages of the web, from a server of the test.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use serde_json::json;
use tempfile::TempDir;

use super::{LocalTools, Options, dialect, request};
use crate::conversation::ToolAnswer;
use crate::lent::{Caller, Tools as _};

/// What the server answers to a path.
fn answer(path: &str, port: u16) -> Vec<u8> {
    let page = |status: &str, headers: &str, body: &str| {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
            .into_bytes()
    };
    let html = "content-type: text/html; charset=utf-8\r\n";
    match path {
        "/page" => page("200 OK", html, "<h1>Title</h1><p>See <a href=/next>more</a>.</p>"),
        "/plain" => page(
            "200 OK",
            "content-type: application/problem+json\r\n",
            "{\"a\": \"<b>\"}",
        ),
        "/image" => page("200 OK", "content-type: image/png\r\n", "PNG"),
        "/missing" => page("404 Not Found", html, "<p>Gone"),
        "/large" => page("200 OK", "content-type: text/plain\r\n", &"a".repeat(6 << 20)),
        "/moved" => page("302 Found", "location: page\r\n", ""),
        "/away" => page("301 Moved", "location: https://example.org/elsewhere\r\n", ""),
        "/port" => page(
            "301 Moved",
            &format!("location: http://127.0.0.1:{}/\r\n", port - 1),
            "",
        ),
        "/file" => page("302 Found", "location: file:///etc/passwd\r\n", ""),
        "/loop" => page("302 Found", "location: /loop\r\n", ""),
        _ => b"not HTTP\r\n\r\n".to_vec(),
    }
}

/// A server on a port of this machine.
fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
            let lines: Vec<String> = lines.collect();
            let path = lines.first().and_then(|line| line.split(' ').nth(1));
            // The client may have enough of it.
            let _ = stream.write_all(&answer(path.unwrap_or_default(), port));
        }
    });
    port
}

fn fetch(url: &str, private: &[&str]) -> ToolAnswer {
    let project = TempDir::new().unwrap();
    let options = Options {
        private_hosts: private.iter().map(|host| (*host).to_owned()).collect(),
        ..Options::default()
    };
    let tools = LocalTools::new(project.path(), &dialect(), options).unwrap();
    futures_executor::block_on(tools.call(&request("WebFetch", json!({"url": url})), &Caller::default()))
        .unwrap()
}

#[test]
fn pages_are_fetched_as_text() {
    let port = serve();
    let at = |path: &str| format!("http://127.0.0.1:{port}{path}");
    let large = format!(
        "{}\n[{} more bytes are not shown]\n[only the first 5 MB were read]",
        "a".repeat(50_000),
        (5 << 20) - 50_000
    );
    for (path, is_error, expected) in [
        ("/page", false, format!("# Title\n\nSee [more]({}).", at("/next"))),
        (
            "/moved",
            false,
            format!("# Title\n\nSee [more]({}).", at("/next")),
        ),
        ("/plain", false, "{\"a\": \"<b>\"}".to_owned()),
        ("/large", false, large),
        (
            "/image",
            true,
            format!("`{}` is not text, but image/png", at("/image")),
        ),
        (
            "/missing",
            true,
            format!("`{}` answers 404 Not Found:\nGone", at("/missing")),
        ),
        (
            "/away",
            false,
            format!(
                "`{}` redirects to another host: fetch `https://example.org/elsewhere` to follow it",
                at("/away")
            ),
        ),
        (
            "/port",
            false,
            format!(
                "`{}` redirects to another host: fetch `http://127.0.0.1:{}/` to follow it",
                at("/port"),
                port - 1
            ),
        ),
        (
            "/file",
            true,
            format!("`{}` redirects to nothing that can be fetched", at("/file")),
        ),
        (
            "/loop",
            true,
            format!("`{}` redirects more than 5 times", at("/loop")),
        ),
    ] {
        let answer = fetch(&at(path), &["127.0.0.1"]);
        assert_eq!((answer.text, answer.is_error), (expected, is_error), "{path}");
    }
    let broken = fetch(&at("/broken"), &["127.0.0.1"]);
    assert!(
        broken.is_error && broken.text.contains("cannot be fetched: "),
        "{}",
        broken.text
    );
}

#[test]
fn private_addresses_are_refused() {
    let port = serve();
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "0.0.0.0",
    ] {
        for private in [&[][..], &["127.0.0.1:1"], &["example.org"]] {
            let answer = fetch(&format!("http://{host}:{port}/page"), private);
            assert!(answer.is_error, "{host} {private:?}: {}", answer.text);
            assert!(
                answer.text.contains("has the private address"),
                "{host}: {}",
                answer.text
            );
        }
    }
    let with_port = format!("localhost:{port}");
    let answer = fetch(&format!("http://{with_port}/page"), &[&with_port]);
    assert!(!answer.is_error, "{}", answer.text);
}

#[test]
fn only_plain_web_addresses_are_fetched() {
    for url in [
        "",
        "example.org",
        "file:///etc/passwd",
        "https:example.org",
        "https:evil.invalid/://example.org",
        "ftp://example.org/",
        "http://",
        "https://me@example.org/",
        "https://me:secret@example.org/",
    ] {
        let answer = fetch(url, &[]);
        assert!(answer.is_error, "{url}: {}", answer.text);
        assert!(answer.text.contains("address"), "{url}: {}", answer.text);
    }
}

#[test]
fn a_list_of_tasks_is_kept_in_the_conversation() {
    let world = super::World::new(&[]);
    let todos = json!({"todos": [
        {"content": "Read\nit", "status": "completed"},
        {"content": "Fix it", "status": "in_progress", "activeForm": "Fixing it"},
        {"content": "Test it"},
        {"content": "Rest", "status": "cancelled"},
    ]});
    assert_eq!(
        world.done("TodoWrite", todos),
        "[x] Read it\n[~] Fix it\n[ ] Test it\n[-] Rest\n[2 of 4 tasks are open]"
    );
    assert_eq!(
        world.done("TodoWrite", json!({"todos": []})),
        "The list is empty\n[0 of 0 tasks are open]"
    );
    for (arguments, reason) in [
        (json!({}), "`todos` is missing"),
        (json!({"todos": "Read"}), "`todos` is missing"),
        (json!({"todos": ["Read"]}), "not an object"),
        (json!({"todos": [{"status": "pending"}]}), "`content` is missing"),
        (
            json!({"todos": [{"content": "a", "status": "half"}]}),
            "the status `half` is none of pending",
        ),
    ] {
        assert!(
            world.refused("TodoWrite", arguments.clone()).contains(reason),
            "{arguments}"
        );
    }
}
