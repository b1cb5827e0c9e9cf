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

typedef enum ash_rule {
    ASH_RULE_NONE = 0,
    ASH_F64_TO_F32 = 1 /* f64 becomes f32 and c_f64 becomes c_f32, also inside records; nothing else changes */
} ash_rule;

/* What arrays are to become. What is not given stays as it is in the source. At most one of .dtype, .floats and .rule, and the
 * device from one of .device and .resources. */
typedef struct ash_target {
    size_t struct_size;
    ash_resources *resources; /* where to, and the queue that the work goes to */
    const char *device;       /* where to, by name: "cpu:0" */
    ash_dtype dtype;          /* of every array, also of integers; records of another dtype are an error */
    ash_dtype floats;         /* of every float, complex ones keep two parts; also inside records */
    ash_rule rule;
    ash_storage storage;
    ash_memory *memory;
    const struct ash_target *like; /* gives what is not given here; may have one itself */
    bool scalars;                  /* scalars in trees follow the dtypes too */
    bool bf16;                     /* with .rule: bf16 becomes f32 too */
} ASH__KEYWORDS ash_target;

/* ---- adapting an array */
/**
 * The array as the target has it. Gives a itself back, shared, when it is so already.
 *
 * A view becomes a view in the same way (a transpose, an adjoint, a slice, a broadcast) of its parent, which is adapted whole.
 * A view that has no such counterpart, because the bytes it shows are converted to something else (f64 seen in an array of i64,
 * with .rule), becomes an array of its own, and so does the view of a discarded parent.
 *
 * Shape   that of a.
 * Dtype   by .dtype, .floats or .rule; else that of a.
 * Exact   as ash_from_host: a float is rounded, or cut to an integer; a finite value too large for the dtype is ASH_ERR_VALUE.
 *
 * @param a       borrowed; any device, any strides. The result has its layout; a new one is writable unless it repeats
 *                elements.
 * @param target  .device or .resources, .dtype or .floats or .rule, .bf16, .storage, .memory, .like.
 * @return        a new array, or a shared; its scope's or the caller's. NULL with ASH_ERR_DTYPE (a dtype that the device does
 *                not support, records with .dtype), ASH_ERR_VALUE naming the element, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT,
 *                ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_adapt_opt(const ash_array *a, const ash_target *target ASH__DEFAULT);

/* ---- ownership of trees */
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

/**
 * The tree in *slot becomes t, held as the tree in *slot was, and that one ends: a loop over it keeps one tree.
 *
 * @param slot  not NULL; *slot may be.
 * @param t     may be NULL.
 */
ASH_API void ash_tree_replace(ash_tree **slot, ash_tree *t);

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

/* ---- adapting and mapping trees */
/**
 * The tree with every array as the target has it; names, texts and ranges stay, and scalars without .scalars. Gives t itself
 * back, shared, when nothing changes; branches in which nothing changes are shared too.
 *
 * All or nothing: after a failure there is no result and nothing has changed. An array that is in several places, or that
 * several views have as their parent, is adapted once and stays shared.
 *
 * Exact   as ash_adapt.
 *
 * @param t       borrowed.
 * @param target  as for ash_adapt; .scalars.
 * @return        a new tree, or t shared; its scope's or the caller's. NULL with a failure of ash_adapt, its text begun with
 *                the path of the leaf: "ash_tree_adapt: layer.weight: ...".
 */
ASH_API ash_tree *ash_tree_adapt_opt(const ash_tree *t, const ash_target *target ASH__DEFAULT);

/* Called in a scope of its own; what it returns may be new, or a. NULL: it failed. */
typedef ash_array *(*ash_tree_function)(const ash_array *a, void *context);

/**
 * The tree with a function's results in place of its arrays, each of which it is called with once; all else stays. All or
 * nothing. Gives t itself back, shared, when the function gives back each array.
 *
 * @param t         borrowed.
 * @param function  called for each array leaf, from the first to the last.
 * @param context   given to it.
 * @return          a new tree, or t shared; its scope's or the caller's. NULL with the error of the function, or with
 *                  ASH_ERR_ARGUMENT when it left none; the text begins with the path of the leaf.
 */
