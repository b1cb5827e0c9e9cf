#!/usr/bin/env python3
"""An example prints what its head comment says under "Output:": check_example.py COMMAND... SOURCE. 77: it cannot run here."""
import re
import subprocess
import sys

*command, source = sys.argv[1:]
text = open(source, encoding="utf-8").read()
head = re.search(r"/\*.*?\n \* Output:\n(.*?) \*/", text, re.S)
if not head:
    sys.exit(f"{source}: no Output in the head comment")
want = re.sub(r"(?m)^ \*(?: |$)", "", head.group(1))
run = subprocess.run(command, capture_output=True, text=True)
if run.returncode == 77:
    print(run.stdout)
    sys.exit(77)
if run.returncode != 0 or run.stderr or run.stdout != want:
    sys.exit(f"exit status {run.returncode}\n{run.stderr}--- got\n{run.stdout}--- want\n{want}")
