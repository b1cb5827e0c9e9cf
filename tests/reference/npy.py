"""NPY files as NumPy writes them: writes npy.h, for tests/npy.c. Run: python3 npy.py > npy.h"""
import io
import warnings

import numpy as np

warnings.simplefilter("ignore")


def saved(array, version=None):
    out = io.BytesIO()
    if version:
        np.lib.format.write_array(out, array, version=version)
    else:
        np.save(out, array)
    return out.getvalue()


def put(name, data):
    print("static const unsigned char %s[] = {" % name)
    for i in range(0, len(data), 24):
        print("    " + ", ".join("%d" % b for b in data[i : i + 24]) + ",")
    print("};")


print("/* Made by npy.py with NumPy: whole NPY files. */")
for name, dtype in (
    ("bool", "?"), ("i8", "i1"), ("i16", "<i2"), ("i32", "<i4"), ("i64", "<i8"), ("u8", "u1"), ("u16", "<u2"), ("u32", "<u4"),
    ("u64", "<u8"), ("f16", "<f2"), ("f32", "<f4"), ("f64", "<f8"), ("c_f32", "<c8"), ("c_f64", "<c16"),
):  # fmt: skip
    put("npy_" + name, saved(np.arange(6).reshape(2, 3).astype(dtype)))
put("npy_fortran", saved(np.asfortranarray(np.arange(6, dtype="<f4").reshape(2, 3))))
put("npy_scalar", saved(np.array(2.5)))
put("npy_vector", saved(np.arange(3, dtype="<i4")))
put("npy_empty", saved(np.zeros((0, 3), "<f4")))
put("npy_rank5", saved(np.arange(4, dtype="<i2").reshape(1, 2, 1, 2, 1)))
put("npy_big_i16", saved(np.array([1, 256, -2], ">i2")))
put("npy_big_f32", saved(np.array([1.5, -2, 1e-30], ">f4")))
put("npy_big_f64", saved(np.array([1.5, -2, 1e-300], ">f8")))
put("npy_big_c_f32", saved(np.array([1 + 2j, -3j], ">c8")))
put("npy_version2", saved(np.arange(3, dtype="<i4"), (2, 0)))
put("npy_version3", saved(np.arange(3, dtype="<i4"), (3, 0)))

point = np.dtype([("x", "<f4", (3,)), ("m", "<f8")], align=True)
packed = np.dtype([("tag", "u1"), ("m", "<f8"), ("h", "<f2"), ("good", "?")])
nested = np.dtype([("at", point), ("n", "<i4")], align=True)
points = np.zeros(2, point)
points["x"] = [[1, 2, 3], [4, 5, 6]]
points["m"] = [0.5, -0.5]
mixed = np.array([(1, 0.5, 1.5, True), (2, -0.5, -1.5, False)], packed)
both = np.zeros(2, nested)
both["at"] = points
both["n"] = [7, -7]
put("npy_points", saved(points))
put("npy_packed", saved(mixed))
put("npy_packed_big", saved(mixed.astype(packed.newbyteorder(">"))))
put("npy_nested", saved(both))
put("npy_unicode", saved(np.array([(1,), (2,)], [("\u4e2d\u00e9", "<i4")])))
put("npy_latin1", saved(np.array([(1,), (2,)], [("\u00e9'\\", "<i4")])))
put("npy_table", saved(np.array([([[1, 2], [3, 4]],)], [("t", "<i2", (2, 2))])))
for name, array in (
    ("strings", np.array([b"ab"])), ("unicode", np.array(["ab"])), ("objects", np.array([None, {}], object)),
    ("dates", np.array(["2020-01-01"], "M8[D]")), ("times", np.array([1], "m8[s]")), ("long", np.zeros(1, np.longdouble)), ("raw", np.zeros(1, "V3")),
    ("raw2", np.array([b"\x80\x3f", b"\x00\x40"], "V2")),
):  # fmt: skip
    put("npy_no_" + name, saved(array))
