//! A driver: a process that runs the component in another runtime and answers calls, one line of JSON each.
//!
//! `docs/parity.md` explains how to write one.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{env, fmt};

use serde_json::{Value, json};

use super::values::Crossing;
use crate::backend::Backend;

/// A driver that all cases use, one at a time.
pub type Shared = Arc<Mutex<Driver>>;

/// A process that answers.
pub struct Driver {
    process: Child,
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
    asked: u64,
    /// The files that were passed last.
    lent: Value,
}

/// The component's answer: a value, or an error of its contract.
pub type Answered<T, E> = Result<T, E>;

/// The driver of a runtime, if installed: an executable of its name in the folder that `CALLSHEET_DRIVERS` names.
pub fn program(backend: Backend) -> Option<PathBuf> {
    let folder = env::var_os("CALLSHEET_DRIVERS")?;
    let program = Path::new(&folder).join(backend.to_string());
    program.is_file().then_some(program)
}

/// The driver of a runtime. It starts on first use and ends with the tests.
pub fn shared(backend: Backend) -> io::Result<Shared> {
    static STARTED: OnceLock<Mutex<BTreeMap<String, Shared>>> = OnceLock::new();
    let started = STARTED.get_or_init(Mutex::default);
    let mut started = started.lock().unwrap_or_else(PoisonError::into_inner);
    let name = backend.to_string();
    if let Some(driver) = started.get(&name) {
        return Ok(Arc::clone(driver));
    }
    let program = program(backend).ok_or(io::ErrorKind::NotFound)?;
    let driver = Arc::new(Mutex::new(Driver::start(&program)?));
    started.insert(name, Arc::clone(&driver));
    Ok(driver)
}

/// A panic means that an answer did not fit; the next call is not affected.
pub fn lock(driver: &Shared) -> std::sync::MutexGuard<'_, Driver> {
    driver.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Driver {
    fn start(program: &Path) -> io::Result<Self> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let calls = process.stdin.take().expect("it is piped");
        let answers = process.stdout.take().expect("it is piped");
        Ok(Self {
            process,
            calls,
            answers: BufReader::new(answers),
            asked: 0,
            lent: Value::Null,
        })
    }

    /// Passes the component these files instead of the earlier ones.
    pub fn lend(&mut self, files: Value) {
        if self.lent != files {
            let call = json!({ "call": "files", "arguments": [files] });
            self.exchange::<(), ()>(call).expect("files are always taken");
            self.lent = files;
        }
    }

    /// Calls a function of the contract, or a static function of a resource: `documents.parse`.
    pub fn call<T: Crossing, E: Crossing>(&mut self, name: &str, arguments: Vec<Value>) -> Answered<T, E> {
        self.exchange(json!({ "call": name, "arguments": arguments }))
    }

    /// Calls a method of a resource.
    pub fn call_on<T: Crossing, E: Crossing>(
        &mut self,
        resource: Resource,
        name: &str,
        arguments: Vec<Value>,
    ) -> Answered<T, E> {
        self.exchange(json!({ "on": resource.0, "call": name, "arguments": arguments }))
    }

    /// Drops a resource.
    pub fn drop_resource(&mut self, resource: Resource) {
        self.exchange::<(), ()>(json!({ "drop": resource.0 }))
            .expect("it cannot fail");
    }

    /// No case expects a trap, or an answer that does not fit.
    fn exchange<T: Crossing, E: Crossing>(&mut self, mut call: Value) -> Answered<T, E> {
        self.asked += 1;
        call["id"] = json!(self.asked);
        let answer = self
            .line(&call)
            .unwrap_or_else(|error| panic!("the driver has ended: {error}"));
        assert_eq!(answer["id"], call["id"], "{call}\n{answer}");
        let fits =
            |fits: Result<T, String>| fits.unwrap_or_else(|misfit| panic!("{misfit}\n{call}\n{answer}"));
        match (answer.get("value"), answer.get("error")) {
            (Some(value), None) => Ok(fits(T::from_value(value.clone()))),
            (None, Some(error)) => {
                Err(E::from_value(error.clone()).unwrap_or_else(|misfit| panic!("{misfit}")))
            }
            _ => panic!("{call}\n{answer}"),
        }
    }

    fn line(&mut self, call: &Value) -> io::Result<Value> {
        self.calls.write_all((call.to_string() + "\n").as_bytes())?;
        self.calls.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        serde_json::from_str(&line).map_err(|error| io::Error::other(format!("{error}: {line}")))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
    }
}

/// A resource in a driver.
#[derive(Clone, Copy, Debug)]
pub struct Resource(u64);

/// A resource that is dropped with this.
pub struct Held {
    pub(super) driver: Shared,
    pub(super) resource: Resource,
}

impl Held {
    /// Calls a method of it.
    pub fn call<T: Crossing, E: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Answered<T, E> {
        lock(&self.driver).call_on(self.resource, name, arguments)
    }

    /// The same with these files, and no call of another case in between.
    pub fn call_with<T: Crossing, E: Crossing>(
        &self,
        files: Value,
        name: &str,
        arguments: Vec<Value>,
    ) -> Answered<T, E> {
        let mut driver = lock(&self.driver);
        driver.lend(files);
        driver.call_on(self.resource, name, arguments)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // A trap has dropped it already.
        if !std::thread::panicking() {
            lock(&self.driver).drop_resource(self.resource);
        }
    }
}

impl Crossing for Resource {
    fn from_value(value: Value) -> Result<Self, String> {
        let number = value["resource"].as_u64();
        number.map(Self).ok_or_else(|| format!("no resource: {value}"))
    }

    fn to_value(&self) -> Value {
        json!({ "resource": self.0 })
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "driver {}", self.process.id())
    }
}
