//! The parameters of heuristic searches.

use crate::{
    rpc::v1,
    search::{anneal, beam, genetic, neighborhood},
};

impl From<&anneal::Params> for v1::AnnealParams {
    fn from(params: &anneal::Params) -> Self {
        let moves = params.moves;
        Self {
            evaluations: params.evaluations,
            run: params.run,
            hot: params.hot,
            warm: params.warm,
            cold: params.cold,
            plateau: params.plateau,
            restart: params.restart,
            flip: moves.flip,
            swap: moves.swap,
            shift: moves.shift,
            goal: moves.goal,
            best_goal: moves.best_goal,
        }
    }
}

impl From<&v1::AnnealParams> for anneal::Params {
    fn from(wire: &v1::AnnealParams) -> Self {
        Self {
            evaluations: wire.evaluations,
            run: wire.run,
            hot: wire.hot,
            warm: wire.warm,
            cold: wire.cold,
            plateau: wire.plateau,
            restart: wire.restart,
            moves: anneal::Moves {
                flip: wire.flip,
                swap: wire.swap,
                shift: wire.shift,
                goal: wire.goal,
                best_goal: wire.best_goal,
            },
        }
    }
}

impl From<&neighborhood::Params> for v1::NeighborhoodParams {
    fn from(params: &neighborhood::Params) -> Self {
        Self {
            flips: params.flips,
            pairs: params.pairs,
            window: params.window,
            window_radius: params.window_radius,
            blocks: params.blocks,
            shifts: params.shifts,
            swaps: params.swaps,
            torus: params.torus,
            grafts: params.grafts,
            near: params.near,
            slack: params.slack,
        }
    }
}

impl From<&v1::NeighborhoodParams> for neighborhood::Params {
    fn from(wire: &v1::NeighborhoodParams) -> Self {
        Self {
            flips: wire.flips,
            pairs: wire.pairs,
            window: wire.window,
            window_radius: wire.window_radius,
            blocks: wire.blocks,
            shifts: wire.shifts,
            swaps: wire.swaps,
            torus: wire.torus,
            grafts: wire.grafts,
            near: wire.near,
            slack: wire.slack,
        }
    }
}

impl From<&genetic::Params> for v1::GeneticParams {
    fn from(params: &genetic::Params) -> Self {
        Self {
            evaluations: params.evaluations,
            population: params.population,
            migrants: params.migrants,
            polish: params.polish,
            warm: params.warm,
            mutations: params.mutations,
            single: params.single,
        }
    }
}

impl From<&v1::GeneticParams> for genetic::Params {
    fn from(wire: &v1::GeneticParams) -> Self {
        Self {
            evaluations: wire.evaluations,
            population: wire.population,
            migrants: wire.migrants,
            polish: wire.polish,
            warm: wire.warm,
            mutations: wire.mutations,
            single: wire.single,
        }
    }
}

impl From<&beam::Params> for v1::BeamParams {
    fn from(params: &beam::Params) -> Self {
        Self {
            evaluations: params.evaluations,
            width: params.width,
            walks: params.walks,
            noise: params.noise,
        }
    }
}

impl From<&v1::BeamParams> for beam::Params {
    fn from(wire: &v1::BeamParams) -> Self {
        Self {
            evaluations: wire.evaluations,
            width: wire.width,
            walks: wire.walks,
            noise: wire.noise,
        }
    }
}
