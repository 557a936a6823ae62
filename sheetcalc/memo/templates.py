"""Where the templates lie: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path

_INSTALLED = Path(__file__).resolve().parent.parent / "templates"
_CHECKOUT = Path(__file__).resolve().parent.parent.parent / "templates"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
