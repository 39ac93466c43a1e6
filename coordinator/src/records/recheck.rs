//! A row of the record table, checked without believing anything in it.

use soko::{
    level::{Level, Lurd},
    rpc::v1,
    solve::replay,
    text::counted,
};

use super::solve;

/// What is wrong with a row: each of its levels is read and solved again, its
/// figures are compared, and its solution is replayed. Empty if all is as the
/// row says.
pub fn recheck(record: &v1::Record) -> Vec<String> {
    let Some(level) = &record.level else {
        return vec!["it has no level".to_owned()];
    };
    let others = record.others.iter().enumerate();
    let others = others.map(|(index, level)| (format!("other level {}: ", index + 1), level));
    let levels = [(String::new(), level)].into_iter().chain(others);
    levels
        .filter_map(|(name, level)| {
            let wrong = recheck_level(record, level).err()?;
            Some(format!("{name}{wrong}"))
        })
        .collect()
}

fn recheck_level(record: &v1::Record, stored: &v1::Level) -> Result<(), String> {
    let level: Level = stored.xsb.parse().map_err(|error| format!("{error}"))?;
    let size = (
        u32::from(level.size().rows()),
        u32::from(level.size().cols()),
    );
    if size != (record.rows, record.cols) {
        return Err(format!("the level is {}x{}", size.0, size.1));
    }
    let solved = solve(&level).map_err(|error| error.to_string())?;
    if (solved.moves, solved.pushes) != (stored.moves, stored.pushes) {
        return Err(format!(
            "the level needs {} and {}, the row has {} and {}",
            counted(solved.moves, "move"),
            counted(solved.pushes, "push"),
            stored.moves,
            stored.pushes
        ));
    }
    if solved.moves != record.max_moves {
        let (moves, row) = (counted(solved.moves, "move"), record.max_moves);
        return Err(format!("the level needs {moves}, the row says {row}"));
    }
    // The text, the solution and the source may be others; each figure may not.
    let figures = v1::Level {
        xsb: stored.xsb.clone(),
        lurd: stored.lurd.clone(),
        source: stored.source.clone(),
        ..solved
    };
    if figures != *stored {
        let text = |level: &v1::Level| {
            format!(
                "{}, {} of them within reach, and {}",
                counted(level.floor, "floor cell"),
                level.reachable_floor,
                match level.shortest_solutions.as_str() {
                    "" => "no number of shortest solutions".to_owned(),
                    number => counted(number, "shortest solution"),
                }
            )
        };
        let (level, row) = (text(&figures), text(stored));
        return Err(format!("the level has {level}, the row has {row}"));
    }
    let lurd: Lurd = stored.lurd.parse().map_err(|error| format!("{error}"))?;
    let played = replay(&level, &lurd);
    let as_stored = played.is_solution()
        && played.moves_after_goal == 0
        && (lurd.len(), lurd.pushes()) == (stored.moves as usize, stored.pushes as usize)
        && played.first_wrong_case.is_none();
    if !as_stored {
        return Err("the stored solution does not solve the level as it says".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{HandedIn, candidate};

    #[test]
    fn whatever_is_changed_is_found() {
        let handed = HandedIn {
            xsb: "---\n#--\n.$@\n".to_owned(),
            ..HandedIn::default()
        };
        let mut good = candidate(&handed).unwrap();
        good.others = good.level.clone().into_iter().collect();
        assert_eq!(recheck(&good), Vec::<String>::new());
        let wrong = |change: &dyn Fn(&mut v1::Record, &mut v1::Level), text: &str| {
            let mut record = good.clone();
            let mut level = record.level.take().unwrap();
            change(&mut record, &mut level);
            record.level = Some(level);
            let found = recheck(&record);
            assert!(
                found.iter().any(|it| it.contains(text)),
                "{text}: {found:?}"
            );
        };
        wrong(&|record, _| record.max_moves += 1, "the row says 2");
        wrong(&|record, _| record.rows = 4, "the level is 3x3");
        wrong(&|_, level| level.moves += 1, "the row has 2");
        wrong(&|_, level| level.pushes += 1, "needs 1 move and 1 push");
        wrong(&|_, level| level.floor += 1, "the row has 9 floor cells");
        wrong(&|_, level| level.reachable_floor -= 1, ", 7 of them");
        wrong(
            &|_, level| level.shortest_solutions = "99".to_owned(),
            "and 99 shortest",
        );
        wrong(
            &|record, _| record.others[0].shortest_solutions.clear(),
            "other level 1: ",
        );
        wrong(&|_, level| level.lurd = "l".to_owned(), "stored solution");
        wrong(&|_, level| level.lurd = "uLd".to_owned(), "stored solution");
        wrong(
            &|_, level| level.xsb = "$--\n---\n.-@\n".to_owned(),
            "no solution",
        );
        wrong(&|_, level| level.xsb.clear(), "0 levels");
        wrong(
            &|record, _| record.others[0].lurd.clear(),
            "other level 1: ",
        );
        assert_eq!(recheck(&v1::Record::default()), ["it has no level"]);
    }
}
