//! The interface for packages.
#![allow(missing_docs, reason = "documented in the interface")]

wit_bindgen::generate!({
    inline: "
        package callsheet:command;
        /// The command line for packages, which need the exit status.
        interface main {
            /// How a command ended.
            enum status {
                /// No problems.
                clean,
                /// Problems found, or a search without a result.
                problems,
                /// Usage or I/O error.
                failed,
                /// Usage error: only the native program has this command or option.
                native-only,
            }
            /// Runs the command line of `wasi:cli/environment`.
            run: func() -> status;
        }
        world command {
            export main;
        }
    ",
    world: "callsheet:command/command",
    default_bindings_module: "crate::contract",
});
