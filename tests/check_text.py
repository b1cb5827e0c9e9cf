#!/usr/bin/env python3
"""What the text of every source file must not have: paths of one machine, notes left behind, lines nobody can read.

Run in the root of the source tree.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

LONGEST = 128
MACHINE = re.compile(r"(?<![\w.$}{)>])/(?:home|root|work|Users|mnt)/\w")
LEFT_BEHIND = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
SOURCE = {".c", ".h", ".cpp", ".py", ".sh", ".cmake", ".md", ".txt", ".1", ""}
NOT_WRITTEN = ("tests/fuzz/corpus/", "tests/data/", "tests/reference/", "examples/data/", "build")


def files():
    """Tracked files and those that could be; without git (an exported tree), all."""
    if shutil.which("git"):
        git = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
        if git.returncode == 0:
            return [Path(name) for name in git.stdout.split("\n") if name]
    return [p for p in Path(".").rglob("*") if p.is_file() and ".git" not in p.parts]


def main():
    faults = 0

    def tell(path, line, why):
        nonlocal faults
        faults += 1
        print(f"{path}:{line}: {why}")

    for path in files():
        name = path.as_posix()
        if path.suffix not in SOURCE or name.startswith(NOT_WRITTEN) or name == "LICENSE" or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        code = path.suffix in (".c", ".h", ".cpp")
        if text and not text.endswith("\n"):
            tell(path, text.count("\n") + 1, "no newline at the end")
        for number, line in enumerate(text.split("\n"), 1):
            if MACHINE.search(line) and not name.endswith("check_text.py"):
                tell(path, number, "a path of one machine")
            if LEFT_BEHIND.search(line):
                tell(path, number, "a note left behind")
            if line != line.rstrip():
                tell(path, number, "blanks at the end of the line")
            if code and "\t" in line:
                tell(path, number, "a tab")
            if code and len(line) > LONGEST and "http" not in line:
                tell(path, number, f"{len(line)} columns; at most {LONGEST}")
    return faults != 0


sys.exit(main())
