#!/usr/bin/env python3
"""The main example finds the best clustering of Fisher's irises: check_demo.py PROGRAM SOURCE_ROOT.

The wanted numbers: SciPy's and R's k-means from many starts agree on inertia 78.851441 and these centroids; they are also
those of examples/data/README.md.
"""
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

program, root = sys.argv[1], Path(sys.argv[2])
WANT = [  # size, then the centroid
    ["50", "5.0060", "3.4280", "1.4620", "0.2460"],
    ["62", "5.9016", "2.7484", "4.3935", "1.4339"],
    ["38", "6.8500", "3.0737", "5.7421", "2.0711"],
]

with tempfile.TemporaryDirectory() as folder:
    svg = Path(folder) / "iris.svg"
    run = subprocess.run([program, root / "examples/data/iris.csv", svg], capture_output=True, text=True)
    if run.returncode or run.stderr:
        sys.exit(f"exit status {run.returncode}: {run.stderr}")
    rows = [line.split()[1:] for line in run.stdout.split("\n") if re.match(r" +\d+ +\d+ ", line)]
    if rows != WANT or "inertia 78.8514\n" not in run.stdout:
        sys.exit(f"not the best clustering:\n{run.stdout}")
    tree = xml.parse(svg).getroot()
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    if len(circles) != 150 + 3:  # the points, and three in the legend
        sys.exit(f"{len(circles)} circles in the plot")
    refused = subprocess.run([program, root / "no-such-file.csv", svg], capture_output=True, text=True)
    if refused.returncode != 1 or "no-such-file.csv" not in refused.stderr:
        sys.exit(f"a missing file: exit status {refused.returncode}: {refused.stderr}")
