//! Roles, and which one a call needs.

use std::str::FromStr;

/// What the bearer of a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything.
    Admin,
    /// File and steer jobs, and read.
    Submitter,
    /// Lease shards and hand in results; nothing else.
    Worker,
    /// Read.
    Reader,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Submitter, Self::Worker, Self::Reader];

    /// Its name in the file of tokens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Submitter => "submitter",
            Self::Worker => "worker",
            Self::Reader => "reader",
        }
    }

    /// Whether it may do what needs `needed`.
    pub const fn may(self, needed: Self) -> bool {
        matches!(
            (self, needed),
            (Self::Admin, _)
                | (Self::Submitter, Self::Submitter | Self::Reader)
                | (Self::Worker, Self::Worker)
                | (Self::Reader, Self::Reader)
        )
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or(())
    }
}

/// The role that a call needs, by the path of its method; `None` if anybody
/// may call it. What is not known needs an administrator.
pub fn needed(path: &str) -> Option<Role> {
    let (service, method) = path.trim_start_matches('/').split_once('/')?;
    Some(match service {
        // What load balancers and container engines ask.
        "grpc.health.v1.Health" => return None,
        "grpc.reflection.v1.ServerReflection" | "grpc.reflection.v1alpha.ServerReflection" => {
            Role::Reader
        }
        "soko.v1.WorkService" => Role::Worker,
        "soko.v1.JobService" | "soko.v1.RecordService" => of_method(method),
        _ => Role::Admin,
    })
}

fn of_method(method: &str) -> Role {
    const READS: [&str; 5] = ["Get", "List", "Watch", "Explain", "ExportJob"];
    const STEERS: [&str; 7] = [
        "SubmitJob",
        "CancelJob",
        "PauseJob",
        "ResumeJob",
        "RetryJob",
        "ImportJob",
        "SubmitRecord",
    ];
    if READS.iter().any(|start| method.starts_with(start)) {
        Role::Reader
    } else if STEERS.contains(&method) {
        Role::Submitter
    } else {
        Role::Admin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_needs_a_role() {
        let cases = [
            ("/soko.v1.WorkService/Lease", Some(Role::Worker)),
            ("/soko.v1.JobService/SubmitJob", Some(Role::Submitter)),
            ("/soko.v1.JobService/GetJob", Some(Role::Reader)),
            ("/soko.v1.JobService/ListWorkers", Some(Role::Reader)),
            ("/soko.v1.JobService/ExportJob", Some(Role::Reader)),
            ("/soko.v1.JobService/ImportJob", Some(Role::Submitter)),
            ("/soko.v1.JobService/DeleteJob", Some(Role::Admin)),
            ("/soko.v1.JobService/DrainWorker", Some(Role::Admin)),
            ("/soko.v1.RecordService/ListRecords", Some(Role::Reader)),
            ("/soko.v1.RecordService/SubmitRecord", Some(Role::Submitter)),
            ("/soko.v1.Unknown/GetAll", Some(Role::Admin)),
            ("/grpc.health.v1.Health/Check", None),
        ];
        for (path, role) in cases {
            assert_eq!(needed(path), role, "{path}");
        }
    }

    #[test]
    fn roles_do_what_they_are_for() {
        for role in Role::ALL {
            assert!(Role::Admin.may(role));
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(role.may(Role::Admin), role == Role::Admin);
        }
        assert!(Role::Submitter.may(Role::Reader));
        assert!(!Role::Reader.may(Role::Submitter));
        assert!(!Role::Worker.may(Role::Reader));
        assert!(!Role::Submitter.may(Role::Worker));
    }
}
