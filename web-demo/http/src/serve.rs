//! Routes requests, and returns results or problems.

use serde_json::{Value, json};
use wasip2::http::types::{IncomingRequest, Method};

use crate::limits::{BODY_BYTES, SESSION_BODY_BYTES};
use crate::problem::Problem;
use crate::requests::{Check, Convert, Resolve};
use crate::{answers, body, schema, sessions};

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// The handler of a path.
enum Route {
    Get(fn() -> String),
    Post(&'static str, usize, fn(Value) -> Result<Answer, Problem>),
}

pub(crate) fn answer(request: &IncomingRequest) -> Result<Answer, Problem> {
    let path = request.path_with_query().unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    match (route(path)?, request.method()) {
        (Route::Get(answer), Method::Get | Method::Head) => Ok(Answer {
            status: 200,
            body: answer(),
        }),
        (Route::Post(fits, limit, answer), Method::Post) => {
            let mut given = body::read(request, limit)?;
            complete(&mut given, fits);
            schema::hold(&mut given, fits)?;
            answer(given)
        }
        (Route::Get(_), _) => Err(Problem::not_allowed(path, "GET, HEAD")),
        (Route::Post(..), _) => Err(Problem::not_allowed(path, "POST")),
    }
}

fn route(path: &str) -> Result<Route, Problem> {
    Ok(match path {
        "/v1/check" => Route::Post("CheckRequest", BODY_BYTES, |body| {
            well(answers::check(serde::<Check>(body)))
        }),
        "/v1/resolve" => Route::Post("ResolveRequest", BODY_BYTES, |body| {
            well(answers::resolve(serde::<Resolve>(body)))
        }),
        "/v1/convert" => Route::Post("ConvertRequest", BODY_BYTES, |body| {
            well(answers::convert(serde::<Convert>(body)))
        }),
        "/v1/sessions" => Route::Post("SessionRequest", BODY_BYTES, |body| {
            let body = sessions::open(body)?;
            Ok(Answer { status: 201, body })
        }),
        "/v1/sessions/poll" => session("PollRequest", |body| well(sessions::poll(&body))),
        "/v1/sessions/replies" => session("ReplyRequest", |body| well(sessions::reply(&body))),
        "/v1/sessions/cancel" => session("CancelRequest", |body| well(sessions::cancel(&body))),
        "/v1/sessions/events" => session("PollRequest", |body| well(sessions::events(&body))),
        "/v1/rules" => Route::Get(answers::rules),
        "/v1/dialects" => Route::Get(answers::dialects),
        "/healthz" => Route::Get(answers::health),
        "/openapi.json" => Route::Get(answers::description),
        _ => {
            let detail = "not found; see `GET /openapi.json` for the paths";
            return Err(Problem::new(404, "no-such-path", detail));
        }
    })
}

fn session(fits: &'static str, answer: fn(Value) -> Result<Answer, Problem>) -> Route {
    Route::Post(fits, SESSION_BODY_BYTES, answer)
}

fn well(body: Result<String, Problem>) -> Result<Answer, Problem> {
    Ok(Answer {
        status: 200,
        body: body?,
    })
}

/// Each setting has a default, so that settings may be omitted.
fn complete(body: &mut Value, fits: &str) {
    let Some(body) = body.as_object_mut().filter(|_| fits == "SessionRequest") else {
        return;
    };
    let settings = body.entry("settings").or_insert_with(|| json!({}));
    if let Some(settings) = settings.as_object_mut() {
        settings.entry("bounds").or_insert_with(|| json!({}));
    }
}

fn serde<Request: for<'a> serde::Deserialize<'a>>(body: Value) -> Request {
    serde_json::from_value(body).expect("it fits the description, and so does the type")
}
