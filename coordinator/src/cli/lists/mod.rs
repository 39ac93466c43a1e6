//! Jobs, workers and records, one and many.

mod jobs;
mod records;
mod workers;

pub(crate) use jobs::JobDocument;
pub(super) use jobs::JobList;
pub(crate) use records::RecordDocument;
pub(super) use records::{RecordHistory, RecordList};
pub(crate) use workers::WorkerDocument;
pub(super) use workers::WorkerList;

#[cfg(test)]
mod tests {
    use soko::rpc::v1;

    use super::*;

    #[test]
    fn lists_are_objects_with_one_list() {
        let json = |value| serde_json::to_string(&value).unwrap();
        let jobs = JobList::from(v1::ListJobsReply::default());
        assert_eq!(json(serde_json::to_value(jobs).unwrap()), r#"{"jobs":[]}"#);
        let workers = WorkerList::from(v1::ListWorkersReply::default());
        assert_eq!(
            json(serde_json::to_value(workers).unwrap()),
            r#"{"workers":[]}"#
        );
        let records = RecordList::from(v1::ListRecordsReply::default());
        assert_eq!(
            json(serde_json::to_value(records).unwrap()),
            r#"{"records":[]}"#
        );
    }

    #[test]
    fn what_is_not_known_is_null() {
        let job = serde_json::to_value(JobDocument::from(v1::Job::default())).unwrap();
        assert!(job["best_moves"].is_null());
        assert!(job["eta_seconds"].is_null());
        assert!(job.get("line").is_none());
        let record = serde_json::to_value(RecordDocument::from(v1::Record::default())).unwrap();
        assert!(record["title"].is_null());
    }
}
