//! Models: over the network, recorded, or replayed from a recording.

mod choice;
mod patience;
mod provider;
mod providers;
mod record;
mod recording;
mod replay;

pub use self::choice::{name, parse};
pub use self::patience::Patience;
pub use self::provider::{
    Environment, Kind, Price, Provider, ProviderConfig, dates, is_address, key_variables,
};
pub use self::providers::Providers;
pub use self::record::Recorder;
pub use self::recording::RecordingError;
pub use self::replay::Replay;
