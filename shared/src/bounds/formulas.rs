//! The proven bounds of M(n), from "关于单箱推箱子的最大最优步数" (2026-09).

use super::best_parameters;

/// M(n) where it is known exactly, by exhaustive search: (n, moves). The last
/// one is from this project's own search (`results/exact`).
pub const EXACT: [(u64, u64); 5] = [(3, 10), (4, 25), (5, 41), (6, 78), (7, 119)];

/// Which side a bound is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundKind {
    /// M(n) is at least this.
    Lower,
    /// M(n) is at most this.
    Upper,
}

/// A proven bound of M(n).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// Which side.
    pub kind: BoundKind,
    /// What it rests on.
    pub name: &'static str,
    /// The formula in n.
    pub formula: &'static str,
    /// The formula's value.
    pub moves: u128,
    /// Whether no other bound of its side is better.
    pub best: bool,
}

/// Moves of the construction with `m` teeth in each of `bands` bands:
/// 56m²r² + 116mr² + 44r² − 44mr − 59r, that is |P| + K(L + 2) with pushes
/// |P| = 14mr + 15r − 12, turns K = 4mr + 2r − 3 and loop
/// L = 14mr + 22r − 6.
pub const fn construction_moves(m: u64, bands: u64) -> u128 {
    let (m, r) = (m as u128, bands as u128);
    (14 * m * r + 15 * r - 12) + (4 * m * r + 2 * r - 3) * (14 * m * r + 22 * r - 4)
}

/// All bounds that hold for this n, the lower ones first. Empty for n < 3,
/// where no level has a solution of one move or more. n is at most 10⁹ here;
/// a larger one counts as that.
pub fn bounds(n: u64) -> Vec<Bound> {
    let mut found = Vec::new();
    if n < 3 {
        return found;
    }
    let n = n.min(1_000_000_000);
    let mut push = |kind, name, formula, moves| {
        found.push(Bound {
            kind,
            name,
            formula,
            moves,
            best: false,
        });
    };
    let exact = EXACT.iter().find(|&&(known, _)| known == n);
    if let Some(&(_, moves)) = exact {
        push(BoundKind::Lower, "exhaustive search", "M(n)", moves.into());
    } else {
        // Walls around a smaller board change nothing: M(n) never falls.
        push(BoundKind::Lower, "M(7) in a larger board", "119", 119);
    }
    lower_bounds(n, &mut push);
    if let Some(&(_, moves)) = exact {
        push(BoundKind::Upper, "exhaustive search", "M(n)", moves.into());
    }
    upper_bounds(n, &mut push);
    mark_best(&mut found);
    found
}

fn lower_bounds(n: u64, push: &mut impl FnMut(BoundKind, &'static str, &'static str, u128)) {
    if let Some((m, bands)) = best_parameters(n) {
        push(
            BoundKind::Lower,
            "construction",
            "56m²r² + 116mr² + 44r² − 44mr − 59r, m = ⌊(n−14)/8⌋, r = 2⌊(n+1)/14⌋",
            construction_moves(m, bands),
        );
    }
    let wide = i128::from(n);
    if n >= 30 {
        let (n2, n3, n4) = (wide.pow(2), wide.pow(3), wide.pow(4));
        let value = 7 * n4 - 346 * n3 + 5975 * n2 - 42844 * wide + 106_464;
        push(
            BoundKind::Lower,
            "construction, without rounding",
            "⌈(7n⁴ − 346n³ + 5975n² − 42844n + 106464)/392⌉",
            div_ceil(value, 392),
        );
        push(
            BoundKind::Lower,
            "construction, as a product",
            "⌈(n−21)²(n−12)²/56⌉",
            div_ceil((wide - 21).pow(2) * (wide - 12).pow(2), 56),
        );
    }
    if n >= 42 {
        push(
            BoundKind::Lower,
            "construction, leading term only",
            "⌈n⁴/896⌉",
            div_ceil(wide.pow(4), 896),
        );
    }
}

