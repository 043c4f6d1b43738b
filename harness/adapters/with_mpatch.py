"""mpatch, for `surefoot-harness compare`."""

import os
import subprocess

import command

MPATCH = command.find(os.environ.get("MPATCH", "mpatch"))


def run(folder, request):
    patch = folder / "patch.diff"
    patch.write_text(request["edit"])
    return subprocess.run([MPATCH, patch, folder], capture_output=True, text=True)


command.serve("mpatch", command.version(MPATCH, "--version"), ["unified-diff"], run)
