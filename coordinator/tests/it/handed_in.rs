//! Levels from outside: every answer, every limit, and nobody waits for them.

use std::{sync::mpsc, time::Duration};

use soko::rpc::v1::{self, RefusalReason as Reason, Verdict};
use soko_coord::{model::Write, records::Turns, store::Catalog};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{cluster::Cluster, input::reason};

/// A level of 3x3.
const LEVEL: &str = "---\n-$-\n@-.\n";

fn level(xsb: &str) -> v1::SubmitRecordRequest {
    v1::SubmitRecordRequest {
        xsb: xsb.to_owned(),
        ..v1::SubmitRecordRequest::default()
    }
}

/// One row of floor with the box in front of the goal, on `n` x `n`.
fn corridor(length: usize, n: u32) -> v1::SubmitRecordRequest {
    let xsb = format!("@{}$.\n", "-".repeat(length));
    v1::SubmitRecordRequest { n, ..level(&xsb) }
}

async fn hand_in(
    cluster: &Cluster,
    request: v1::SubmitRecordRequest,
) -> Result<v1::SubmitRecordReply, Status> {
    let answered = cluster.records().await.submit_record(request).await;
    answered.map(tonic::Response::into_inner)
}

async fn table(cluster: &Cluster) -> Vec<v1::Record> {
    let request = v1::ListRecordsRequest::default();
    let list = cluster.records().await.list_records(request).await;
    list.unwrap().into_inner().records
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_stored_kept_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let first = v1::SubmitRecordRequest {
        author: " Somebody ".to_owned(),
        note: "<b>by hand</b>".to_owned(),
        ..corridor(3, 9)
    };
    let reply = hand_in(&cluster, first.clone()).await.unwrap();
    assert_eq!(reply.verdict(), Verdict::Stored, "{reply:?}");
    assert_eq!((reply.n, reply.moves, reply.pushes), (9, 4, 1));
    assert_eq!(
        (reply.record_moves, reply.reason()),
        (0, Reason::Unspecified)
    );

    let reply = hand_in(&cluster, first).await.unwrap();
    assert_eq!(
        (reply.verdict(), reply.reason()),
        (Verdict::Refused, Reason::Known)
    );
    assert_eq!(reply.record_moves, 4);

    let shorter = hand_in(&cluster, corridor(2, 9)).await.unwrap();
    assert_eq!(shorter.reason(), Reason::NotBetter, "{shorter:?}");
    assert!(shorter.message.contains("needs 3 moves") && shorter.message.contains("has 4"));

    let other = v1::SubmitRecordRequest {
        author: "Another".to_owned(),
        ..level("@--$-.\n")
    };
    let other = v1::SubmitRecordRequest { n: 9, ..other };
    let reply = hand_in(&cluster, other).await.unwrap();
    assert_eq!(reply.verdict(), Verdict::Kept, "{reply:?}");
    let request = v1::GetRecordRequest { rows: 9, cols: 9 };
    let row = cluster.records().await.get_record(request).await;
    let others = row.unwrap().into_inner().others;
    assert_eq!(others[0].source, "handed in, by Another");

    let longer = hand_in(&cluster, corridor(5, 9)).await.unwrap();
    assert_eq!(
        (longer.verdict(), longer.record_moves),
        (Verdict::Stored, 4)
    );

    // It is on disk, with where it comes from, and so is what was before.
    cluster.shut_down().await;
    let cluster = Cluster::on_disk(dir.path()).await;
    let request = v1::GetRecordRequest { rows: 9, cols: 9 };
    let history = cluster.records().await.get_record_history(request).await;
    let history = history.unwrap().into_inner().records;
    let moves: Vec<u32> = history.iter().map(|row| row.max_moves).collect();
    assert_eq!(moves, [4, 6]);
    let row = &history[0];
    assert_eq!(
        (&*row.author, &*row.source),
        ("Somebody", "handed in, by Somebody")
    );
    let provenance = row.provenance.as_ref().unwrap();
    assert_eq!(
        (&*provenance.mode, &*provenance.note, &*provenance.job),
        ("handed-in", "<b>by hand</b>", "")
    );
    assert!(provenance.unix_ms > 0 && !row.exact);
    assert!(row.others.is_empty(), "{row:?}");
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_solutions_make_no_list_too_long_for_a_client() {
    let mut catalog = Catalog::in_memory().unwrap();
    let level = v1::Level {
        xsb: "@$.".to_owned(),
        lurd: "r".repeat(1 << 20),
        shortest_solutions: "1".repeat(1 << 20),
        pushes: 7,
        ..v1::Level::default()
    };
    let row = |n: u32, revision: u32| {
        Write::Record(Box::new(v1::Record {
            rows: n,
            cols: n,
            level: Some(level.clone()),
            provenance: Some(v1::Provenance {
                parents: vec!["-".repeat(1 << 20)],
                ..v1::Provenance::default()
            }),
            revision,
            ..v1::Record::default()
        }))
    };
    for number in 1..6 {
        let writes = [row(9, number), row(100 + number, 1)];
        catalog.apply(&writes).unwrap();
    }
    let cluster = Cluster::start(catalog, |_| {}).await;
    let rows = table(&cluster).await;
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0].level.as_ref().unwrap().pushes, 7);
    let request = v1::GetRecordRequest { rows: 9, cols: 9 };
    let history = cluster.records().await.get_record_history(request).await;
    assert_eq!(history.unwrap().into_inner().records.len(), 5);
    let whole = cluster.records().await.get_record(request).await;
    let whole = whole.unwrap().into_inner().level.unwrap();
    assert_eq!(whole.lurd, level.lurd);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_refusal_leaves_the_table_as_it_was() {
    let mut catalog = Catalog::in_memory().unwrap();
    let proven = v1::Record {
        rows: 3,
        cols: 3,
        max_moves: 1,
        exact: true,
        ..v1::Record::default()
    };
    catalog.apply(&[Write::Record(Box::new(proven))]).unwrap();
    let cluster = Cluster::start(catalog, |_| {}).await;
    let before = table(&cluster).await;
    let open = {
        let mut rows = vec!["-".repeat(120); 120];
        rows[0].replace_range(0..1, "@");
        rows[5].replace_range(5..6, "$");
        rows[9].replace_range(9..10, ".");
        rows.join("\n")
    };
    let with = |lurd: &str| v1::SubmitRecordRequest {
        lurd: lurd.to_owned(),
        ..level(LEVEL)
    };
    let fits_not = v1::SubmitRecordRequest {
        n: 2,
        ..level(LEVEL)
    };
    let cases = [
        (level("--.\n#x-\n-$@\n"), Reason::Malformed, (2, 2)),
        (level(""), Reason::NotOneLevel, (0, 0)),
        (level("@$.\n-$.\n---\n"), Reason::SeveralBoxes, (0, 0)),
        (level("@$.\n"), Reason::NotSquare, (0, 0)),
        (fits_not, Reason::DoesNotFit, (0, 0)),
        (level(&open), Reason::TooLarge, (0, 0)),
        (level("$-.\n---\n@--\n"), Reason::Unsolvable, (0, 0)),
        (with("u8d"), Reason::MalformedSolution, (1, 2)),
        (with("l"), Reason::WrongSolution, (0, 0)),
        (level(LEVEL), Reason::ContradictsProof, (0, 0)),
    ];
    for (request, reason, place) in cases {
        let reply = hand_in(&cluster, request).await.unwrap();
        assert_eq!(
            (reply.verdict(), reply.reason()),
            (Verdict::Refused, reason),
            "{reply:?}"
        );
        assert_eq!((reply.line, reply.column), place, "{reply:?}");
        assert!(!reply.message.is_empty());
    }
    assert_eq!(table(&cluster).await, before);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_field_has_its_limit() {
    let cluster = Cluster::in_memory().await;
    let cases: [(&str, v1::SubmitRecordRequest); 7] = [
        ("xsb", level(&"-".repeat((64 << 10) + 1))),
        (
            "lurd",
            v1::SubmitRecordRequest {
                lurd: "l".repeat((1 << 20) + 1),
                ..level(LEVEL)
            },
        ),
        (
            "n",
            v1::SubmitRecordRequest {
                n: 257,
                ..level(LEVEL)
            },
        ),
        (
            "n",
            v1::SubmitRecordRequest {
                n: u32::MAX,
                ..level(LEVEL)
            },
        ),
        (
            "author",
            v1::SubmitRecordRequest {
                author: "ä".repeat(101),
                ..level(LEVEL)
            },
        ),
        (
            "note",
            v1::SubmitRecordRequest {
                note: "x".repeat(501),
                ..level(LEVEL)
            },
        ),
        (
            "note",
            v1::SubmitRecordRequest {
                note: "\u{1b}[2J".to_owned(),
                ..level(LEVEL)
            },
        ),
    ];
    for (field, request) in cases {
        let status = hand_in(&cluster, request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(&format!("`{field}`")), "{status}");
    }
    let huge = level(&"-".repeat(5 << 20));
    let status = hand_in(&cluster, huge).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    assert!(table(&cluster).await.is_empty());
    // At the limits it is taken.
    let full = v1::SubmitRecordRequest {
        author: "ä".repeat(100),
        note: "x".repeat(500),
        n: 256,
        ..level(LEVEL)
    };
    let reply = hand_in(&cluster, full).await.unwrap();
    assert_eq!(reply.verdict(), Verdict::Stored, "{reply:?}");
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_levels_are_solved_the_hub_answers_and_the_rest_is_told_to_come_back() {
    let turns = Turns::new(1, 1, Duration::from_mins(1));
    let options_turns = turns.clone();
    let catalog = Catalog::in_memory().unwrap();
    let cluster = Cluster::start(catalog, |options| options.turns = options_turns).await;
    let (go_on, held) = mpsc::channel::<()>();
    let (started, running) = tokio::sync::oneshot::channel();
    let solving = tokio::spawn(async move {
        let computation = move || {
            let _ = started.send(());
            let _ = held.recv();
        };
        turns.take(computation).await
    });
    running.await.unwrap();
    let status = hand_in(&cluster, corridor(1, 9)).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    assert_eq!(reason(&status), "BUSY");
    let retry = status.get_details_retry_info().unwrap();
    assert_eq!(retry.retry_delay, Some(Duration::from_secs(5)));
    assert!(
        table(&cluster).await.is_empty(),
        "the hub answers meanwhile"
    );
    drop(go_on);
    solving.await.unwrap().unwrap();
    let reply = hand_in(&cluster, corridor(1, 9)).await.unwrap();
    assert_eq!(reply.verdict(), Verdict::Stored);
    cluster.shut_down().await;
}
