//! Estimates and certificates, as the program gives them.

use serde_json::Value;

use crate::program::say;

#[test]
fn an_estimate_has_a_value_an_error_and_a_price() {
    let said = say("estimate --n 5 --samples 100000 --price 36 -o json");
    assert_eq!(said.code, Some(0), "{said:?}");
    let found = said.document();
    // The sample holds all of it.
    assert_eq!(
        found["floor_sets"],
        serde_json::json!({"value": 39505.0, "error": 0.0})
    );
    let number = |field: &str| found[field]["value"].as_f64().unwrap();
    assert!((number("cost") - number("core_seconds") / 100.0).abs() < 1e-9);
    let text = say("estimate --mode floor --floor 9").out;
    assert!(text.starts_with("at most 9 floor cells: "), "{text}");
    let census = say("estimate --n 5 --mode census --connected -o json").document();
    assert_eq!(census["visited"]["value"], 33_554_432.0);
    say("estimate --n 12 -o json").failed(2, "bad_input");
    say("estimate --n 5 --price -1 -o json").failed(2, "usage");
    say("estimate --n 8 --mode anneal -o json").failed(2, "bad_input");
}

#[test]
fn a_certificate_is_written_and_checked_and_a_changed_one_proves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    std::fs::write(path("level.xsb"), "#######\n#@ $ .#\n#  #  #\n#######\n").unwrap();
    let (level, proof) = (path("level.xsb"), path("proof.json"));
    let said = say(&format!("level certify {level} --to {proof} -o json"));
    let moves = said.document()["moves"].as_u64().unwrap();
    let solved = say(&format!("level solve {level} -o json")).document();
    assert_eq!(solved["moves"], moves);
    let checked = say(&format!("level certify {proof} --check -o quiet"));
    assert_eq!(
        (checked.code, checked.out.trim()),
        (Some(0), &*moves.to_string())
    );

    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(&proof).unwrap()).unwrap();
    changed["optimum"] = (moves - 1).into();
    std::fs::write(&proof, changed.to_string()).unwrap();
    let checked = say(&format!("level certify {proof} --check -o json"));
    assert_eq!(
        (checked.code, &checked.document()["valid"]),
        (Some(1), &false.into())
    );
    say(&format!("level certify {level} --check -o json")).failed(2, "bad_certificate");
}

#[test]
fn too_little_memory_is_an_error_before_any_work() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let line = format!(
        "run --n 4 --threads 8 --memory 100M --data {} -o json",
        data.display()
    );
    say(&line).failed(2, "bad_input");
    assert!(!data.exists());
}
