//! The tokens of servers that the user signed in to, one file for each, which only the user may read.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use sha2::{Digest as _, Sha256};

use crate::{private, regular, trust};

/// The directory in that of the program.
const DIRECTORY: &str = "servers";

/// The servers that the user signed in to.
#[derive(Clone, Debug)]
pub struct SignIns(PathBuf);

impl SignIns {
    /// Those of the user; `home` replaces the user's home directory. None if no home directory is known.
    pub fn of_user(home: Option<&Path>) -> Option<Self> {
        Some(Self(trust::directory(home)?.join(DIRECTORY)))
    }

    /// Forgets the tokens of a server. Returns whether there were any.
    pub fn forget(&self, url: &str) -> io::Result<bool> {
        self.store(url).remove()
    }

    /// The tokens of a server, which must not be shown.
    pub(super) fn secrets(&self, url: &str) -> Vec<String> {
        let text = regular::read(&self.store(url).0).unwrap_or_default();
        let kept: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let tokens = ["access_token", "refresh_token"];
        let token = |name| kept["token_response"][name].as_str().map(str::to_owned);
        tokens.into_iter().filter_map(token).collect()
    }

    /// Gets tokens for a server, and new ones when they expire; none if the user did not sign in to it.
    pub(super) async fn manager(&self, url: &str) -> Result<Option<AuthorizationManager>, AuthError> {
        let store = self.store(url);
        if store.read().map_err(unkept)?.is_none() {
            return Ok(None);
        }
        let mut manager = AuthorizationManager::new(url).await?;
        manager.set_credential_store(store);
        let is_known = manager.initialize_from_store().await?;
        Ok(is_known.then_some(manager))
    }

    /// Tokens are for one URL, whatever files call the server.
    pub(super) fn store(&self, url: &str) -> Store {
        let digest = Sha256::digest(url);
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Store(self.0.join(name).with_extension("json"))
    }
}

/// The file of one server.
pub(super) struct Store(PathBuf);

impl Store {
    fn read(&self) -> io::Result<Option<StoredCredentials>> {
        match regular::read(&self.0) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, credentials: &StoredCredentials) -> io::Result<()> {
        self.make_directory()?;
        let new = self.0.with_extension("new");
        let mut file = private::open(&new, false)?;
        file.write_all(&serde_json::to_vec(credentials)?)?;
        file.sync_all()?;
        fs::rename(new, &self.0)
    }

    fn remove(&self) -> io::Result<bool> {
        match fs::remove_file(&self.0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits until no other process gets new tokens: a server may accept a refresh token once.
    fn lock(&self) -> io::Result<File> {
        self.make_directory()?;
        let lock = private::open(&self.0.with_extension("lock"), false)?;
        lock.lock()?;
        Ok(lock)
    }

    fn make_directory(&self) -> io::Result<()> {
        self.0.parent().map_or(Ok(()), fs::create_dir_all)
    }
}

#[async_trait]
impl CredentialStore for Store {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        self.read().map_err(unkept)
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.write(&credentials).map_err(unkept)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.remove().map(drop).map_err(unkept)
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let store = Self(self.0.clone());
        let locked = tokio::task::spawn_blocking(move || store.lock()).await;
        let lock = locked.map_err(io::Error::other).flatten().map_err(unkept)?;
        Ok(Some(CredentialRefreshGuard::new(lock)))
    }
}

fn unkept(error: io::Error) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}
