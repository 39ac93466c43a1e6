//! The rules, one test each. Names start with the reported fault of similar
//! systems that the rule prevents.

mod bench;
mod checks;
mod hunts;
mod jobs;
mod leases;
