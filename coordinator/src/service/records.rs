//! The record table.

use soko::rpc::v1::{self, record_service_server::RecordService};
use tonic::{Request, Response, Status};

use super::{ServiceError, read, show};
use crate::{
    hub::HubHandle,
    records::{Turns, candidate, outline},
};

/// The service that shows the record table and takes levels for it.
#[derive(Debug, Clone)]
pub struct Records {
    hub: HubHandle,
    turns: Turns,
}

impl Records {
    /// The service; levels that are handed in are solved in these turns.
    pub const fn new(hub: HubHandle, turns: Turns) -> Self {
        Self { hub, turns }
    }

    /// The rows without their texts.
    pub(crate) async fn list(&self, square_only: bool) -> Result<Vec<v1::Record>, ServiceError> {
        let records = self.hub.call(move |core, _, _| {
            let rows = core.records.rows();
            let rows = rows.filter(|row| !square_only || row.rows == row.cols);
            rows.map(outline).collect::<Vec<_>>()
        });
        Ok(records.await?)
    }

    pub(crate) async fn get(&self, rows: u32, cols: u32) -> Result<v1::Record, ServiceError> {
        let record = self
            .hub
            .call(move |core, _, _| core.records.get(rows, cols).cloned());
        record.await?.ok_or(ServiceError::NoRecord { rows, cols })
    }

    async fn submit(
        &self,
        wire: v1::SubmitRecordRequest,
    ) -> Result<v1::SubmitRecordReply, ServiceError> {
        let handed = read::handed_in(wire)?;
        let record = match self.turns.take(move || candidate(&handed)).await? {
            Ok(record) => record,
            Err(why) => return Ok(show::no_candidate(&why)),
        };
        let offered = record.clone();
        let standing = self.hub.call(move |core, _, effects| {
            let (standing, write) = core.records.offer_handed_in(offered);
            effects.writes.extend(write);
            standing
        });
        Ok(show::standing(standing.await?, &record))
    }
}

#[tonic::async_trait]
impl RecordService for Records {
    async fn list_records(
        &self,
        request: Request<v1::ListRecordsRequest>,
    ) -> Result<Response<v1::ListRecordsReply>, Status> {
        let square_only = request.into_inner().square_only;
        let records = self.list(square_only).await?;
        Ok(Response::new(v1::ListRecordsReply { records }))
    }

    async fn get_record(
        &self,
        request: Request<v1::GetRecordRequest>,
    ) -> Result<Response<v1::Record>, Status> {
        let v1::GetRecordRequest { rows, cols } = request.into_inner();
        let record = self.get(rows, cols).await?;
        Ok(Response::new(record))
    }

    async fn submit_record(
        &self,
        request: Request<v1::SubmitRecordRequest>,
    ) -> Result<Response<v1::SubmitRecordReply>, Status> {
        Ok(Response::new(self.submit(request.into_inner()).await?))
    }

    async fn get_record_history(
        &self,
        request: Request<v1::GetRecordRequest>,
    ) -> Result<Response<v1::RecordHistory>, Status> {
        let v1::GetRecordRequest { rows, cols } = request.into_inner();
        let store = self.hub.store();
        let records = store.read(move |catalog| catalog.record_history(rows, cols));
        let records = records.await.map_err(ServiceError::from)?;
        if records.is_empty() {
            return Err(ServiceError::NoRecord { rows, cols }.into());
        }
        Ok(Response::new(v1::RecordHistory { records }))
    }
}
