/*
 * adapt.h - trees of arrays; arrays, trees and C structs brought to another device, storage or element type.
 *
 * A tree is a branch, whose entries have names or else only places, or a leaf: an array, a scalar, a text, or a range. It is
 * owned as an array is: by the innermost scope of the thread, or else by the caller.
 */
#ifndef ASHLAR_ADAPT_H
#define ASHLAR_ADAPT_H
#include "base.h"
ASH__BEGIN

typedef enum ash_tree_kind {
    ASH_TREE_NONE = 0,   /* no tree at all */
    ASH_TREE_BRANCH = 1, /* entries, each a tree */
    ASH_TREE_ARRAY = 2,
    ASH_TREE_SCALAR = 3,
    ASH_TREE_TEXT = 4,
    ASH_TREE_RANGE = 5   /* whole numbers from a first to before an end; no array */
} ash_tree_kind;

/* ---- ownership */
/**
 * A new tree: a branch without entries.
 *
 * @return  its scope's or the caller's; NULL with ASH_ERR_MEMORY.
 */
ASH_API ash_tree *ash_tree_new(void);

/**
 * A leaf that stands for the whole numbers first to end - 1. No array is made of it, and adapting leaves it as it is.
 *
 * @param first  the first number.
 * @param end    one past the last; at least first.
 * @return       a leaf, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_tree *ash_tree_range(int64_t first, int64_t end);

/**
 * Ends a reference to a tree, as ash_release does; with the last one its arrays are let go. Any thread; never waits, never sets
 * an error.
 *
 * @param t  NULL is fine.
 */
ASH_API void ash_tree_release(ash_tree *t);

/**
 * One more reference, which no scope owns.
 *
 * @param t  borrowed.
 * @return   t, the caller's; NULL with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_tree *ash_tree_retain(const ash_tree *t);

/**
 * The tree once more, held as a new one is.
 *
 * @param t  borrowed.
 * @return   t, the innermost scope's or the caller's; NULL with ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_tree *ash_tree_share(const ash_tree *t);

/**
 * Moves a tree out of a scope, and those inside it, to the one around it or else to the caller. Its arrays go with it, for it
 * holds them.
 *
 * @param scope  from ASH_SCOPE or ash_scope_open.
 * @param t      NULL is passed on; a tree that these scopes do not hold stays where it is.
 * @return       t, the caller's or the outer scope's now; NULL when t is.
 */
ASH_API ash_tree *ash_tree_keep(int64_t scope, ash_tree *t);

/* ---- building. A tree that is part of another one does not change any more: put things into it before. */
/**
 * Puts an array into a tree, which holds it.
 *
 * @param t     a branch that is no part of another tree; unchanged after a failure.
 * @param name  copied; not "". An entry of that name is replaced and keeps its place. NULL: the next place of a branch whose
 *              entries have no names; a branch has either.
 * @param a     borrowed; the tree holds it from now on.
 * @return      ASH_OK, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_tree_put_array(ash_tree *t, const char *name, const ash_array *a);

/**
 * Puts a scalar into a tree.
 *
 * @param t       a branch that is no part of another tree; unchanged after a failure.
 * @param name    as for ash_tree_put_array.
 * @param scalar  copied; of a plain dtype. An array is put as ash_tree_put_array does.
 * @return        ASH_OK, ASH_ERR_ARGUMENT, ASH_ERR_DTYPE or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_tree_put_scalar(ash_tree *t, const char *name, const ash_operand *scalar);

/**
 * Puts a text into a tree.
 *
 * @param t     a branch that is no part of another tree; unchanged after a failure.
 * @param name  as for ash_tree_put_array.
 * @param text  copied.
 * @return      ASH_OK, ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_tree_put_text(ash_tree *t, const char *name, const char *text);

/**
 * Puts a tree into a tree, which holds it. The one put in does not change from then on; it may be part of several.
 *
 * @param t      a branch that is no part of another tree; unchanged after a failure.
 * @param name   as for ash_tree_put_array.
 * @param child  borrowed; a branch or a leaf, not t itself. Trees nest up to 1000 deep.
 * @return       ASH_OK, ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_tree_put_tree(ash_tree *t, const char *name, const ash_tree *child);

/* ---- reading. A path is the names and places on the way down, with dots between them: "layers.0.weight"; a name that has dots
 * itself is found too. */
/**
 * What a tree is.
 *
 * @param t  borrowed.
 * @return   ASH_TREE_NONE with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_tree_kind ash_tree_kind_of(const ash_tree *t);

/**
 * How many entries a branch has.
 *
 * @param t  borrowed.
 * @return   the count, 0 for a leaf; -1 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API int64_t ash_tree_count(const ash_tree *t);

/**
 * How many array leaves there are in all; one that is in several places counts in each.
 *
 * @param t  borrowed.
 * @return   the count; -1 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API int64_t ash_tree_arrays(const ash_tree *t);

/**
 * The name of an entry.
 *
 * @param t  borrowed.
 * @param i  0 to ash_tree_count(t) - 1.
 * @return   borrowed until t changes or ends; "" for an entry without a name; NULL with ASH_ERR_BOUNDS or ASH_ERR_ARGUMENT.
 */
ASH_API const char *ash_tree_name(const ash_tree *t, int64_t i);

