"""What goes into xlwings Lite (Excel on Windows, Mac and the web, with Python inside the add-in): its main.py and its requirements.txt."""

MAIN = """# sheetcalc in xlwings Lite: this is the whole main.py. requirements.txt names the packages; restart the add-in after a change.
from sheetcalc.excel.udfs import *  # every SC_ function
"""

REQUIREMENTS = """xlwings
sheetcalc
numpy
"""
