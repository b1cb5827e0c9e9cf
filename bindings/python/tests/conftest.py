"""Settings of the tests: the same draws every time, and the package beside this folder."""

import os
import pathlib
import sys

import hypothesis

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# Every combination of dtypes is compiled once on an OpenCL device, which takes its time.
examples = 2 if os.environ.get("ASHLAR_DEVICE", "").startswith("opencl") else 15
hypothesis.settings.register_profile("check", max_examples=examples, derandomize=True, deadline=None, database=None,
                                     suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("check")
