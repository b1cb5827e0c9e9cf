"""NPZ files as NumPy and Python's zipfile write them: writes npz.h, for tests/npz.c. Run: python3 npz.py > npz.h"""
import io
import sys
import zipfile

sys.path.pop(0)  # npy.py and npz.py lie here
import numpy as np  # noqa: E402


def put(name, data):
    print("static const unsigned char %s[] = {" % name)
    for i in range(0, len(data), 24):
        print("    " + ", ".join("%d" % b for b in data[i : i + 24]) + ",")
    print("};")


def saved(save, *unnamed, **arrays):
    out = io.BytesIO()
    save(out, *unnamed, **arrays)
    return out.getvalue()


def zipped(members, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


w = np.arange(6, dtype="<f4").reshape(2, 3)
n = np.array([1, -2, 3], "<i8")
print("/* Made by npz.py with NumPy and zipfile: whole NPZ files. */")
put("npz_stored", saved(np.savez, w=w, n=n))
put("npz_deflated", saved(np.savez_compressed, w=w, n=n, zeros=np.zeros((100, 100), "<f8")))
put("npz_one", saved(np.savez, np.asfortranarray(w)))
put("npz_names", zipped([("../../etc/x.npy", npy(n)), ("a/b.npy", npy(w)), ("\u4e2d.npy", npy(n)), ("readme.txt", b"text"),
                         ("folder/", b""), (".npy", npy(n))], zipfile.ZIP_STORED))
put("npz_none", zipped([], zipfile.ZIP_STORED))
zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 1  # the wide forms of all fields
put("npz_zip64", zipped([("w.npy", npy(w)), ("n.npy", npy(n))], zipfile.ZIP_DEFLATED))
