//! Follows the sources of agents, and reports changes.
//!
//! File-system events only trigger a refresh of the catalogs, which finds the changes. So a duplicate or unrelated event only costs a
//! refresh.

mod events;
mod follow;
mod ground;
mod interrupt;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

pub use self::follow::News;
pub use self::ground::Ground;

use self::events::{Events, Signal};
use self::follow::Followed;
use crate::{Callsheet, Result};

/// The delay of another refresh after a new directory: files created in it before it was watched cause no event.
const SETTLING: Duration = Duration::from_millis(250);

/// The quiet time that ends a burst: enough for an editor that writes, renames and removes.
const BURST: Duration = Duration::from_millis(16);

/// The longest burst: continuous writing is refreshed anyway.
const BURST_SIGNALS: usize = 1_000;

/// Follows catalogs until it is stopped.
pub struct Watch {
    /// The given dialects; if empty, those in use, including new ones.
    chosen: Option<Vec<String>>,
    followed: Vec<Followed>,
    events: Events,
    sender: Sender<Signal>,
    signals: Receiver<Signal>,
    /// Whether another refresh is due.
    unsettled: bool,
    /// Watched in addition to the places of agents.
    others: Vec<Ground>,
}

/// Ends a [`Watch`], from any thread.
#[derive(Clone)]
pub struct Stopper(Sender<Signal>);

impl Stopper {
    /// Lets [`Watch::wait`] return at once.
    pub fn stop(&self) {
        // The watch may have ended already.
        let _ = self.0.send(Signal::Stop);
    }
}

impl Watch {
    /// Opens the catalogs of these dialects, or those of every dialect in use, now or later.
    ///
    /// Fails with [`Error::Watch`](crate::Error::Watch) if the system cannot report changes.
    pub fn start(callsheet: &mut Callsheet, dialects: Option<Vec<String>>) -> Result<Self> {
        let (sender, signals) = channel();
        let mut watch = Self {
            events: Events::none(),
            chosen: dialects,
            followed: Vec::new(),
            sender,
            signals,
            unsettled: false,
            others: Vec::new(),
        };
        // Changes between listening and reading are read. Later ones cause events.
        watch.listen(callsheet)?;
        watch.open_new(callsheet)?;
        watch.listen(callsheet)?;
        Ok(watch)
    }

    /// The dialects that are followed.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        self.followed.iter().map(Followed::dialect)
    }

    /// The number of active agents in each dialect.
    pub fn agents(&mut self) -> Result<Vec<(String, usize)>> {
        let count = |followed: &mut Followed| Ok((followed.dialect().to_owned(), followed.agents()?));
        self.followed.iter_mut().map(count).collect()
    }

    /// A handle that ends this watch.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Ends this watch when the user interrupts the program or the system asks it to end.
    pub fn stop_on_interrupt(&self) -> Result<()> {
        let stopper = self.stopper();
        interrupt::on_interrupt(move || stopper.stop())
    }

    /// Waits for changes, and returns them; none once it is stopped.
    pub fn wait(&mut self, callsheet: &mut Callsheet) -> Result<Option<Vec<News>>> {
        loop {
            let Some(structural) = self.next_signal()? else {
                return Ok(None);
            };
            let mut news = Vec::new();
            if structural {
                self.listen(callsheet)?;
                news.extend(self.open_new(callsheet)?);
            }
            for followed in &mut self.followed {
                news.extend(followed.refresh()?);
            }
            // A manifest may name other places.
            if news.iter().any(News::is_of_plugins) {
                self.listen(callsheet)?;
            }
            if !news.is_empty() {
                return Ok(Some(news));
            }
        }
    }

    /// Also watches other places. `true` if they are new: earlier changes in them were not noticed.
    pub fn listen_to(&mut self, callsheet: &mut Callsheet, others: Vec<Ground>) -> Result<bool> {
        let are_new = self.others != others;
        if are_new {
            self.others = others;
            self.listen(callsheet)?;
        }
        Ok(are_new)
    }

    /// Waits until a file changes in any of the places; `false` once stopped.
    pub fn wait_for_change(&mut self, callsheet: &mut Callsheet) -> Result<bool> {
        let Some(structural) = self.next_signal()? else {
            return Ok(false);
        };
        if structural {
            self.listen(callsheet)?;
        }
        Ok(true)
    }

    /// Waits for the next burst, and returns whether places appeared or vanished; none at the end.
    fn next_signal(&mut self) -> Result<Option<bool>> {
        let first = if self.unsettled {
            self.signals.recv_timeout(SETTLING)
        } else {
            self.signals.recv().map_err(RecvTimeoutError::from)
        };
        let first = match first {
            Err(RecvTimeoutError::Timeout) => {
                self.unsettled = false;
                return Ok(Some(true));
            }
            // This watch holds a sender itself.
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Ok(signal) => signal,
        };
        let mut structural = false;
        let quiet = || self.signals.recv_timeout(BURST).ok();
        let burst = std::iter::once(first).chain(std::iter::from_fn(quiet));
        for signal in burst.take(BURST_SIGNALS) {
            match signal {
                Signal::Changed { structural: more } => structural |= more,
                Signal::Failed(error) => return Err(error),
                Signal::Stop => return Ok(None),
            }
        }
        self.unsettled |= structural;
        Ok(Some(structural))
    }

    /// Listens to the current places. The old listener is only closed when the new one is open.
    fn listen(&mut self, callsheet: &mut Callsheet) -> Result<()> {
        let mut grounds = Vec::new();
        for dialect in self.lookouts(callsheet)? {
            grounds.extend(callsheet.grounds(&dialect)?);
        }
        for followed in &mut self.followed {
            grounds.extend(followed.linked()?);
            grounds.extend(followed.of_plugins(callsheet)?);
        }
        grounds.extend(self.others.iter().cloned());
        self.events = Events::listen(&grounds, self.sender.clone())?;
        Ok(())
    }

    fn lookouts(&self, callsheet: &mut Callsheet) -> Result<Vec<String>> {
        match &self.chosen {
            Some(chosen) => Ok(chosen.clone()),
            None => Ok(callsheet.dialects()?.into_iter().map(|one| one.id).collect()),
        }
    }

    /// Follows new dialects. Their agents are reported as new.
    fn open_new(&mut self, callsheet: &mut Callsheet) -> Result<Vec<News>> {
        let wanted = match &self.chosen {
            Some(chosen) => chosen.clone(),
            None => callsheet.dialects_in_use()?,
        };
        let mut news = Vec::new();
        for dialect in wanted {
            if self.dialects().all(|known| known != dialect) {
                let mut followed = Followed::open(callsheet, &dialect)?;
                news.extend(followed.introduce()?);
                self.followed.push(followed);
            }
        }
        Ok(news)
    }
}
