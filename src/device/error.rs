//! What can be wrong with a device.

/// Why a device can't be listened to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The system has no such device at all.
    #[error("no input device")]
    NoDevice,
    /// There are devices, but none of the wanted name.
    #[error("no input device named \"{wanted}\"{}", nearest_hint(.nearest))]
    NoSuchName {
        /// The name that was asked for.
        wanted: String,
        /// The name that is most like it.
        nearest: Option<String>,
    },
    /// The system's sound or MIDI service can't be reached.
    #[error("the system's {0} service can't be reached")]
    NoService(&'static str),
    /// Another program holds the device.
    #[error("the input device is in use by another program")]
    Busy,
    /// The system refuses access.
    #[error("access to the input device was refused (is this user in the group `audio`?)")]
    Refused,
    /// The device was opened, but nothing came for this many seconds.
    #[error("the input device sent nothing for {0} s")]
    Silent(u64),
    /// Opening the device takes longer than this many seconds.
    #[error("the input device did not answer within {0} s")]
    NoAnswer(u64),
    /// The device of this name went away while it was listened to.
    #[error("{0} went away")]
    Gone(String),
    /// The device sends samples of a kind that can't be read.
    #[error("the input device sends samples as {0}, which can't be read")]
    Format(String),
    /// Anything else the system says.
    #[error("{0}")]
    Other(String),
}

fn nearest_hint(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map_or_else(String::new, |name| format!("; did you mean \"{name}\""))
}

impl From<cpal::Error> for DeviceError {
    fn from(error: cpal::Error) -> Self {
        use cpal::ErrorKind;
        match error.kind() {
            ErrorKind::DeviceNotAvailable => Self::NoDevice,
            ErrorKind::DeviceBusy => Self::Busy,
            ErrorKind::PermissionDenied => Self::Refused,
            ErrorKind::HostUnavailable => Self::NoService("sound"),
            _ => Self::Other(plain(&error.to_string())),
        }
    }
}

/// The text of another library as part of a sentence of ours: no full stop, no line breaks.
fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_suggests_the_nearest() {
        let error = |nearest: Option<&str>| DeviceError::NoSuchName {
            wanted: "Mikrophon".into(),
            nearest: nearest.map(Into::into),
        };
        assert_eq!(
            error(Some("Mikrofon")).to_string(),
            "no input device named \"Mikrophon\"; did you mean \"Mikrofon\""
        );
        assert_eq!(
            error(None).to_string(),
            "no input device named \"Mikrophon\""
        );
    }

    #[test]
    fn texts_of_other_libraries_lose_their_full_stop_and_line_breaks() {
        assert_eq!(plain("It broke.\n  Badly. "), "It broke. Badly");
    }
}
