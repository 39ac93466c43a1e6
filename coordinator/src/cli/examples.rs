//! Examples for the help texts.

use soko_worker::program::Example;

pub(super) const EXAMPLES: &[Example] = &[
    (
        "",
        &[
            "soko-coord run --n 6                      # M(6), proven, in one process",
            "soko-coord serve                          # a coordinator for workers",
            "soko-coord submit --n 7 --wait            # a job for them, and its answer",
            "soko-coord level solve level.xsb",
        ],
    ),
    (
        "run",
        &[
            "soko-coord run --n 6                      # exact",
            "soko-coord run --n 5 --mode census        # exact, by another method",
            "soko-coord run --mode floor --floor 16    # by the number of floor cells",
            "soko-coord run --n 8 --mode anneal --budget 2m --seed 1",
            "soko-coord run --n 20 --mode neighborhood --start level.xsb",
        ],
    ),
    (
        "estimate",
        &[
            "soko-coord estimate --n 7",
            "soko-coord estimate --n 8 --samples 20000 --price 0.04",
        ],
    ),
    (
        "serve",
        &[
            "soko-coord serve --data ./data            # for this machine",
            "soko-coord serve --listen 0.0.0.0:50051 --tls-cert tls/server.pem \\",
            "                 --tls-key tls/server.key --tokens tls/tokens.txt",
        ],
    ),
    (
        "submit",
        &[
            "soko-coord submit --n 7 --wait",
            "soko-coord submit --n 8 --mode anneal --budget 10m --share --name 'eight, shared'",
        ],
    ),
    (
        "jobs",
        &["soko-coord jobs list", "soko-coord jobs watch 3f2a"],
    ),
    (
        "jobs list",
        &[
            "soko-coord jobs list",
            "soko-coord jobs list --limit 5 -o json",
        ],
    ),
    (
        "jobs show",
        &["soko-coord jobs show 3f2a                 # the start of an id will do"],
    ),
    ("jobs watch", &["soko-coord jobs watch 3f2a -o json"]),
    (
        "jobs wait",
        &["soko-coord jobs wait 3f2a && soko-coord jobs result 3f2a"],
    ),
    (
        "jobs result",
        &[
            "soko-coord jobs result 3f2a",
            "soko-coord jobs result 3f2a -o quiet      # the number of moves",
        ],
    ),
    ("jobs cancel", &["soko-coord jobs cancel 3f2a"]),
    ("jobs pause", &["soko-coord jobs pause 3f2a"]),
    ("jobs resume", &["soko-coord jobs resume 3f2a"]),
    ("jobs retry", &["soko-coord jobs retry 3f2a"]),
    (
        "jobs explain",
        &[
            "soko-coord jobs explain 3f2a",
            "soko-coord jobs explain 3f2a --shard 17",
        ],
    ),
    ("jobs delete", &["soko-coord jobs delete 3f2a"]),
    (
        "jobs ledger",
        &[
            "soko-coord jobs ledger 3f2a",
            "soko-coord jobs ledger --checkpoint n8.checkpoint",
        ],
    ),
    (
        "jobs audit",
        &[
            "soko-coord jobs audit 3f2a --sample 20",
            "soko-coord jobs audit --checkpoint n8.checkpoint",
        ],
    ),
    (
        "jobs export-checkpoint",
        &["soko-coord jobs export-checkpoint 3f2a n8.checkpoint"],
    ),
    (
        "jobs import-checkpoint",
        &["soko-coord jobs import-checkpoint n8.checkpoint"],
    ),
    (
        "records",
        &["soko-coord records list", "soko-coord records show --n 7"],
    ),
    (
        "records list",
        &[
            "soko-coord records list",
            "soko-coord records list --square -o json",
        ],
    ),
    (
        "records show",
        &[
            "soko-coord records show --n 7",
            "soko-coord records show --rows 3 --cols 5 -o json",
        ],
    ),
    ("records history", &["soko-coord records history --n 8"]),
    (
        "records submit",
        &[
            "soko-coord records submit level.xsb",
            "soko-coord records submit level.xsb --n 9 --author 'Your name' -o json",
        ],
    ),
    (
        "records verify",
        &[
            "soko-coord records verify",
            "soko-coord records verify --data ./data    # without a coordinator",
        ],
    ),
    ("workers", &["soko-coord workers list"]),
    ("workers list", &["soko-coord workers list"]),
    ("workers show", &["soko-coord workers show host-1a2b3c4d"]),
    (
        "workers drain",
        &["soko-coord workers drain host-1a2b3c4d    # before the machine is stopped"],
    ),
    ("tls", &["soko-coord tls init --host coordinator.example"]),
    (
        "tls init",
        &[
            "soko-coord tls init --host coordinator.example",
            "soko-coord tls init --dir tls --host coordinator.example --host 10.0.0.5",
        ],
    ),
    (
        "invalidate",
        &[
            "soko-coord invalidate --worker host-1a2b3c4d",
            "soko-coord invalidate --engine-version 'soko-growth 1' --job 3f2a",
        ],
    ),
    (
        "recover",
        &["soko-coord recover --data ./data          # while no coordinator uses it"],
    ),
    (
        "health",
        &["soko-coord health --coordinator http://127.0.0.1:50051"],
    ),
    (
        "level",
        &[
            "soko-coord level solve level.xsb",
            "soko-coord level render level.xsb --out level.png",
        ],
    ),
    (
        "level solve",
        &[
            "soko-coord level solve level.xsb",
            "soko-coord level solve level.xsb --objective pushes -o json",
            "soko-coord level solve - <level.xsb",
        ],
    ),
    (
        "level verify",
        &["soko-coord level verify level.xsb --lurd rrdLL"],
    ),
    (
        "level certify",
        &[
            "soko-coord level certify level.xsb --to proof.json",
            "soko-coord level certify proof.json --check",
        ],
    ),
    ("level analyze", &["soko-coord level analyze level.xsb"]),
    (
        "level render",
        &[
            "soko-coord level render level.xsb --out level.svg",
            "soko-coord level render level.xsb --out level.gif --delay 60",
            "soko-coord level render level.xsb --heat player --out level.png",
        ],
    ),
    (
        "level replay",
        &["soko-coord level replay level.xsb --lurd rrdLL"],
    ),
    (
        "level convert",
        &["soko-coord level convert levels.slc --to sok"],
    ),
    ("level normalize", &["soko-coord level normalize level.xsb"]),
    ("level fit", &["soko-coord level fit level.xsb --n 30"]),
    (
        "construct",
        &["soko-coord construct --m 4", "soko-coord construct --n 50"],
    ),
    (
        "bounds",
        &[
            "soko-coord bounds --n 20",
            "soko-coord bounds --n 20 --floor 150",
        ],
    ),
    (
        "plot",
        &[
            "soko-coord plot --out density.svg",
            "soko-coord plot --coordinator http://127.0.0.1:50051 --out density.png",
        ],
    ),
    ("config", &["soko-coord config show"]),
    (
        "config show",
        &[
            "soko-coord config show",
            "soko-coord config show -o json",
            "soko-coord config show serve --http none  # what `serve --http none` would use",
        ],
    ),
    (
        "completions",
        &[
            "soko-coord completions bash >~/.local/share/bash-completion/completions/soko-coord",
            "soko-coord completions fish >~/.config/fish/completions/soko-coord.fish",
        ],
    ),
    (
        "man",
        &[
            "soko-coord man | man -l -",
            "soko-coord man --dir ~/.local/share/man/man1",
        ],
    ),
];
