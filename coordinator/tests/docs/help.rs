//! The help of every command, as it was seen.

use std::{collections::BTreeSet, fs};

use crate::{page::project, tree::all_commands};

/// Where they are kept, from the folder of this file.
const FOLDER: &str = "help";

/// After a change that is meant: `INSTA_UPDATE=always cargo test -p soko-coord
/// --test docs`, and look at the difference.
#[test]
fn the_help_of_every_command_is_as_it_was_seen() {
    let mut expected = BTreeSet::new();
    for (path, command) in all_commands() {
        let name = path.replace(' ', "-");
        let help = command.term_width(100).render_long_help().to_string();
        insta::with_settings!({
            snapshot_path => FOLDER,
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { insta::assert_snapshot!(name.clone(), help) });
        expected.insert(format!("{name}.snap"));
    }
    let folder = project().join("coordinator/tests/docs").join(FOLDER);
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name());
    let found: BTreeSet<String> = files.map(|name| name.into_string().unwrap()).collect();
    let left: Vec<_> = found.difference(&expected).collect();
    assert!(left.is_empty(), "no command has these: {left:?}");
}
