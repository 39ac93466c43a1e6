//! `records submit` and `records verify`.

use soko::rpc::v1;
use soko_coord::{model::Write, store::Catalog};

use crate::{
    cluster::Cluster,
    program::{Running, data, say},
};

#[test]
fn levels_are_handed_in_and_the_table_is_verified() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let good = file("good.xsb", "@--$.\nAuthor: Somebody\n");
    let shorter = file("shorter.xsb", "@-$.\n");
    let bad = file("bad.xsb", "@-$.x--\n-------\n");
    let cluster = Cluster::start();
    let submit = |line: &str| cluster.say(&format!("records submit {line} -o json"));
    // None of the levels known from the start has this size.
    let stored = submit(&format!("{good} --n 200 --lurd rrR"));
    assert_eq!(stored.code, Some(0), "{stored:?}");
    let stored = stored.document();
    assert_eq!(
        (&stored["verdict"], &stored["moves"]),
        (&"stored".into(), &3.into())
    );
    assert!(stored["reason"].is_null() && stored["record_moves"].is_null());
    let shown = cluster.say("records show --n 200");
    for text in ["handed in, by Somebody", "handed-in 20", "solved again by"] {
        assert!(shown.out.contains(text), "{shown:?}");
    }
    let refused = submit(&format!("{shorter} --n 200"));
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let refused = refused.document();
    assert_eq!(refused["reason"], "not_better");
    assert_eq!(refused["record_moves"], 3);
    let refused = submit(&good);
    assert_eq!(
        (refused.code, &refused.document()["reason"]),
        (Some(2), &"not_square".into())
    );
    let refused = submit(&bad).document();
    assert_eq!(
        (&refused["line"], &refused["column"]),
        (&1.into(), &5.into())
    );
    submit(&format!("{good} --note {}", "x".repeat(501))).failed(2, "bad_input");
    submit("/does/not/exist").failed(2, "io");
    let large = submit(&file(
        "large.xsb",
        &format!(";{}\n@$.\n", "x".repeat(4 << 20)),
    ));
    large.failed(2, "bad_input");
    for text in ["large.xsb is too large to hand in", "at most 4194304"] {
        assert!(large.err.contains(text), "{large:?}");
    }
    let text = cluster.say(&format!("records submit {good} --n 200"));
    assert!(text.out.starts_with("refused: "), "{text:?}");

    let verified = cluster.say("records verify -o json");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let verified = verified.document();
    assert_eq!(verified["verified"], true);
    assert!(verified["records"].as_u64().unwrap() >= 1);
}

#[test]
fn a_wrong_row_is_found_in_a_directory_of_data() {
    let dir = tempfile::tempdir().unwrap();
    let in_dir = data(dir.path());
    let verify = |output: &str| say(&format!("records verify {in_dir} -o {output}"));
    let mut catalog = Catalog::open(dir.path()).unwrap();
    let level = v1::Level {
        xsb: "@$.".to_owned(),
        lurd: "R".to_owned(),
        moves: 1,
        pushes: 1,
        floor: 3,
        reachable_floor: 3,
        shortest_solutions: "1".to_owned(),
        ..v1::Level::default()
    };
    let mut record = v1::Record {
        rows: 1,
        cols: 3,
        max_moves: 1,
        level: Some(level),
        ..v1::Record::default()
    };
    let mut store = |record: &v1::Record| {
        let write = Write::Record(Box::new(record.clone()));
        catalog.apply(&[write]).unwrap();
    };
    store(&record);
    record.cols = 4;
    store(&record);
    drop(catalog);
    let said = verify("json");
    assert_eq!(said.code, Some(1), "{said:?}");
    let said = said.document();
    assert_eq!((&said["records"], &said["levels"]), (&2.into(), &2.into()));
    assert_eq!(said["wrong"][0]["problems"][0], "the level is 1x3");
    assert_eq!(verify("quiet").out, "1\n");
    assert!(verify("text").out.contains("1x4: the level is 1x3"));
    let absent = dir.path().join("absent");
    say(&format!("records verify {} -o json", data(&absent))).failed(2, "bad_input");
    // A directory that a coordinator uses is refused.
    let mut server = Running::start(&format!("serve --listen 127.0.0.1:0 {in_dir} -o json"));
    server.first_line();
    verify("json").failed(2, "data_in_use");
}
