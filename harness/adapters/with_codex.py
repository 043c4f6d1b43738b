"""Codex's `apply_patch`, for `surefoot-harness compare`."""

import os
import subprocess

import command

CODEX = command.find(os.environ.get("CODEX", "codex"))


def run(folder, request):
    # The program takes the patch itself where its first argument asks it to be the tool.
    call = [CODEX, "--codex-run-as-apply-patch", request["edit"]]
    return subprocess.run(call, cwd=folder, capture_output=True, text=True)


command.serve("codex", command.version(CODEX, "--version"), ["v4a"], run)
