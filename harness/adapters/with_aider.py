"""aider's search/replace blocks, for `surefoot-harness compare`. Run with the Python that aider is installed for."""

import json
import sys
from importlib.metadata import version

try:
    from aider.coders import editblock_coder as peer
except ImportError as error:
    sys.exit(f"with_aider.py: aider is not installed for this Python ({error}); try: pip install aider-chat")


def apply(request):
    content, fence = request["file"], ("```", "```")
    blocks = peer.find_original_update_blocks(request["edit"], fence, [request["path"]])
    for _, old, new in blocks:
        content = peer.do_replace(request["path"], content, old, new, fence)
        if content is None:
            return {"refused": "the block fits nowhere"}
    return {"applied": content}


def main():
    sys.stdin.readline()
    hello = {"name": "aider", "version": version("aider-chat"), "formats": ["search-replace"]}
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = apply(request)
        except ValueError as error:
            answer = {"refused": str(error)}
        print(json.dumps({"id": request["id"], **answer}), flush=True)


main()
