"""Imported first: finds what the zoo shares with the process tests and the little web."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "process"), str(HERE.parents[1] / "deploy" / "littleweb")]
