//! The worker's HTTP interface for `wasi:http` runtimes.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "generated bindings")]

mod answers;
mod body;
mod limits;
mod problem;
mod requests;
mod schema;
mod serve;
mod sessions;

mod bindings {
    wit_bindgen::generate!({
        inline: "
            package callsheet:http-front;
            world lends {
                import callsheet:http/store@0.1.0;
            }
        ",
        path: "wit",
        world: "callsheet:http-front/lends",
        generate_all,
    });
}

use std::io::Write as _;

use wasip2::exports::http::incoming_handler::Guest;
use wasip2::http::types::{
    Fields, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam,
};

use self::serve::Answer;

struct Front;

wasip2::http::proxy::export!(Front);

impl Guest for Front {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        let told = serve::answer(&request);
        body::drain(&request);
        let body_is_wanted = !matches!(request.method(), Method::Head);
        let (status, kind, allow, body) = match told {
            Ok(Answer { status, body }) => (status, "application/json", None, body),
            Err(problem) => {
                let body = serde_json::to_string(&problem).expect("a problem is JSON");
                let allow = problem.allow;
                (
                    problem.status,
                    "application/problem+json",
                    allow,
                    body::compact(&body),
                )
            }
        };
        let headers = headers(kind, allow);
        let body = if body_is_wanted { body.as_bytes() } else { &[] };
        respond(out, status, headers, body);
    }
}

fn headers(kind: &str, allow: Option<&str>) -> Fields {
    let headers = Fields::new();
    let all = [
        ("content-type", Some(kind)),
        ("cache-control", Some("no-store")),
        ("x-content-type-options", Some("nosniff")),
        ("allow", allow),
    ];
    for (name, value) in all {
        let Some(value) = value else { continue };
        headers
            .append(name, value.as_bytes())
            .expect("our headers are well-formed, and none is reserved by the runtime");
    }
    headers
}

fn respond(out: ResponseOutparam, status: u16, headers: Fields, text: &[u8]) {
    let response = OutgoingResponse::new(headers);
    response
        .set_status_code(status)
        .expect("our statuses are statuses");
    let body = response.body().expect("it is taken once");
    ResponseOutparam::set(out, Ok(response));
    let mut stream = body.write().expect("it is taken once");
    // The client has disconnected.
    let _ = stream.write_all(text);
    let _ = stream.blocking_flush();
    drop(stream);
    let _ = OutgoingBody::finish(body, None);
}
