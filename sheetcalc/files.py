"""Files that appear whole or not at all."""
from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: str | Path, data: bytes) -> None:
    """Write beside the target, flush to the disk, then rename. Raises OSError."""
    path = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
