"""The SC_ functions in a spreadsheet: one registry, and its faces in Excel (xlwings), xlwings Lite and LibreOffice Calc."""
