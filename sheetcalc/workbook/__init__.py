"""Studies as a workbook: live formulas with their values beside them."""
