"""Files as the reference implementation writes them: writes safetensors.h, for tests/safetensors.c.

Run: python3 safetensors.py > safetensors.h, with the package safetensors (0.8.0 made what is here), from another folder's
Python path: `import safetensors` must not find this file.
"""
import ctypes
import struct
import sys

sys.path.pop(0)
from safetensors import TensorSpec, serialize  # noqa: E402

kept = []  # a TensorSpec only points to its bytes


def put(name, data):
    print("static const unsigned char %s[] = {" % name)
    for i in range(0, len(data), 24):
        print("    " + ", ".join("%d" % b for b in data[i : i + 24]) + ",")
    print("};")


def tensor(dtype, shape, code, *values):
    data = struct.pack("<%d%s" % (len(values), code), *values)
    kept.append(ctypes.create_string_buffer(data, len(data) + 1))
    return TensorSpec(dtype=dtype, shape=list(shape), data_ptr=ctypes.addressof(kept[-1]), data_len=len(data))


every = {
    "bool": tensor("bool", (3,), "?", 1, 0, 1),
    "u8": tensor("uint8", (3,), "B", 0, 1, 255),
    "i8": tensor("int8", (3,), "b", 0, 1, -128),
    "u16": tensor("uint16", (3,), "H", 0, 1, 65535),
    "i16": tensor("int16", (3,), "h", 0, 1, -32768),
    "u32": tensor("uint32", (3,), "I", 0, 1, 2**32 - 1),
    "i32": tensor("int32", (3,), "i", 0, 1, -(2**31)),
    "u64": tensor("uint64", (3,), "Q", 0, 1, 2**53),
    "i64": tensor("int64", (3,), "q", 0, 1, -(2**53)),
    "f16": tensor("float16", (3,), "e", 0, 1, -1.5),
    "bf16": tensor("bfloat16", (3,), "H", 0, 0x3F80, 0xBFC0),
    "f32": tensor("float32", (3,), "f", 0, 1, -1.5),
    "f64": tensor("float64", (3,), "d", 0, 1, -1e300),
    "c_f32": tensor("complex64", (3,), "f", 0, 0, 1, 0, -1.5, 2),
}
print("/* Made by safetensors.py with the reference implementation: whole files. */")
put("st_every", serialize(every))
put("st_two", serialize({"b": tensor("int32", (2, 3), "i", 0, 1, 2, 3, 4, 5), "a": tensor("float32", (2,), "f", 1, 2)}))
put("st_metadata", serialize({"x": tensor("int16", (1,), "h", 7)}, {"format": "pt"}))
put("st_shapes", serialize({"scalar": tensor("float64", (), "d", 2.5), "empty": tensor("float32", (0, 3), "f"),
                            "rank5": tensor("int16", (1, 2, 1, 2, 1), "h", 0, 1, 2, 3)}))
put("st_none", serialize({}))
put("st_names", serialize({"": tensor("uint8", (1,), "B", 1), 'a "quoted" \\ name': tensor("uint8", (1,), "B", 2),
                           "layer.0.weight": tensor("uint8", (1,), "B", 3), "\u4e2d\U0001f600\n": tensor("uint8", (1,), "B", 4)}))
put("st_f8", serialize({"scales": tensor("float32", (1,), "f", 3), "w": tensor("float8_e4m3fn", (4,), "B", 1, 2, 3, 4)}))
