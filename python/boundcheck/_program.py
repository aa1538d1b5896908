"""Finds the program that the wheel contains."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig


def find_program() -> str:
    """The path of the program: $BOUNDCHECK_PROGRAM, or else the one among this Python's scripts, or else on PATH.

    Raises FileNotFoundError, which names the places that were searched.
    """
    name = "boundcheck" + (".exe" if sys.platform == "win32" else "")
    given = os.environ.get("BOUNDCHECK_PROGRAM")
    if given:
        return given
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")), os.path.join(here, "bin")]
    for place in places:
        path = os.path.join(place, name)
        if os.path.isfile(path):
            return path
    path = shutil.which(name)
    if path:
        return path
    raise FileNotFoundError(f"no {name} in {', '.join(places)} or on PATH; install the wheel of your platform, or set BOUNDCHECK_PROGRAM")
