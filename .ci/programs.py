"""The project's programs, running, for tests in Python."""

import json
import subprocess


class Programs:
    """Programs of a folder that are started here, and ended in order."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []

    def serve(self, *arguments):
        """Starts a coordinator on free ports: the document in which it says where it is."""
        serve = self.start("soko-coord", "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
                           *arguments, "--log", "warn", "-o", "json", stdout=subprocess.PIPE)
        return json.loads(serve.stdout.readline())

    def start(self, program, *arguments, **options):
        process = subprocess.Popen([self.folder / program, *arguments], **options)
        self.running.append(process)
        return process

    def stop(self):
        """All have to end by themselves, with 0."""
        # Workers first: they hand in what they have.
        codes = []
        for process in reversed(self.running):
            process.terminate()
            try:
                codes.append(process.wait(timeout=15))
            except subprocess.TimeoutExpired:
                process.kill()
                codes.append("no end within 15 s")
        assert all(code == 0 for code in codes), f"the programs ended with {codes}"
