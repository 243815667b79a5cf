//! Follows the places where agents come from, and says what becomes different.
//!
//! File-system events only say that something happened: what it means, a refresh of the catalogs says. So an event that
//! comes twice, or for a file of somebody else, costs a look and no more.

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

/// How long after a new directory another look is taken: what was made in it before it was watched sends no event.
const SETTLING: Duration = Duration::from_millis(250);

/// A burst is over when so long nothing happens: enough for an editor that writes, renames and removes, and seemingly at once.
const BURST: Duration = Duration::from_millis(16);

/// Whoever writes without end is looked at all the same.
const BURST_SIGNALS: usize = 1_000;

/// Follows catalogs until it is stopped.
pub struct Watch {
    /// The dialects that were asked for; none: those in use, which may become more.
    chosen: Option<Vec<String>>,
    followed: Vec<Followed>,
    events: Events,
    sender: Sender<Signal>,
    signals: Receiver<Signal>,
    /// Whether another look is due.
    unsettled: bool,
    /// What is listened to besides the places where agents come from.
    others: Vec<Ground>,
}

/// Ends a [`Watch`], from whatever thread.
#[derive(Clone)]
pub struct Stopper(Sender<Signal>);

impl Stopper {
    /// Lets [`Watch::wait`] return at once.
    pub fn stop(&self) {
        // One that is gone has ended already.
        let _ = self.0.send(Signal::Stop);
    }
}

impl Watch {
    /// Opens the catalogs of these dialects, else those of every dialect in use, now or later.
    ///
    /// Fails with [`Error::Watch`](crate::Error::Watch) if the system does not tell of changes.
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
        // What changes between listening and reading is read. What changes later is heard.
        watch.listen(callsheet)?;
        watch.open_new(callsheet)?;
        watch.listen(callsheet)?;
        Ok(watch)
    }

    /// The dialects that are followed.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        self.followed.iter().map(Followed::dialect)
    }

    /// How many agents are in force in each dialect.
    pub fn agents(&mut self) -> Result<Vec<(String, usize)>> {
        let count = |followed: &mut Followed| Ok((followed.dialect().to_owned(), followed.agents()?));
        self.followed.iter_mut().map(count).collect()
    }

    /// What ends this watch.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Ends this watch when the user interrupts the program or the system asks it to end.
    pub fn stop_on_interrupt(&self) -> Result<()> {
        let stopper = self.stopper();
        interrupt::on_interrupt(move || stopper.stop())
    }

    /// Waits until something is different, and says what; none once it is stopped.
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
            if !news.is_empty() {
                return Ok(Some(news));
            }
        }
    }

    /// Listens to other places, too. `true` if they are not the same as before: what changed in them until now is unheard.
    pub fn listen_to(&mut self, callsheet: &mut Callsheet, others: Vec<Ground>) -> Result<bool> {
        let are_new = self.others != others;
        if are_new {
            self.others = others;
            self.listen(callsheet)?;
        }
        Ok(are_new)
    }

    /// Waits until a file changes in any of the places; `false` once it is stopped.
    pub fn wait_for_change(&mut self, callsheet: &mut Callsheet) -> Result<bool> {
        let Some(structural) = self.next_signal()? else {
            return Ok(false);
        };
        if structural {
            self.listen(callsheet)?;
        }
        Ok(true)
    }

    /// Waits for the next burst, and says whether places came or went; none at the end.
    fn next_signal(&mut self) -> Result<Option<bool>> {
        let first = match self.unsettled {
            true => self.signals.recv_timeout(SETTLING),
            false => self.signals.recv().map_err(RecvTimeoutError::from),
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

    /// Listens to the places as they are now. The old ears are shut only when the new ones are open.
    fn listen(&mut self, callsheet: &mut Callsheet) -> Result<()> {
        let mut grounds = Vec::new();
        for dialect in self.lookouts(callsheet)? {
            grounds.extend(callsheet.grounds(&dialect)?);
        }
        for followed in &mut self.followed {
            grounds.extend(followed.linked()?);
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

    /// Follows the dialects that are not followed yet. Those that are new say who is there.
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
