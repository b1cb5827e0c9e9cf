#!/usr/bin/env python3
"""Every public function is documented where it is declared.

A doc comment, /** ... */, stands right above an ASH_API declaration, or above a run of them without a blank line between,
which then share it. It must have

  - a first sentence;
  - an @param for every parameter, and an @return unless nothing is returned;
  - where an array is returned: whose it is, and the statuses it can fail with;
  - where a status is returned: the statuses;
  - Shape and Dtype where arrays go in and an array comes out; Exact where numbers are computed (map.h).

Units and Source are asked for by reviewers, where they exist. Run in the root of the source tree.
"""
import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*\*(?!\*)(.*?)\*/", re.S)
OWNERSHIP = re.compile(r"caller|scope|borrowed|owned|own reference|itself|shared|holds|kept|lives", re.I)


class Function:
    def __init__(self, header, text):
        self.header = header
        self.text = " ".join(text.split())
        head = re.match(r"ASH_API (.*?)(\w+)\((.*)\)", self.text)
        if not head:
            sys.exit(f"{header}: cannot read {self.text}")
        self.result = head.group(1).strip()
        self.name = head.group(2)
        self.parameters = names(head.group(3))
        self.takes_array = "ash_array *" in head.group(3) or "ash_operands" in head.group(3)
        self.gives_array = self.result == "ash_array *" or self.result.endswith("_result")


def names(parameters):
    """The names in a parameter list; those of function pointers' own parameters left out."""
    flat = re.sub(r"\(\*(\w+)\)\([^()]*\)", r"\1", parameters)
    found = []
    for parameter in flat.split(","):
        parameter = parameter.replace("ASH__DEFAULT", "").strip()
        if parameter not in ("", "void"):
            found.append(re.search(r"(\w+)$", parameter).group(1))
    return found


def groups(header):
    """(comment or None, [functions]) for each run of declarations."""
    text = re.sub(r"\\\n", "  ", header.read_text())
    text = re.sub(r"(?m)^#.*$", "#", text)  # a directive ends a run as a blank line does
    # plain comments behind or between declarations say nothing to this check
    text = re.sub(r"[ \t]*/\*(?!\*)(?:[^*]|\*(?!/))*\*/", "", text)
    comment = None
    run = []
    for token in re.finditer(r"/\*\*.*?\*/|ASH_API[^;{]*;|\n[ \t]*\n|#|[;}]", text, re.S):
        word = token.group()
        if word.startswith("ASH_API"):
            run.append(Function(header, word[:-1]))
            continue
        if run:
            yield comment, run
        comment, run = (COMMENT.match(word).group(1) if word.startswith("/**") else None), []
    if run:
        yield comment, run


def section(comment, word):
    """The text of @return."""
    found = re.search(rf"@{word}\b(.*?)(?=@\w|\Z)", comment, re.S)
    return found.group(1) if found else None


def faults(comment, run):
    if comment is None:
        yield from (f"{f.name} has no doc comment" for f in run)
        return
    plain = re.sub(r"(?m)^\s*\* ?", "", comment).strip()
    if not re.match(r"[A-Z0-9`\"][^@]*?[.:]", plain):
        yield f"{run[0].name}: no first sentence"
    for f in run:
        for parameter in f.parameters:
            if not re.search(rf"@param\s+(?:[\w, ]+,\s*)?{parameter}\b", plain):
                yield f"{f.name}: no @param {parameter}"
        told = section(plain, "return")
        if f.result != "void" and told is None:
            yield f"{f.name}: no @return"
        elif f.gives_array and not (OWNERSHIP.search(told) and ("ASH_ERR" in told or "NULL" in told)):
            yield f"{f.name}: @return does not say whose the array is and how it fails"
        elif f.result == "ash_status" and "ASH_" not in told:
            yield f"{f.name}: @return names no status"
        if f.gives_array and f.takes_array and f.header.name in ("array.h", "view.h", "map.h"):
            for heading in ("Shape", "Dtype") + (("Exact",) if f.header.name == "map.h" else ()):
                if not re.search(rf"(?m)^{heading}\b", plain):
                    yield f"{f.name}: no {heading}"


def main():
    count = 0
    bad = 0
    for header in sorted(Path("include/ashlar").glob("*.h")):
        for comment, run in groups(header):
            count += len(run)
            for text in faults(comment, run):
                bad += 1
                print(f"{header}: {text}")
    if count < 50:
        print(f"only {count} public functions found: not in the root of the source tree?")
        bad += 1
    print(f"{count} public functions, {bad} faults")
    return bad != 0


sys.exit(main())
