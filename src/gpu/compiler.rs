//! The compiler thread.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::shader::Program;
use crate::value::Size;

use super::card::Card;
use super::compile::{Compiled, Role, Trouble, compile};
use super::error::{GpuError, ShaderError};
use super::rehearse::{Rehearsal, Understudy};

/// How many programs may wait for the thread.
pub(super) const QUEUE: usize = 128;
/// The shader front end recurses on nested expressions.
const STACK: usize = 16 * 1024 * 1024;
/// How long one program may take. Some drivers never come back from some programs.
const LIMIT: Duration = Duration::from_secs(30);

/// How long the end of the show waits for the program that is being compiled.
const FAREWELL: Duration = Duration::from_secs(3);

/// A program in a role.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) program: u128,
    pub(super) role: Role,
}

/// What to compile.
pub(super) struct Request {
    pub(super) key: Key,
    pub(super) program: Arc<Program>,
    pub(super) like: Size,
}

/// What came of it.
pub(super) enum Outcome {
    Ready(Compiled),
    Refused(ShaderError),
}

/// What the thread is at, and since when.
#[derive(Default)]
struct Desk {
    work: Option<(Key, Instant)>,
    stop: bool,
}

/// The thread. Dropping this lets the program that it works on finish, and no other.
pub(super) struct Compiler {
    requests: Option<SyncSender<Request>>,
    answers: Receiver<(Key, Outcome)>,
    desk: Arc<Mutex<Desk>>,
    thread: Option<JoinHandle<()>>,
}

/// The name of the thread that compiles. A driver may panic in it, which is caught and told as an error of the shader.
pub const COMPILER: &str = "shader compiler";

impl Compiler {
    pub(super) fn start(card: Card, understudy: Option<Understudy>) -> Result<Self, GpuError> {
        let (requests, inbox) = sync_channel::<Request>(QUEUE);
        let (outbox, answers) = sync_channel(QUEUE);
        let desk = Arc::new(Mutex::new(Desk::default()));
        let own = desk.clone();
        let run = move || {
            let mut rehearsal = understudy.map(Rehearsal::new);
            for Request { key, program, like } in inbox {
                if !begin(&own, &key) {
                    return;
                }
                let Some(outcome) = work(&card, rehearsal.as_mut(), &key, &program, like) else {
                    return;
                };
                lock(&own).work = None;
                if outbox.send((key, outcome)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name(COMPILER.into())
            .stack_size(STACK)
            .spawn(run)?;
        Ok(Self {
            requests: Some(requests),
            answers,
            desk,
            thread: Some(thread),
        })
    }

    /// Puts a program in the queue. False when that is full: ask again.
    pub(super) fn ask(&self, request: Request) -> bool {
        self.requests
            .as_ref()
            .is_some_and(|requests| requests.try_send(request).is_ok())
    }

    /// The next answer, if there is one.
    pub(super) fn answer(&self) -> Option<(Key, Outcome)> {
        self.answers.try_recv().ok()
    }

    /// The next answer, waiting for it up to `limit`.
    pub(super) fn answer_within(&self, limit: Duration) -> Option<(Key, Outcome)> {
        self.answers.recv_timeout(limit).ok()
    }

    /// What the thread works on, and since when.
    pub(super) fn working_on(&self) -> Option<(Key, Instant)> {
        lock(&self.desk).work.clone()
    }

    /// Why the thread gives no more answers, and the program that it is at.
    pub(super) fn stuck(&self) -> Option<(Option<Key>, String)> {
        let (key, since) = self.working_on().unzip();
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            return Some((key, "the shader compiler fails on this program".into()));
        }
        let late = since.is_some_and(|since| since.elapsed() > LIMIT);
        late.then(|| {
            (
                key,
                format!(
                    "the driver compiles this for longer than {} s",
                    LIMIT.as_secs()
                ),
            )
        })
    }

    /// Lets go of the thread without waiting for it.
    pub(super) fn leave(mut self) {
        lock(&self.desk).stop = true;
        self.thread = None;
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        lock(&self.desk).stop = true;
        self.requests = None;
        // Makes room, so that the thread never waits for a reader that is gone.
        while self.answers.try_recv().is_ok() {}
        let deadline = Instant::now() + FAREWELL;
        while self
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn lock(desk: &Mutex<Desk>) -> std::sync::MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes what is worked on; false when the thread is to end.
fn begin(desk: &Mutex<Desk>, key: &Key) -> bool {
    let mut desk = lock(desk);
    if !desk.stop {
        desk.work = Some((key.clone(), Instant::now()));
    }
    !desk.stop
}

/// `None` when the device is gone, which leaves the question to the next one.
fn work(
    card: &Card,
    rehearsal: Option<&mut Rehearsal>,
    key: &Key,
    program: &Program,
    like: Size,
) -> Option<Outcome> {
    if let Some(error) =
        rehearsal.and_then(|rehearsal| rehearsal.run(program, &key.role, like).err())
    {
        return Some(Outcome::Refused(error));
    }
    match compile(card, program, &key.role, like) {
        Ok(compiled) => Some(Outcome::Ready(compiled)),
        Err(Trouble::Refused(error) | Trouble::Stuck(error)) => Some(Outcome::Refused(error)),
        Err(Trouble::Lost) => None,
    }
}
