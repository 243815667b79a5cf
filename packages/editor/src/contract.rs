//! The interface for editors.
#![allow(missing_docs, reason = "documented in the interface")]

wit_bindgen::generate!({
    inline: "
        package callsheet:server;
        /// What the editor shows of files that are open.
        interface buffers {
            /// Sets the contents that replace those of a file, or removes them.
            set: func(path: string, contents: option<list<u8>>);
        }
        /// The language server of one client. It is driven by its messages; addresses are those of files, whose paths are the names in
        /// `callsheet:agents/files`.
        interface server {
            /// What follows from a call.
            record turn {
                /// Messages for the client, as JSON.
                messages: list<string>,
                /// Failures that answer no request, for a log.
                failures: list<string>,
                /// If present, the caller calls `look` after a pause without another call. The pause begins again when the number changes.
                pause: option<u64>,
            }
            /// Takes messages of the client, as JSON, in order.
            receive: func(messages: list<string>) -> turn;
            /// Looks at changed files with all that they depend on.
            look: func() -> turn;
            /// Reads what the server will read of a directory, for a host that has to fetch files before they can be read.
            read-ahead: func(directory: string);
        }
        world editor {
            import buffers;
            export server;
        }
    ",
    world: "callsheet:server/editor",
    default_bindings_module: "crate::contract",
});
