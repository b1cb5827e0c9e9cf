"""The code of docs/python.md runs, and prints what its comments say."""

import ast
import pathlib
import re

import pytest

import ashlar as xp

TUTORIAL = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def run(block, names):
    lines = block.split("\n")
    for statement in ast.parse(block).body:
        line = lines[statement.end_lineno - 1]
        code = ast.get_source_segment(block, statement)
        if isinstance(statement, ast.Expr):
            comment = re.match(r"\s+# (.*)", line[statement.end_col_offset:])
            result = eval(code, names)
            assert comment or result is None, f"nothing says what {code} prints"
            assert not comment or repr(result) == comment[1], code
        else:
            decorators = "".join(f"{lines[d.lineno - 1]}\n" for d in getattr(statement, "decorator_list", []))
            exec(decorators + code, names)


@pytest.mark.skipif(xp.default_device().name != "cpu:0", reason="the tutorial shows the host's device")
def test_tutorial():
    threads, names = xp.config.threads, {"__name__": "tutorial"}
    try:
        for block in BLOCK.findall(TUTORIAL.read_text()):
            run(block, names)
    finally:
        xp.config.threads = threads
