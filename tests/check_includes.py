#!/usr/bin/env python3
"""Includes point downwards only: a file may include its own layer and those below it.

Run in the root of the source tree. Prints each include that points up or sideways; the exit status says whether there was one.
"""
import re
import sys
from pathlib import Path

OURS = ("ashlar/", "core/", "expr/", "backend/", "ops/", "io/", "random/", "linalg/", "fft/", "kernel/", "mpi/")
# The headers of backend/ hold declarations only: the one door through which the layers around it call a backend. backend.h is
# the table and the task; each of the others holds what one kind of task says further.
BACKEND = ["backend/backend.h", "backend/random.h", "backend/product.h", "backend/factor.h", "backend/fourier.h",
           "backend/kernel.h"]
# What the files below a folder may include, longest folder first. io, random, linalg, fft and kernel lie side by side.
ALLOWED = {
    "include/ashlar": ["(same folder)"],
    "src/core": ["ashlar/", "core/", "backend/backend.h"],
    "src/expr": ["ashlar/", "core/", "expr/"],
    "src/backend/gpu": ["ashlar/", "core/", "expr/", *BACKEND, "backend/gpu/"],
    "src/backend/opencl": ["ashlar/", "core/", *BACKEND, "backend/gpu/", "backend/opencl/"],
    "src/backend/cuda": ["ashlar/", "core/", *BACKEND, "backend/gpu/", "backend/cuda/"],
    "src/backend/cpu": ["ashlar/", "core/", "expr/", *BACKEND, "backend/cpu/"],
    "src/backend": ["ashlar/", "core/", "expr/", *BACKEND],
    "src/ops": ["ashlar/", "core/", "expr/", *BACKEND, "ops/"],
    "src/io": ["ashlar/", "core/", "expr/", *BACKEND, "ops/", "io/"],
    "src/random": ["ashlar/", "core/", "expr/", *BACKEND, "ops/", "random/"],
    "src/linalg": ["ashlar/", "core/", "expr/", *BACKEND, "ops/", "linalg/"],
    "src/fft": ["ashlar/", "core/", "expr/", *BACKEND, "ops/", "fft/"],
    "src/kernel": ["ashlar/", "core/", "expr/", *BACKEND, "ops/", "kernel/"],
    "src/mpi": ["ashlar/", "mpi/"],  # another shared object: the public headers are all it sees
    "tools": ["ashlar/ashlar.h", "(same folder)", "chart.h", "scatter.h"],
    "examples": ["ashlar/ashlar.h", "ashlar/mpi.h", "(same folder)"],
    "bench": ["ashlar/ashlar.h", "(same folder)"],
    "tests/models": ["ashlar/", "(same folder)"],
    "tests": [*OURS, "conformance/", "models/", "property/", "reference/", "kernel_texts.h", "opencl_layer.h", "(same folder)"],
}
ROOTS = {"tools": ["include", "examples"], "tests": ["include", "src", "tests"], "src": ["include", "src"]}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def folder_of(path):
    return max((f for f in ALLOWED if path.as_posix().startswith(f + "/")), key=len)


def fault(path, quote, name):
    """Why this include is not allowed, or None."""
    if quote == "<" and not name.startswith(OURS):
        return None  # the system's
    allowed = ALLOWED[folder_of(path)]
    if "(same folder)" in allowed and quote == '"' and "/" not in name and (path.parent / name).exists():
        return None
    if not any(name == a or (a.endswith("/") and name.startswith(a)) for a in allowed):
        return "points up or sideways"
    if ".." in name:
        return "leaves its layer"
    if quote == "<" and not name.startswith("ashlar/"):
        return "is internal and belongs in quotes"
    roots = ROOTS.get(path.parts[0], ["include"])
    if not any((Path(root) / name).exists() for root in roots):
        return "does not exist"
    return None


def main():
    faults = 0
    files = 0
    for folder in ("include", "src", "tools", "examples", "bench", "tests"):
        for path in sorted(Path(folder).rglob("*.[ch]")):
            files += 1
            for quote, name in INCLUDE.findall(path.read_text()):
                why = fault(path, quote, name)
                if why:
                    faults += 1
                    print(f"{path}: {name} {why}")
    if files < 20:
        print(f"only {files} files found: not in the root of the source tree?")
        faults += 1
    return faults != 0


sys.exit(main())
