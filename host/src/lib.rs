//! Says who is called: finds, checks and explains AI agent files.
