def fits(result): return False
