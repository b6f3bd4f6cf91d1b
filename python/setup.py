"""pip install in this folder: the same as in the one above."""

import os
import pathlib
import runpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.chdir(ROOT)
runpy.run_path(str(ROOT / "setup.py"), run_name="__main__")
