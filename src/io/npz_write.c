/*
 * npz_write.c - a tree of arrays as an NPZ file: each leaf an NPY file in a ZIP archive, called by its path.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "core/host.h"
#include "core/operand.h"
#include "core/options.h"
#include "io/leaves.h"
#include "io/zip.h"

static ash_status check_leaf(const char *function, const ash__leaf *leaf)
{
    if (leaf->tree->kind == ASH_TREE_ARRAY) {
        const ash_status status = ash__check_array(function, leaf->name, leaf->tree->array);
        return status == ASH_OK ? ash_wait(leaf->tree->array) : status;
    }
    if (leaf->tree->kind == ASH_TREE_SCALAR)
        return ASH_OK;
    return ash__fail(ASH_ERR_UNSUPPORTED, function, "%.100s is a %s; an NPZ file holds arrays and scalars", leaf->name,
                     leaf->tree->kind == ASH_TREE_TEXT ? "text" : "range");
}

/* A scalar becomes an array of rank 0, as NumPy makes of it. */
static ash_status put_scalar(const char *function, ash__sink to, const ash_operand *scalar)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    const int64_t scope = ash_scope_open();
    ash_status status = ash__operand_bytes(function, scalar, bytes);
    if (status == ASH_OK) {
        const ash_array *a = ash__array_new(function, (ash_dims){NULL, 0}, &(ash__make){.dtype = scalar->dtype});
        if (a)
            status = ash__host_put(function, a, ash__data(a), bytes);
        if (!status)
            status = a ? ash__npy_put(function, to, a) : ash__last_status();
    }
    ash_scope_close(scope);
    return status;
}

static ash_status put_leaf(const char *function, ash__zip_writer *w, const ash__leaf *leaf, bool compress)
{
    const size_t room = strlen(leaf->name) + sizeof ".npy";
    char *name = ash__alloc(function, (int64_t)room, 1);
    if (!name)
        return ASH_ERR_MEMORY;
    snprintf(name, room, "%s.npy", leaf->name);
    const ash__sink to = ash__zip_add(w, name, compress);
    ash__free(name);
    return leaf->tree->array ? ash__npy_put(function, to, leaf->tree->array) : put_scalar(function, to, &leaf->tree->scalar);
}

static ash_status save(const char *function, const ash__leaves *leaves, const char *path, bool compress)
{
    ash__zip_writer *w = NULL;
    ash_status status = ASH_OK;
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        status = check_leaf(function, &leaves->leaf[i]);
    if (status == ASH_OK)
        status = ash__zip_create(function, path, &w);
    if (status != ASH_OK)
        return status;
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        status = put_leaf(function, w, &leaves->leaf[i], compress);
    const ash_status finished = ash__zip_finish(w, status == ASH_OK);
    return status == ASH_OK ? finished : status;
}

ash_status ash_save_npz_opt(const ash_tree *t, const char *path, const ash_npz_write_options *options)
{
    static const char f[] = "ash_save_npz";
    ash_npz_write_options o;
    ash__leaves leaves = {0};
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__leaves_begin(f, t, &leaves);
    if (status == ASH_OK && !path)
        status = ash__null(f, "path");
    if (status == ASH_OK)
        status = save(f, &leaves, path, o.compress);
    ash__leaves_end(&leaves);
    return status;
}