/**
 * An entry by its place.
 *
 * @param t  borrowed.
 * @param i  0 to ash_tree_count(t) - 1.
 * @return   borrowed until t changes or ends; NULL with ASH_ERR_BOUNDS or ASH_ERR_ARGUMENT.
 */
ASH_API const ash_tree *ash_tree_at(const ash_tree *t, int64_t i);

/**
 * An entry by its name.
 *
 * @param t     borrowed.
 * @param name  the whole of it: dots are part of the name.
 * @return      borrowed until t changes or ends; NULL with ASH_ERR_ARGUMENT when there is none.
 */
ASH_API const ash_tree *ash_tree_child(const ash_tree *t, const char *name);

/**
 * What is at the end of a path.
 *
 * @param t     borrowed.
 * @param path  names and places, dots between them.
 * @return      borrowed until t changes or ends; NULL with ASH_ERR_ARGUMENT when nothing is there.
 */
ASH_API const ash_tree *ash_tree_find(const ash_tree *t, const char *path);

/**
 * Whether anything is at the end of a path.
 *
 * @param t     borrowed.
 * @param path  names and places, dots between them.
 * @return      false also with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API bool ash_tree_has(const ash_tree *t, const char *path);

/**
 * The array at the end of a path.
 *
 * @param t     borrowed.
 * @param path  names and places, dots between them; NULL: t itself, an array leaf.
 * @return      borrowed until t changes or ends; NULL with ASH_ERR_ARGUMENT when nothing or something else is there.
 */
ASH_API ash_array *ash_tree_get(const ash_tree *t, const char *path);

/**
 * The text at the end of a path.
 *
 * @param t     borrowed.
 * @param path  names and places, dots between them; NULL: t itself.
 * @return      borrowed until t changes or ends; NULL with ASH_ERR_ARGUMENT when nothing or something else is there.
 */
ASH_API const char *ash_tree_get_text(const ash_tree *t, const char *path);

/**
 * The scalar at the end of a path, as an operand.
 *
 * @param t       borrowed.
 * @param path    names and places, dots between them; NULL: t itself.
 * @param scalar  filled in; untouched after a failure.
 * @return        ASH_OK, or ASH_ERR_ARGUMENT when nothing or something else is there.
 */
ASH_API ash_status ash_tree_get_scalar(const ash_tree *t, const char *path, ash_operand *scalar);

/**
 * The scalar at the end of a path as a C number.
 *
 * @param t     borrowed.
 * @param path  names and places, dots between them; NULL: t itself.
 * @return      its value; 0 or NaN with ASH_ERR_ARGUMENT when nothing or something else is there, ASH_ERR_VALUE when the C type
 *              cannot hold it exactly.
 */
ASH_API int64_t ash_tree_get_i64(const ash_tree *t, const char *path);
ASH_API double ash_tree_get_f64(const ash_tree *t, const char *path);

/**
 * The range at the end of a path.
 *
 * @param t      borrowed.
 * @param path   names and places, dots between them; NULL: t itself.
 * @param first  filled in, the first number; untouched after a failure.
 * @param end    filled in, one past the last; untouched after a failure.
 * @return       ASH_OK, or ASH_ERR_ARGUMENT when nothing or something else is there.
 */
ASH_API ash_status ash_tree_get_range(const ash_tree *t, const char *path, int64_t *first, int64_t *end);

/* ---- printing: one line, (weights = ash.vector f32[2] cpu:0 [1.0 2.0], scale = 2) */
/**
 * Prints a tree and a newline to stdout.
 *
 * @param t  borrowed.
 * @return   ASH_OK, ASH_ERR_IO, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_tree_print(const ash_tree *t);
#ifndef ASHLAR_CDEF

/**
 * The same to a stream.
 *
 * @param stream  written.
 * @param t       borrowed.
 * @return        ASH_OK, ASH_ERR_IO, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_tree_fprint(FILE *stream, const ash_tree *t);
#endif

/**
 * The same to a buffer, without the newline, as snprintf: what does not fit is left out.
 *
 * Units   bytes.
 *
 * @param buffer  written, always ended by a 0 when size > 0; may be NULL when size is 0.
 * @param size    bytes of buffer.
 * @param t       borrowed.
 * @return        bytes the whole text needs, without the 0; 0 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API size_t ash_tree_format(char *buffer, size_t size, const ash_tree *t);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
/* ash_tree_put(t, "weights", x) and ash_tree_push(t, x): x is an array, a tree, a text, or a C scalar as operands are. Every
 * branch of a _Generic must compile, so what is no operand counts as 0 where one is made. */
#define ASH__TREE_PICK(x, array, tree, text, scalar)                                                                 \
    _Generic((x), ash_array *: array, const ash_array *: array, ash_tree *: tree, const ash_tree *: tree, char *: text, \
             const char *: text, default: scalar)
#define ASH__TREE_SCALAR(x) (const ash_operand[]){ASH_OPERAND(ASH__TREE_PICK(x, 0, 0, 0, (x)))}
#define ash_tree_put(t, name, x)                                                                              \
    ASH__TREE_PICK(x, ash_tree_put_array, ash_tree_put_tree, ash_tree_put_text, ash_tree_put_scalar)          \
    (t, name, ASH__TREE_PICK(x, (x), (x), (x), ASH__TREE_SCALAR(x)))
#define ash_tree_push(t, x) ash_tree_put(t, NULL, x)
#endif
#endif
