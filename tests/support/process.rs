//! The running program: what it says, what is typed into it, how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::until;

/// A running `gobo`, whose lines from both streams are collected. Killed, by its own number, when dropped.
pub(crate) struct Show {
    child: Child,
    input: Option<ChildStdin>,
    lines: Arc<Mutex<Vec<String>>>,
    readers: Vec<JoinHandle<()>>,
    typed: usize,
}

impl Show {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = Arc::default();
        let readers = vec![
            collect(child.stdout.take().unwrap(), &lines),
            collect(child.stderr.take().unwrap(), &lines),
        ];
        Self {
            input: child.stdin.take(),
            child,
            lines,
            readers,
            typed: 0,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Everything said until now.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// How many lines hold all of these parts.
    pub(crate) fn count(&self, parts: &[&str]) -> usize {
        self.lines().iter().filter(|l| holds(l, parts)).count()
    }

    /// Waits for a line that holds all of these parts.
    pub(crate) fn wait_for_line(&mut self, parts: &[&str]) -> String {
        self.wait_for_lines(1, parts).remove(0)
    }

    /// Waits until that many lines hold all of these parts.
    pub(crate) fn wait_for_lines(&mut self, count: usize, parts: &[&str]) -> Vec<String> {
        until(&format!("{count} lines with {parts:?}"), || {
            let ended = !self.is_running();
            let lines = self.lines();
            let found: Vec<String> = lines.iter().filter(|l| holds(l, parts)).cloned().collect();
            if found.len() >= count {
                return Ok(found);
            }
            let said = lines.join("\n    ");
            assert!(
                !ended,
                "the program ended before {count} lines with {parts:?}; it said:\n    {said}"
            );
            Err(format!("it said:\n    {said}"))
        })
    }

    /// Waits for a line that holds all of these parts, beyond the first so many.
    pub(crate) fn wait_for_line_after(&mut self, already: usize, parts: &[&str]) -> String {
        let before = self.lines()[..already]
            .iter()
            .filter(|line| holds(line, parts))
            .count();
        self.wait_for_lines(before + 1, parts).remove(before)
    }

    /// Types a line at the prompt.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.type_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn type_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Waits until what was typed before has been run.
    pub(crate) fn settle(&mut self) {
        self.typed += 1;
        let mark = format!("settled {}", self.typed);
        // Put together by the script, so that an echo of the line isn't taken for its answer.
        self.type_line(&format!("print(\"settled \" .. {})", self.typed));
        self.wait_for_line(&[&mark]);
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn signal(&self, name: &str) {
        super::signal(self.pid(), name);
    }

    pub(crate) fn is_running(&mut self) -> bool {
        if self.child.try_wait().unwrap().is_none() {
            return true;
        }
        // All has been said when the streams are closed.
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        false
    }

    /// Waits until the program ends by itself.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        until("the program to end", || {
            if self.is_running() {
                Err(format!("it said:\n    {}", self.lines().join("\n    ")))
            } else {
                Ok(self.child.wait().unwrap())
            }
        })
    }

    /// Processor time used until now, in clock ticks of the system (100 a second).
    pub(crate) fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        let after_name = stat.rsplit_once(") ").unwrap().1;
        let fields: Vec<&str> = after_name.split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        // It may have ended by itself, which is no fault.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program said that was run to its end.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn code(&self) -> i32 {
        self.status
            .code()
            .unwrap_or_else(|| panic!("ended by {}; it said: {}", self.status, self.said()))
    }

    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs a program to its end without input; one that doesn't end is killed and fails the test.
pub(crate) fn run(mut command: Command) -> Ended {
    command.stdin(Stdio::null());
    run_with_input(command)
}

/// Runs a program to its end with the input that the command names.
pub(crate) fn run_with_input(mut command: Command) -> Ended {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let out = read_all(child.stdout.take().unwrap());
    let err = read_all(child.stderr.take().unwrap());
    let end = std::time::Instant::now() + super::PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if std::time::Instant::now() > end {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        thread::sleep(std::time::Duration::from_millis(10));
    };
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    let status = status.unwrap_or_else(|| panic!("{command:?} did not end; it said: {out}{err}"));
    Ended { status, out, err }
}

fn read_all(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn collect(stream: impl Read + Send + 'static, lines: &Arc<Mutex<Vec<String>>>) -> JoinHandle<()> {
    let lines = Arc::clone(lines);
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            lines.lock().unwrap().push(text);
            line.clear();
        }
    })
}

fn holds(line: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| line.contains(part))
}

pub(crate) fn assert_code(ended: &Ended, code: i32) {
    assert_eq!(ended.code(), code, "it said: {}", ended.said());
}