ASH_API ash_tree *ash_tree_map(const ash_tree *t, ash_tree_function function, void *context);

/* ---- adapting C structs that have arrays as members */
typedef enum ash_member_kind { ASH_MEMBER_ARRAYS = 1, ASH_MEMBER_STRUCTS = 2 } ash_member_kind;

/* A member of type ash_array *, or of a struct that has some; or a fixed array of these. */
typedef struct ash_member {
    const char *name;
    ash_member_kind kind;
    size_t offset;                  /* bytes from the start of the struct */
    size_t size;                    /* bytes of the whole member */
    size_t item;                    /* bytes of one of its elements */
    const struct ash_member *inner; /* of a struct: its members */
    int64_t inner_count;
} ash_member;

typedef struct ash_struct_info {
    size_t size; /* bytes of the struct */
    const ash_member *member;
    int64_t count;
} ash_struct_info;

/**
 * A C struct with every array it describes as the target has it; all other bytes are copied. All or nothing.
 *
 * Exact   as ash_adapt.
 *
 * @param out     written, info->size bytes; in itself is fine; untouched after a failure. Each array in it is held as a result
 *                of ash_adapt is: by the innermost scope, else by the caller, who ends each; an array that is in two members,
 *                or is the parent of two views, is adapted once, and each member has a reference of its own.
 * @param in      borrowed; a NULL array stays NULL.
 * @param info    borrowed; see ASH_STRUCT_INFO. Structs nest up to 64 deep.
 * @param target  as for ash_adapt.
 * @return        ASH_OK, or a failure of ash_adapt (ASH_ERR_DTYPE, ASH_ERR_VALUE ...), its text begun with the member:
 *                "ash_adapt_struct: layer[1].weight: ...".
 */
ASH_API ash_status ash_adapt_struct_opt(void *out, const void *in, const ash_struct_info *info,
                                        const ash_target *target ASH__DEFAULT);

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

#ifndef ASHLAR_CDEF
/*
 * const ash_member layer_members[] = {ASH_ARRAY_MEMBER(layer, weight), ASH_ARRAY_MEMBER(layer, bias)};
 * const ash_member model_members[] = {ASH_STRUCT_MEMBER(model, layer, hidden, layer_members), ASH_ARRAY_MEMBER(model, index)};
 * const ash_struct_info model_info = ASH_STRUCT_INFO(model, model_members);
 *
 * A member whose type is another one than said does not compile in C.
 */
#define ASH_ARRAY_MEMBER(T, member)                                                                              \
    {#member, ASH_MEMBER_ARRAYS, offsetof(T, member), sizeof(((T *)0)->member),                                  \
     sizeof(ash_array *) + ASH__ARRAYS_IN(T, member), 0, 0}
#define ASH_STRUCT_MEMBER(T, inner, member, members)                                                 \
    {#member, ASH_MEMBER_STRUCTS, offsetof(T, member), sizeof(((T *)0)->member), sizeof(inner), members, \
     (int64_t)(sizeof(members) / sizeof((members)[0]))}
#define ASH_STRUCT_INFO(T, members) {sizeof(T), members, (int64_t)(sizeof(members) / sizeof((members)[0]))}
#ifdef __cplusplus
#define ASH__ARRAYS_IN(T, member) 0
#else
/* 0, for an ash_array * or an array of these; else no such _Generic */
#define ASH__ARRAYS_IN(T, member) \
    0 * sizeof(_Generic(((T *)0)->member, ash_array *: 0, ash_array **: 0))
#endif
#endif

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
/* A target to keep: const ash_target narrow = ASH_TARGET(.rule = ASH_F64_TO_F32); it serves as .like = &narrow. */
#define ASH_TARGET(...) {__VA_ARGS__, ASH_SIZED(ash_target)}
#define ash_adapt(...) ASH__KW1(ash_adapt_opt, ash_target, __VA_ARGS__, ASH_SIZED(ash_target))
#define ash_adapt_struct(...) ASH__KW3(ash_adapt_struct_opt, ash_target, __VA_ARGS__, ASH_SIZED(ash_target))
#define ash_tree_adapt(...) ASH__KW1(ash_tree_adapt_opt, ash_target, __VA_ARGS__, ASH_SIZED(ash_target))

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
