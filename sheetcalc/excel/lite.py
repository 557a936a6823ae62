"""What goes into xlwings Lite (Excel on Windows, Mac and the web, with Python inside the add-in): its main.py and its requirements.txt."""

from sheetcalc import __version__

MAIN = """# sheetcalc in xlwings Lite: this is the whole main.py. requirements.txt names the packages; restart the add-in after a change.
from sheetcalc.excel.udfs import *  # every SC_ function
"""

WHEEL = f"sheetcalc-{__version__}-py3-none-any.whl"
REQUIREMENTS = f"""xlwings
numpy
https://YOUR-SERVER/{WHEEL}
"""  # an address and no name: the sheetcalc of the public package index is somebody else's
