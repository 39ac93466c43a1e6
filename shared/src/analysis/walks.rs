//! Walks and pushes in turn, and the long walks among them.

use std::collections::BTreeMap;

use crate::level::Lurd;

/// A run of pushes with the walk before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushGroup {
    /// Moves without a push before this group.
    pub walk: usize,
    /// The pushes, nothing between them.
    pub pushes: Lurd,
}

/// Cuts a solution into its runs of pushes. Moves after the last push, which a
/// solution does not have, are left out.
pub fn push_groups(lurd: &Lurd) -> Vec<PushGroup> {
    let mut groups = Vec::new();
    let mut walk = 0;
    let mut pushes = Vec::new();
    for &step in lurd.moves() {
        if step.push {
            pushes.push(step);
            continue;
        }
        if !pushes.is_empty() {
            groups.push(PushGroup {
                walk,
                pushes: pushes.drain(..).collect(),
            });
            walk = 0;
        }
        walk += 1;
    }
    if !pushes.is_empty() {
        groups.push(PushGroup {
            walk,
            pushes: pushes.into_iter().collect(),
        });
    }
    groups
}

/// The long walks of a solution: each is one way around the level's loop, that
/// the player is forced to by one of its substructures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongWalks {
    /// The most frequent length of a long walk, in moves; of several equally
    /// frequent ones the longest.
    pub loop_length: usize,
    /// Number of long walks, that is of substructures.
    pub loops: usize,
    /// All moves of the solution over its pushes.
    pub moves_per_push: f64,
    /// All moves of the solution over its long walks.
    pub moves_per_loop: f64,
    /// All pushes of the solution over its long walks.
    pub pushes_per_loop: f64,
}

/// Finds the long walks: those at least half as long as the longest. `None` if
/// the player never walks between pushes.
pub fn long_walks(lurd: &Lurd) -> Option<LongWalks> {
    let walks: Vec<usize> = push_groups(lurd).iter().map(|group| group.walk).collect();
    let longest = walks.iter().copied().max().filter(|&walk| walk > 0)?;
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for walk in walks.into_iter().filter(|walk| walk * 2 >= longest) {
        *lengths.entry(walk).or_default() += 1;
    }
    let loops = lengths.values().sum();
    let (&loop_length, _) = lengths.iter().max_by_key(|&(_, count)| count)?;
    let (moves, pushes) = (lurd.len() as f64, lurd.pushes() as f64);
    Some(LongWalks {
        loop_length,
        loops,
        moves_per_push: moves / pushes,
        moves_per_loop: moves / loops as f64,
        pushes_per_loop: pushes / loops as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::seeds;
    use crate::solve::shortest;

    /// The published table of the 6×6 optimum: pushes and the walks before them.
    #[test]
    fn groups_of_the_6x6_optimum() {
        let level = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n";
        let solution = shortest(&level.parse().unwrap()).unwrap().unwrap();
        let groups: Vec<(String, usize)> = push_groups(&solution.lurd)
            .iter()
            .map(|group| (group.pushes.to_string(), group.walk))
            .collect();
        let published = [("U", 17), ("R", 14), ("LLL", 4), ("DDD", 18), ("R", 16)];
        assert_eq!(groups.len(), published.len());
        for ((pushes, walk), expected) in groups.iter().zip(published) {
            assert_eq!((pushes.as_str(), *walk), expected);
        }
    }

    /// The published table of the top 20×20 levels, of the 50×50 and of the
    /// 42×42 level: pushes, substructures, loop length, moves per push, moves
    /// per substructure, pushes per substructure.
    #[test]
    fn long_walks_of_the_published_tables() {
        let published = [
            ("3582", 112, 28, 124, "31.982", "127.929", "4.000"),
            ("3570", 112, 27, 128, "31.875", "132.222", "4.148"),
            ("3566", 110, 27, 128, "32.418", "132.074", "4.074"),
            ("3522", 108, 25, 136, "32.611", "140.880", "4.320"),
            ("3516", 106, 25, 136, "33.170", "140.640", "4.240"),
            ("3368", 98, 26, 126, "34.367", "129.538", "3.769"),
            (
                "一箭十万-107593步",
                590,
                152,
                704,
                "182.361",
                "707.849",
                "3.882",
            ),
            (
                "Microban_IV 101",
                499,
                84,
                302,
                "51.996",
                "308.881",
                "5.940",
            ),
        ];
        let seeds = seeds();
        for (title, pushes, loops, loop_length, per_push, per_loop, pushes_per_loop) in published {
            let seed = seeds
                .iter()
                .find(|seed| seed.title.as_deref() == Some(title))
                .unwrap();
            let solution = shortest(&seed.level).unwrap().unwrap();
            let found = long_walks(&solution.lurd).unwrap();
            assert_eq!(solution.pushes, pushes, "{title}");
            assert_eq!(found.loops, loops, "{title}");
            assert_eq!(found.loop_length, loop_length, "{title}");
            assert_eq!(format!("{:.3}", found.moves_per_push), per_push, "{title}");
            assert_eq!(format!("{:.3}", found.moves_per_loop), per_loop, "{title}");
            assert_eq!(
                format!("{:.3}", found.pushes_per_loop),
                pushes_per_loop,
                "{title}"
            );
        }
    }

    #[test]
    fn a_solution_without_walks_has_no_loops() {
        assert_eq!(long_walks(&"RR".parse().unwrap()), None);
    }
}
