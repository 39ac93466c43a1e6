//! The record table.

use soko::rpc::v1::{self, record_service_server::RecordService};
use tonic::{Request, Response, Status};

use super::ServiceError;
use crate::hub::HubHandle;

/// The service that shows the record table.
#[derive(Debug, Clone)]
pub struct Records {
    hub: HubHandle,
}

impl Records {
    /// The service.
    pub const fn new(hub: HubHandle) -> Self {
        Self { hub }
    }
}

#[tonic::async_trait]
impl RecordService for Records {
    async fn list_records(
        &self,
        request: Request<v1::ListRecordsRequest>,
    ) -> Result<Response<v1::ListRecordsReply>, Status> {
        let square_only = request.into_inner().square_only;
        let records = self.hub.call(move |core, _, _| {
            let rows = core.records.rows();
            let rows = rows.filter(|row| !square_only || row.rows == row.cols);
            rows.cloned().collect::<Vec<_>>()
        });
        let records = records.await.map_err(ServiceError::from)?;
        Ok(Response::new(v1::ListRecordsReply { records }))
    }

    async fn get_record(
        &self,
        request: Request<v1::GetRecordRequest>,
    ) -> Result<Response<v1::Record>, Status> {
        let v1::GetRecordRequest { rows, cols } = request.into_inner();
        let record = self
            .hub
            .call(move |core, _, _| core.records.get(rows, cols).cloned());
        let record = record.await.map_err(ServiceError::from)?;
        let record = record.ok_or(ServiceError::NoRecord { rows, cols })?;
        Ok(Response::new(record))
    }
}
