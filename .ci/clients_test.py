#!/usr/bin/env python3
"""Calls a coordinator with clients that are not soko's: Python's grpcio, and buf.

Usage: .ci/clients_test.py FOLDER_OF_PROGRAMS

Starts a coordinator and a worker of its own on free ports. Needs the packages of
examples/python/requirements.txt in the environment of the interpreter.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

from programs import Programs

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples/python/soko_client.py"
BUF = pathlib.Path(sys.executable).parent / "buf"
PATIENCE = 40
# Of this size no level is known from the start.
SIDE = 200


class Cluster(Programs):
    """A coordinator with tokens, and a worker."""

    def __init__(self, programs, folder):
        super().__init__(programs)
        self.tokens = {role: f"{role}-of-this-test" for role in ("admin", "submitter", "worker", "reader")}
        tokens = folder / "tokens.txt"
        tokens.write_text("".join(f"{role} {token}\n" for role, token in self.tokens.items()))
        self.url = self.serve("--data", folder / "data", "--tokens", tokens)["coordinator"]
        self.address = self.url.split("://")[1]
        self.start("soko-worker", "--coordinator", self.url, "--threads", "1", "--log", "warn",
                   env={"SOKO_TOKEN": self.tokens["worker"]})

    def python(self, *arguments, role="submitter"):
        """Runs the example: its exit code, the documents it prints, the error it prints."""
        command = [sys.executable, EXAMPLE, "--coordinator", self.address, *map(str, arguments)]
        said = subprocess.run(command, env={"SOKO_TOKEN": self.tokens.get(role, "")}, timeout=PATIENCE,
                              capture_output=True, text=True)
        error = json.loads(said.stderr)["error"] if said.returncode == 3 else None
        return said.returncode, [json.loads(line) for line in said.stdout.splitlines()], error

    def buf(self, method, request, role="submitter"):
        """Calls a method with buf, which asks the coordinator for its messages."""
        token = f"authorization: Bearer {self.tokens[role]}"
        command = [BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--header", token,
                   "--reflect-header", token, "--data", json.dumps(request), f"{self.url}/soko.v1.{method}"]
        said = subprocess.run(command, timeout=PATIENCE, capture_output=True, text=True)
        assert said.stdout or said.stderr.startswith("{"), said.stderr
        return said.returncode, json.loads(said.stdout or said.stderr)


def python(cluster, folder):
    def level(name, text):
        (folder / name).write_text(text)
        return folder / name

    code, (result,), _ = cluster.python("job", "--n", 4)
    assert code == 0 and result["proven"] and result["any_start"]["max_moves"] == 25, result
    code, rows, _ = cluster.python("records", role="reader")
    assert code == 0 and any(row["rows"] == 4 and row["exact"] for row in rows), rows

    corridor = level("corridor.xsb", "@--$.\n")
    hand_in = ["hand-in", corridor, "--n", SIDE, "--author", "Somebody", "--lurd", "rrR"]
    code, (reply,), _ = cluster.python(*hand_in)
    assert (code, reply["verdict"], reply["moves"]) == (0, "VERDICT_STORED", 3), reply
    code, (reply,), _ = cluster.python("hand-in", level("shorter.xsb", "@-$.\n"), "--n", SIDE)
    assert (code, reply["reason"]) == (1, "REFUSAL_REASON_NOT_BETTER"), reply
    assert reply["record_moves"] == 3 and "has 3" in reply["message"], reply
    code, (reply,), _ = cluster.python("hand-in", level("bad.xsb", "@-$.\n--x-\n"), "--n", SIDE)
    assert (reply["reason"], reply["line"], reply["column"]) == ("REFUSAL_REASON_MALFORMED", 2, 3), reply

    for role, code, reason in (("reader", "PERMISSION_DENIED", "WRONG_ROLE"),
                               ("nobody", "UNAUTHENTICATED", "NO_TOKEN")):
        exit_code, _, error = cluster.python(*hand_in, role=role)
        assert exit_code == 3 and (error["code"], error["reason"]) == (code, reason), error
    _, _, error = cluster.python("hand-in", corridor, "--note", "x" * 501)
    assert (error["reason"], error["metadata"]) == ("INVALID_ARGUMENT", {"field": "note"}), error


def buf(cluster):
    code, record = cluster.buf("RecordService/GetRecord", {"rows": SIDE, "cols": SIDE}, role="reader")
    assert code == 0 and (record["maxMoves"], record["author"]) == (3, "Somebody"), record
    assert record["provenance"]["mode"] == "handed-in", record
    code, job = cluster.buf("JobService/SubmitJob", {
        "requestId": "from-buf", "search": {"rows": 3, "cols": 3, "mode": "MODE_EXHAUSTIVE"}})
    assert code == 0 and len(job["job"]) == 16, job
    code, error = cluster.buf("RecordService/GetRecord", {"rows": 999, "cols": 1})
    assert code != 0 and error["code"] == "not_found", error
    (info,) = (detail for detail in error["details"] if detail["type"] == "google.rpc.ErrorInfo")
    assert b"NO_RECORD" in base64.b64decode(info["value"] + "=="), error
    code, error = cluster.buf("JobService/DeleteJob", {"job": job["job"]})
    assert code != 0 and error["code"] == "permission_denied", error


def main():
    programs = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cluster = Cluster(programs, folder)
        try:
            python(cluster, folder)
            print("grpcio: table, job, levels, refusals")
            buf(cluster)
            print("buf curl: reflection, record, job, refusals")
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
