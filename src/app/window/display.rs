//! Which display a full window belongs on, when displays come and go.

/// What a window should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing.
    Stay,
    /// Become a window again: its display is gone, or was and the window is on another now.
    Leave,
    /// Fill the display of that name: it is back.
    Return(String),
}

/// Decides from the display that the window should fill (`None` when it should be a window), whether it is full,
/// whether it was moved to another one meanwhile, and the displays that there are. A list without names says nothing.
pub(super) fn decide(
    wanted: Option<&str>,
    is_full: bool,
    is_astray: bool,
    displays: &[String],
) -> Action {
    let Some(wanted) = wanted.filter(|_| !displays.is_empty()) else {
        return Action::Stay;
    };
    match (is_full, displays.iter().any(|name| name == wanted)) {
        (true, false) => Action::Leave,
        (true, true) if is_astray => Action::Leave,
        (false, true) => Action::Return(wanted.to_owned()),
        _ => Action::Stay,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projector_that_comes_back_is_filled_again() {
        let both = ["laptop".to_owned(), "projector".to_owned()];
        let one = ["laptop".to_owned()];
        let decide = |is_full, displays| decide(Some("projector"), is_full, false, displays);
        assert_eq!(decide(true, &both), Action::Stay);
        assert_eq!(decide(true, &one), Action::Leave);
        assert_eq!(decide(false, &one), Action::Stay);
        assert_eq!(decide(false, &both), Action::Return("projector".into()));
    }

    #[test]
    fn a_projector_that_was_gone_for_a_moment_is_filled_again() {
        let both = ["laptop".to_owned(), "projector".to_owned()];
        assert_eq!(decide(Some("projector"), true, true, &both), Action::Leave);
        assert_eq!(
            decide(Some("projector"), false, true, &both),
            Action::Return("projector".into())
        );
    }

    #[test]
    fn a_window_that_was_made_small_by_hand_stays_small() {
        let one = ["projector".to_owned()];
        assert_eq!(decide(None, false, false, &one), Action::Stay);
        assert_eq!(decide(Some("projector"), true, false, &[]), Action::Stay);
    }
}
