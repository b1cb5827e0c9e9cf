#!/usr/bin/env python3
"""An example that draws writes a picture with so many circles, and says when it cannot: check_svg.py PROGRAM CIRCLES."""
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

program, wanted = sys.argv[1], int(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    svg = Path(folder) / "picture.svg"
    run = subprocess.run([program, svg], capture_output=True, text=True)
    if run.returncode or run.stderr:
        sys.exit(f"exit status {run.returncode}: {run.stderr}")
    circles = sum(e.tag.endswith("circle") for e in xml.parse(svg).getroot().iter())
    if circles != wanted:
        sys.exit(f"{circles} circles in the picture; {wanted} are wanted")
    refused = subprocess.run([program, Path(folder) / "none" / "picture.svg"], capture_output=True, text=True)
    if refused.returncode != 1 or "picture.svg" not in refused.stderr:
        sys.exit(f"a folder that is not there: exit status {refused.returncode}: {refused.stderr}")
