//! The whole terminal, on the error stream: what was there is shown again at the end.

use std::io::{self, stderr};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Takes the terminal, until [`restore`].
pub(crate) fn enter() -> io::Result<()> {
    restore_in_panics();
    enable_raw_mode()?;
    IS_SHOWN.store(true, Ordering::SeqCst);
    execute!(stderr(), EnterAlternateScreen).inspect_err(|_| restore())
}

/// Whether the terminal is taken.
pub(crate) fn is_shown() -> bool {
    IS_SHOWN.load(Ordering::SeqCst)
}

/// Restores the terminal, if it is taken.
pub(crate) fn restore() {
    if IS_SHOWN.swap(false, Ordering::SeqCst) {
        // Without a terminal, there is nothing to restore.
        let _ = execute!(stderr(), LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// The message of a panic must not disappear with the screen.
fn restore_in_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
    });
}
