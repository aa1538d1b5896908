"""python -m boundcheck: the program."""

import os
import subprocess
import sys

from boundcheck._program import find_program

if __name__ == "__main__":
    program = find_program()
    if sys.platform == "win32":
        sys.exit(subprocess.run([program, *sys.argv[1:]]).returncode)
    os.execv(program, [program, *sys.argv[1:]])
