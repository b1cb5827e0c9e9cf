"""ptx.py - kernel texts compiled for NVIDIA's architectures, by NVRTC to PTX and by ptxas to machine code; no device is needed.

    ptx.py FOLDER           each text for one architecture in turn; fails on a text that is refused and on spills
    ptx.py FOLDER TABLE.md  each for all, and writes the table of registers, shared memory and spills
"""
import collections
import ctypes
import glob
import multiprocessing
import os
import re
import shutil
import subprocess
import sys

ARCHITECTURES = (75, 80, 90, 100)
OPTIONS = ("--fmad=false", "-default-device", "--std=c++17")
PLACES = (os.environ.get("ASHLAR_NVRTC"), "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/lib/libnvrtc.so")
# Bytes of spilled registers that a kernel of an operation may have: what goes around the calls of 64-bit and f64 division.
ALLOWED = 96

HEAD = """# Kernels on NVIDIA's architectures

What `ptxas -v` says of the kernels that operations make for a GPU (those of `tests/check_kernels/runs.c`), compiled by NVRTC
{version} as the library compiles them. Of each kernel, the most over its texts (dtypes, shapes): registers of a work-item, bytes
of shared memory of a group, bytes of stack (arrays that are indexed by variables), bytes spilled. Made by
`make kernels-ptx`; `check-kernels` fails where a kernel spills more than {allowed} bytes, which is what goes around the calls of
64-bit and f64 division.

| operation | kernel | texts |{columns}
|---|---|---|{rules}
"""


def library():
    for place in PLACES:
        if place and os.path.exists(place):
            return place
    return None


def ptxas():
    return shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def compiled(nvrtc, text, name, architecture):
    """PTX, or an exception with NVRTC's words."""
    program = ctypes.c_void_p()
    size = ctypes.c_size_t()
    options = [f"--gpu-architecture=compute_{architecture}".encode()] + [option.encode() for option in OPTIONS]
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name.encode(), 0, None, None):
        raise RuntimeError(name + ": nvrtcCreateProgram failed")
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    ask, get = (nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog) if failed else (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    ask(program, ctypes.byref(size))
    words = ctypes.create_string_buffer(size.value)
    get(program, words)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        raise RuntimeError(words.value.decode())
    return words.value


def resources(ptx, name, architecture, assembler):
    """(kernel, registers, shared, stack, spilled) of each kernel of the PTX."""
    path = f"{name}.{architecture}.ptx"
    with open(path, "wb") as file:
        file.write(ptx)
    done = subprocess.run([assembler, "-v", f"--gpu-name=sm_{architecture}", "-o", os.devnull, path], capture_output=True, text=True)
    os.remove(path)
    if done.returncode:
        raise RuntimeError(name + ": " + done.stderr)
    found = []
    for part in done.stderr.split("Compiling entry function")[1:]:
        stack, stores, loads = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part).groups()
        shared = re.search(r"(\d+) bytes smem", part)
        found.append((re.search(r"'(\w+)'", part).group(1), int(re.search(r"Used (\d+) registers", part).group(1)),
                      int(shared.group(1)) if shared else 0, int(stack), max(int(stores), int(loads))))
    return found


def architectures_of(path):
    """Those that a text is for: matrix units are asked for from 80 on."""
    with open(path, encoding="utf-8") as file:
        return [a for a in ARCHITECTURES if a >= 80] if "mma.sync" in file.read() else ARCHITECTURES


def look(job):
    path, architecture = job
    nvrtc = ctypes.CDLL(library())
    with open(path, "rb") as file:
        text = file.read()
    try:
        ptx = compiled(nvrtc, text, os.path.basename(path), architecture)
        return path, architecture, resources(ptx, path, architecture, ptxas()) if ptxas() else [], None
    except RuntimeError as error:
        return path, architecture, [], str(error)


def row(key, seen):
    cells = []
    for architecture in ARCHITECTURES:
        most = [max(values) for values in zip(*seen[architecture])]
        cells.append(f" {most[0]} / {most[1]} / {most[2]} / {most[3]} |" if most else " |")
    return f"| {key[0]} | `{key[1]}` | {len(seen[ARCHITECTURES[-1]])} |{''.join(cells)}\n"


def write_table(path, table, version):
    columns = "".join(f" sm_{a}: registers / shared / stack / spilled |" for a in ARCHITECTURES)
    with open(path, "w") as file:
        file.write(HEAD.format(version=version, allowed=ALLOWED, columns=columns, rules="---|" * len(ARCHITECTURES)))
        for key in sorted(table):
            file.write(row(key, table[key]))


def main():
    folder, to = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    if not library():
        print("no NVRTC: CUDA C++ is not checked")
        return 77
    major, minor = ctypes.c_int(), ctypes.c_int()
    ctypes.CDLL(library()).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    texts = sorted(glob.glob(os.path.join(folder, "*.cl")))
    turns = []
    for k, text in enumerate(texts):
        known = architectures_of(text)
        if not to:
            turns.append((text, known[k % len(known)]))
        elif "run-" in text:
            turns += [(text, architecture) for architecture in known]
    table = collections.defaultdict(lambda: collections.defaultdict(list))
    failed = 0
    with multiprocessing.Pool(min(2, os.cpu_count())) as pool:
        for path, architecture, kernels, error in pool.imap_unordered(look, turns, 4):
            name = os.path.basename(path)
            if error:
                failed = 1
                print(f"{name} for sm_{architecture}: {error}", file=sys.stderr)
            if not name.startswith("run-"):
                continue
            for kernel, registers, shared, stack, spilled in kernels:
                if spilled > ALLOWED:
                    failed = 1
                    print(f"{name} for sm_{architecture}: {kernel} spills {spilled} bytes", file=sys.stderr)
                operation = name.split("-")[1]
                table[operation, kernel][architecture].append((registers, shared, stack, spilled))
    if to and not failed:
        write_table(to, table, f"{major.value}.{minor.value}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
