//! The cryptography of connections.

/// Makes ring the default of this process, unless a program that embeds the library has another one.
pub(crate) fn prepare() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
