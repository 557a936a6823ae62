"""The version of the library that sets text, which is no Python package."""


def pango():
    """Pango's version number as text, or "no pango"."""
    try:
        from weasyprint.text.ffi import pango as library
    except (ImportError, OSError):
        return "no pango"
    return str(library.pango_version())
