"""Benchmark files to constants: importers, one a format; the checks that refuse what must not be used; the fit; the calibration file."""
