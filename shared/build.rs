//! Generates the wire types from `proto/` without needing protoc.

use std::{env, error::Error, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    if env::var_os("CARGO_FEATURE_RPC").is_none() {
        return Ok(());
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../proto");
    println!("cargo:rerun-if-changed={}", root.display());
    let files = ["common", "work", "jobs", "records"]
        .map(|name| root.join(format!("soko/v1/{name}.proto")));
    let descriptors = protox::compile(files, [&root])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    std::fs::write(out.join("soko.v1.bin"), {
        use prost::Message;
        descriptors.encode_to_vec()
    })?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