fn upper_bounds(n: u64, push: &mut impl FnMut(BoundKind, &'static str, &'static str, u128)) {
    let n = u128::from(n);
    push(
        BoundKind::Upper,
        "no state comes twice",
        "(n² − 1)²",
        (n * n - 1).pow(2),
    );
    push(
        BoundKind::Upper,
        "a box at the edge stays there",
        "(n−2)(n−1)(n² − 1)",
        (n - 2) * (n - 1) * (n * n - 1),
    );
}

fn mark_best(found: &mut [Bound]) {
    let side = |kind| found.iter().filter(move |bound| bound.kind == kind);
    let lower = side(BoundKind::Lower).map(|bound| bound.moves).max();
    let upper = side(BoundKind::Upper).map(|bound| bound.moves).min();
    for bound in found {
        let best = match bound.kind {
            BoundKind::Lower => lower,
            BoundKind::Upper => upper,
        };
        bound.best = Some(bound.moves) == best;
    }
}

/// `value / by` rounded up, 0 for negative values.
fn div_ceil(value: i128, by: u128) -> u128 {
    u128::try_from(value).unwrap_or(0).div_ceil(by)
}

/// Upper bound for a level with `floor` floor cells on an n×n board, n ≥ 2:
/// the smaller of (F − 1)² and (n − 2)(n − 1)(F − 1).
pub fn upper_bound_with_floor(n: u64, floor: u64) -> u128 {
    let n = u128::from(n);
    let others = u128::from(floor.saturating_sub(1));
    let boxes = n.saturating_sub(2) * n.saturating_sub(1);
    (others * others).min(boxes * others)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(n: u64, name: &str) -> u128 {
        let found = bounds(n).into_iter().find(|bound| bound.name == name);
        found.unwrap().moves
    }

    #[test]
    fn published_values_of_the_construction() {
        for (m, bands, moves) in [
            (2, 4, 7412),
            (4, 6, 49_134),
            (6, 8, 173_800),
            (7, 10, 356_330),
            (14, 18, 4_084_506),
        ] {
            assert_eq!(construction_moves(m, bands), moves);
            let r = u128::from(bands);
            let m = u128::from(m);
            let expanded = 56 * m * m * r * r + 116 * m * r * r + 44 * r * r - 44 * m * r - 59 * r;
            assert_eq!(expanded, moves);
        }
    }

    /// For n = 56t + 14 the construction is a polynomial in t.
    #[test]
    fn the_construction_on_its_best_sizes() {
        for t in 1u64..40 {
            let expected = 56u128.pow(3) * u128::from(t).pow(4)
                + 139_776 * u128::from(t).pow(3)
                + 37_312 * u128::from(t).pow(2)
                + 3568 * u128::from(t)
                + 58;
            assert_eq!(construction_moves(7 * t, 8 * t + 2), expected);
            assert_eq!(value(56 * t + 14, "construction"), expected);
        }
    }

    #[test]
    fn bounds_do_not_cross_and_are_ordered() {
        for n in (3..600).chain([10_000, 1_000_000_000]) {
            let found = bounds(n);
            let of = |kind| {
                let side = found.iter().filter(move |bound| bound.kind == kind);
                side.map(|bound| bound.moves)
            };
            let lower = of(BoundKind::Lower).max().unwrap();
            let upper = of(BoundKind::Upper).min().unwrap();
            assert!(lower <= upper, "n = {n}");
            if n >= 30 {
                let exact = value(n, "construction");
                assert!(
                    exact >= value(n, "construction, without rounding"),
                    "n = {n}"
                );
                assert!(exact >= value(n, "construction, as a product"), "n = {n}");
            }
            for kind in [BoundKind::Lower, BoundKind::Upper] {
                assert!(found.iter().any(|bound| bound.kind == kind && bound.best));
            }
        }
    }

    #[test]
    fn small_boards() {
        assert!(bounds(0).is_empty() && bounds(2).is_empty());
        // n⁴ − 3n³ + n² + 3n − 2
        assert_eq!(value(6, "a box at the edge stays there"), 700);
        assert_eq!(value(6, "no state comes twice"), 35 * 35);
        assert_eq!(upper_bound_with_floor(6, 28), 540);
        assert_eq!(upper_bound_with_floor(6, 10), 81);
        assert_eq!(upper_bound_with_floor(0, 0), 0);
    }
}
