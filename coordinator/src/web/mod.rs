//! The web page: the search, live, for anybody with a browser.
//!
//! Pages are files carried in the program; they get their content as JSON, by
//! server-sent events where it changes. The page only reads: it shows what the
//! gRPC services answer, in the documents of the command line, and no request
//! changes anything. The one thing it computes is the solution of a level that
//! is drawn in the editor.
//!
//! | file | idea |
//! |---|---|
//! | `server` | routes, on a listener |
//! | `names` | the names under which it answers |
//! | `door` | the token that a browser shows |
//! | `headers` | what every answer says about itself |
//! | `assets` | the carried files |
//! | `frame` | what all pages have around their content |
//! | `pages` | which page is at which address |
//! | `api` | JSON that is asked for once |
//! | `feed` | the one task that looks at the cluster for all viewers |
//! | `channel` | what changed, from the feed to each viewer |
//! | `trail` | how the best of a job rose |
//! | `goals` | how far each goal or batch of a job is |
//! | `solver` | levels of the editor, without starving the search |
//! | `error` | failures as JSON |

mod api;
mod assets;
mod channel;
mod door;
mod error;
mod feed;
mod frame;
mod goals;
mod headers;
mod names;
mod pages;
mod server;
mod solver;
mod trail;

pub(crate) use server::Site;
