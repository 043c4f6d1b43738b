"""What adapters of command-line programs share: a scratch folder with the file, and the protocol."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def find(name):
    """Returns the program's path, or ends with a word on what is missing."""
    path = shutil.which(name)
    if path is None:
        sys.exit(f"{Path(sys.argv[0]).name}: `{name}` is not installed (see harness/adapters/README.md)")
    return path


def version(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip().split()[-1]


def serve(name, version, formats, run):
    """Answers requests. `run(folder, request)` returns a finished process of the peer, which edits the file there."""
    sys.stdin.readline()
    print(json.dumps({"name": name, "version": version, "formats": formats}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, request["path"])
            path.write_bytes(request["file"].encode())
            done = run(Path(folder), request)
            if done.returncode == 0:
                answer = {"applied": path.read_bytes().decode()}
            else:
                answer = {"refused": (done.stderr or done.stdout).strip()[-500:]}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
