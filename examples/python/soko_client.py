#!/usr/bin/env python3
"""A client of a soko coordinator: the record table, a job, a level for the table.

Needs grpcio, grpcio-tools and grpcio-status; the messages come from proto/.
Prints JSON. Exit code 1 if a level is refused or a job ends without an answer,
3 if a call fails.
"""

import argparse
import json
import os
import pathlib
import sys
import uuid

import grpc
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2
from grpc_status import rpc_status

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "proto"))
common, _ = grpc.protos_and_services("soko/v1/common.proto")
jobs, job_services = grpc.protos_and_services("soko/v1/jobs.proto")
records, record_services = grpc.protos_and_services("soko/v1/records.proto")


class Coordinator:
    """The services of a coordinator; every call carries the token, if there is one."""

    def __init__(self, address, ca=None, token=None):
        if ca:
            credentials = grpc.ssl_channel_credentials(pathlib.Path(ca).read_bytes())
            self.channel = grpc.secure_channel(address, credentials)
        else:
            self.channel = grpc.insecure_channel(address)
        self.metadata = [("authorization", f"Bearer {token}")] if token else None
        self.jobs = job_services.JobServiceStub(self.channel)
        self.records = record_services.RecordServiceStub(self.channel)

    def call(self, method, request, timeout=30):
        return method(request, metadata=self.metadata, timeout=timeout)

    def table(self, square=True):
        """The best known level of each board size."""
        return self.call(self.records.ListRecords, records.ListRecordsRequest(square_only=square)).records

    def submit(self, n, name):
        """Files an exact search for M(n). The request id makes a retry harmless."""
        search = common.Search(rows=n, cols=n, mode=common.MODE_EXHAUSTIVE)
        request = jobs.SubmitJobRequest(request_id=str(uuid.uuid4()), search=search, name=name)
        return self.call(self.jobs.SubmitJob, request)

    def follow(self, job):
        """The job now and after every change, until it has ended."""
        return self.call(self.jobs.WatchJob, jobs.GetJobRequest(job=job), timeout=None)

    def result(self, job):
        return self.call(self.jobs.GetJobResult, jobs.GetJobRequest(job=job))

    def hand_in(self, xsb, **fields):
        """Hands in a level; whether it got into the table is in the reply."""
        return self.call(self.records.SubmitRecord, records.SubmitRecordRequest(xsb=xsb, **fields))


def refusal(error):
    """Why a call was refused: code, reason, and seconds after which to try again."""
    refused = {"code": error.code().name, "message": error.details()}
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            refused |= {"reason": info.reason, "metadata": dict(info.metadata)}
        elif detail.Unpack(retry):
            refused["retry_after"] = retry.retry_delay.ToTimedelta().total_seconds()
    return refused


def show(message):
    print(json.dumps(MessageToDict(message, preserving_proto_field_name=True)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coordinator", default="127.0.0.1:50051", metavar="HOST:PORT")
    parser.add_argument("--ca", metavar="FILE", help="certificate of the authority; asks for TLS")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("records")
    job = commands.add_parser("job")
    job.add_argument("--n", type=int, required=True)
    level = commands.add_parser("hand-in")
    level.add_argument("file", type=pathlib.Path)
    for field in ("lurd", "author", "note"):
        level.add_argument(f"--{field}", default="")
    level.add_argument("--n", type=int, default=0)
    arguments = parser.parse_args()
    coordinator = Coordinator(arguments.coordinator, arguments.ca, os.environ.get("SOKO_TOKEN"))
    try:
        return run(coordinator, arguments)
    except grpc.RpcError as error:
        print(json.dumps({"error": refusal(error)}), file=sys.stderr)
        return 3


def run(coordinator, arguments):
    if arguments.command == "records":
        for record in coordinator.table():
            show(record)
        return 0
    if arguments.command == "job":
        job = coordinator.submit(arguments.n, name="from Python")
        for job in coordinator.follow(job.job):
            print(f"{jobs.JobState.Name(job.state)} {job.progress:.0%}", file=sys.stderr)
        show(coordinator.result(job.job))
        return 0 if job.state == jobs.JOB_STATE_DONE else 1
    fields = {field: getattr(arguments, field) for field in ("lurd", "author", "note", "n")}
    reply = coordinator.hand_in(arguments.file.read_text(encoding="utf-8"), **fields)
    show(reply)
    return 0 if reply.verdict != records.VERDICT_REFUSED else 1


if __name__ == "__main__":
    sys.exit(main())
