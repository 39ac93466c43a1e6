//! Examples for the help texts.

use crate::program::Example;

pub(super) const EXAMPLES: &[Example] = &[
    (
        "",
        &[
            "soko-worker                                  # for a coordinator of this machine",
            "soko-worker --coordinator https://coordinator.example:50051 --tls-ca ca.pem \\",
            "            --token-file worker.token --outbox /var/lib/soko",
            "soko-worker --threads 4 --exit-when-idle     # leave when there is nothing to do",
        ],
    ),
    (
        "health",
        &[
            "soko-worker health           # connected and working?",
            "soko-worker health --live    # or only alive?",
        ],
    ),
    ("config", &["soko-worker config show"]),
    (
        "config show",
        &[
            "soko-worker config show",
            "soko-worker config show --threads 4      # what a worker started like this would use",
        ],
    ),
    (
        "completions",
        &["soko-worker completions bash >~/.local/share/bash-completion/completions/soko-worker"],
    ),
    ("man", &["soko-worker man --dir ~/.local/share/man/man1"]),
];
