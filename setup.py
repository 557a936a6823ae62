"""The one step that pyproject.toml cannot say: templates/ of the repository becomes sheetcalc/templates in the wheel."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTemplates(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copytree("templates", Path(self.build_lib, "sheetcalc", "templates"), dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithTemplates})
