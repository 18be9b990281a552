//! The thread that connects to the ports that come and lets go of those that went.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use midir::{Ignore, MidiInput, MidiInputConnection, MidiInputPort};

use super::Shared;
use super::mailbox::Mailbox;
use super::parse::Parser;
use crate::device::listing::is_named;
use crate::device::{DeviceError, DeviceInfo, DeviceKind};

/// A cable that is knocked out and put back is away for longer than this, so the list of ports never hides it.
const RESCAN: Duration = Duration::from_millis(100);

/// Time between two attempts when there is no port at all.
const RETRY: Duration = Duration::from_secs(2);

/// What other programs see of us.
const CLIENT: &str = "gobo";

/// Ports are numbered over all sessions, so that a late message is never taken for one of another port.
static NEXT_PORT: AtomicU32 = AtomicU32::new(0);

/// Listens to the wanted ports until the session closes.
pub(super) fn run(shared: &Shared, wanted: Option<&str>) {
    let mut scanner = None;
    let mut connections = Vec::new();
    while !shared.is_closing() {
        let scan = catch_unwind(AssertUnwindSafe(|| {
            scan(&mut scanner, &mut connections, shared, wanted)
        }));
        let found =
            scan.unwrap_or_else(|_| Err(DeviceError::Other("the MIDI system gave up".into())));
        let pause = match found {
            Ok(()) => RESCAN,
            Err(error) => {
                // The service may have been restarted: the next attempt asks it afresh.
                scanner = None;
                connections.drain(..).for_each(Connection::close);
                shared.report.absent(&error);
                RETRY
            }
        };
        let end = Instant::now() + pause;
        while !shared.is_closing() && Instant::now() < end {
            thread::park_timeout(end.saturating_duration_since(Instant::now()));
        }
    }
    connections.drain(..).for_each(Connection::close);
}

struct Connection {
    id: String,
    name: String,
    mailbox: Arc<Mailbox>,
    input: MidiInputConnection<Parser>,
}

impl Connection {
    fn close(self) {
        self.mailbox.close();
        self.input.close();
    }
}

struct Seen {
    id: String,
    name: String,
    port: MidiInputPort,
}

/// Looks at the list of ports once; an error when nothing can be listened to.
fn scan(
    scanner: &mut Option<MidiInput>,
    connections: &mut Vec<Connection>,
    shared: &Shared,
    wanted: Option<&str>,
) -> Result<(), DeviceError> {
    let input = match scanner {
        Some(input) => input,
        None => scanner.insert(client()?),
    };
    let seen: Vec<Seen> = seen(input)
        .into_iter()
        .filter(|seen| wanted.is_none_or(|wanted| is_named(&seen.name, wanted)))
        .collect();

    let is_there = |connection: &Connection| {
        seen.iter()
            .any(|seen| seen.id == connection.id && seen.name == connection.name)
    };
    let (kept, gone): (Vec<_>, Vec<_>) = connections.drain(..).partition(is_there);
    *connections = kept;
    let mut lost = Vec::new();
    for connection in gone {
        lost.push(connection.name.clone());
        connection.close();
    }

    let mut refused = None;
    for seen in seen {
        if connections
            .iter()
            .all(|connection| connection.id != seen.id)
        {
            match connect(seen, shared) {
                Ok(connection) => connections.push(connection),
                Err(error) => refused = Some(error),
            }
        }
    }

    let lost = (!lost.is_empty()).then(|| DeviceError::Gone(lost.join(", ")));
    let names: Vec<String> = connections
        .iter()
        .map(|connection| connection.name.clone())
        .filter(|name| wanted.is_some() || !is_loopback(name))
        .collect();
    if names.is_empty() {
        let missing = lost.or(refused).unwrap_or_else(|| match wanted {
            Some(wanted) => DeviceError::NoSuchName {
                wanted: wanted.to_owned(),
                nearest: None,
            },
            None => DeviceError::NoDevice,
        });
        if connections.is_empty() {
            return Err(missing);
        }
        shared.report.absent(&missing);
        return Ok(());
    }
    if let Some(lost) = lost {
        shared.report.lost(&lost);
    }
    shared.report.live(names, String::new());
    Ok(())
}

/// ALSA's own port through which programs reach each other: it is listened to, but to a person it is no device.
fn is_loopback(name: &str) -> bool {
    name.starts_with("Midi Through")
}

fn client() -> Result<MidiInput, DeviceError> {
    let mut input = MidiInput::new(CLIENT).map_err(|_| DeviceError::NoService("MIDI"))?;
    input.ignore(Ignore::None);
    Ok(input)
}

fn seen(input: &MidiInput) -> Vec<Seen> {
    input
        .ports()
        .into_iter()
        .map(|port| Seen {
            id: port.id(),
            // A name that isn't Unicode can't be read; the port works all the same.
            name: input
                .port_name(&port)
                .map_or_else(|_| port.id(), |name| short_name(&name).to_owned()),
            port,
        })
        .collect()
}

fn connect(seen: Seen, shared: &Shared) -> Result<Connection, DeviceError> {
    let mailbox = Arc::new(Mailbox::new(NEXT_PORT.fetch_add(1, Ordering::Relaxed)));
    let letters = Arc::clone(&mailbox);
    let connected = client()?.connect(
        &seen.port,
        "in",
        move |_, bytes, parser: &mut Parser| parser.feed(bytes, |message| letters.put(message)),
        Parser::default(),
    );
    match connected {
        Ok(input) => {
            shared.with_boxes(|boxes| boxes.push(Arc::clone(&mailbox)));
            Ok(Connection {
                id: seen.id,
                name: seen.name,
                mailbox,
                input,
            })
        }
        Err(error) => Err(DeviceError::Other(format!("{}: {error}", seen.name))),
    }
}

/// The name that a person knows a port by. ALSA says `Launch Control:Launch Control MIDI 1 24:0`, with numbers that change with every plugging in.
fn short_name(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let without_address = name
        .rsplit_once(' ')
        .filter(|(_, address)| {
            address
                .split_once(':')
                .is_some_and(|(client, port)| is_number(client) && is_number(port))
        })
        .map_or(name, |(name, _)| name);
    match without_address.split_once(':') {
        Some((client, port)) if !client.is_empty() && port.starts_with(client) => port,
        _ => without_address,
    }
}

/// Calls `each` with every MIDI input port.
pub(in crate::device) fn find_all(mut each: impl FnMut(DeviceInfo)) -> Result<(), DeviceError> {
    for seen in seen(&client()?) {
        each(DeviceInfo {
            kind: DeviceKind::MidiInput,
            detail: if is_loopback(&seen.name) {
                "from other programs of this machine".into()
            } else {
                String::new()
            },
            name: seen.name,
            is_default: true,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_port_is_named_as_a_person_knows_it() {
        let table = [
            (
                "Midi Through:Midi Through Port-0 14:0",
                "Midi Through Port-0",
            ),
            (
                "Launch Control:Launch Control MIDI 1 24:0",
                "Launch Control MIDI 1",
            ),
            ("VirMIDI 0-0:Raw 16:0", "VirMIDI 0-0:Raw"),
            ("jackclient:port", "jackclient:port"),
            ("Größe 日本 🎹:in 128:12", "Größe 日本 🎹:in"),
            ("", ""),
            (" 1:2", ""),
            (":x", ":x"),
            ("take 1:x", "take 1:x"),
        ];
        for (name, short) in table {
            assert_eq!(short_name(name), short, "{name}");
        }
    }
}
