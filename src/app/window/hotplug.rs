//! Tells winit of displays that come and go on X11, and of a new scale.
//!
//! winit 0.30 asks for these events through XCB and reads events through Xlib, which drops what belongs to an
//! extension that it hasn't loaded itself, so its list of displays is the first one for ever (winit issue 3405). It
//! does look anew when a property named RESOURCE_MANAGER changes on a window of its own. So this listens on a
//! connection of its own and writes that property.

use std::thread;

use winit::raw_window_handle::{HasWindowHandle, RawWindowHandle};
use winit::window::Window;
use x11rb::connection::Connection;
use x11rb::errors::{ConnectError, ConnectionError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::randr::{ConnectionExt as _, NotifyMask};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, PropMode,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Why changes of displays are not seen.
#[derive(Debug, thiserror::Error)]
pub(super) enum HotplugError {
    /// No second connection to the X server.
    #[error("can't connect to the X server: {0}")]
    Connect(#[from] ConnectError),
    /// The connection broke.
    #[error("the X server is gone: {0}")]
    Connection(#[from] ConnectionError),
    /// The server refused to tell.
    #[error("the X server tells nothing of displays: {0}")]
    Refused(#[from] ReplyOrIdError),
    /// The thread did not start.
    #[error("can't start listening: {0}")]
    Thread(#[from] std::io::Error),
}

/// Keeps winit's knowledge of displays and scale up to date for as long as `window` is there. On Wayland winit
/// needs no help.
pub(super) fn watch(window: &Window) -> Result<(), HotplugError> {
    let Some(window) = x11_id(window) else {
        return Ok(());
    };
    let (server, screen) = RustConnection::connect(None)?;
    let root = server.setup().roots[screen].root;
    server
        .randr_select_input(root, NotifyMask::SCREEN_CHANGE | NotifyMask::CRTC_CHANGE)?
        .check()
        .map_err(ReplyOrIdError::from)?;
    let settings = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    server.change_window_attributes(root, &settings)?;
    server.flush()?;
    thread::Builder::new()
        .name("displays".into())
        .spawn(move || {
            if let Err(error) = pass_on(&server, window) {
                log::debug!("displays that come and go are not seen any more: {error}");
            }
        })?;
    Ok(())
}

fn x11_id(window: &Window) -> Option<u32> {
    match window.window_handle().ok()?.as_raw() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    }
}

/// Until the window or the server is gone.
fn pass_on(server: &RustConnection, window: u32) -> Result<(), ConnectionError> {
    let settings = u32::from(AtomEnum::RESOURCE_MANAGER);
    loop {
        match server.wait_for_event()? {
            Event::RandrScreenChangeNotify(_) | Event::RandrNotify(_) => {}
            Event::PropertyNotify(change) if change.atom == settings => {}
            Event::Error(_) => return Ok(()),
            _ => continue,
        }
        server.change_property8(
            PropMode::REPLACE,
            window,
            AtomEnum::RESOURCE_MANAGER,
            AtomEnum::STRING,
            &[],
        )?;
        server.flush()?;
    }
}
