/*
 * static.c - what stands behind the types of static.h: arrays whose sizes are checked against those of a type.
 *
 * An array that a struct owns is outside of all scopes: it is made inside a barrier, and belongs to the caller. What writes
 * elements waits for them, because the program reads them next by their addresses.
 */
#include "ops/static.h"

#include <stdatomic.h>

#include "ashlar/map.h"
#include "core/error.h"
#include "core/host.h"
#include "core/text.h"
#include "ops/collect.h"
#include "ops/task.h"
#include "ops/wrap.h"

ash__static_name ash__static_function(const ash_static_view *view, const char *word)
{
    ash__static_name name;
    ash__text to = {name.text, sizeof name.text, 0};
    ash__put(&to, "%s_%s", view && view->name ? view->name : "ash_static", word);
    return name;
}

static ash_status check_view(const char *function, const ash_static_view *view)
{
    if (!view)
        return ash__null(function, "view");
    if (view->rank < 1 || view->rank > ASH_STATIC_MAX_RANK)
        return ash__fail(ASH_ERR_ARGUMENT, function, "rank %lld; ranks 1 to %d are supported", (long long)view->rank,
                         ASH_STATIC_MAX_RANK);
    if (view->layout != ASH_ROW_MAJOR && view->layout != ASH_COL_MAJOR)
        return ash__fail(ASH_ERR_ARGUMENT, function, "unknown layout %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR",
                         (int)view->layout);
    if (ash__kind_of(view->dtype) == ASH__KIND_NONE) /* a record whose description failed has left an error */
        return ash__pending() ? ash__pending() : ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)view->dtype);
    if (view->item != ash_dtype_size(view->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "the C type of an element has %zu bytes, %s has %zu", view->item,
                         ash_dtype_name(view->dtype), ash_dtype_size(view->dtype));
    return ASH_OK;
}

static ash_dims dims_of(const ash_static_view *view)
{
    return (ash_dims){view->size, view->rank};
}

/* A struct whose constructor failed has sizes of -1, or all its sizes and no memory. */
static ash_status check_memory(const char *function, const ash_static_view *view)
{
    int64_t count = 0;
    ash_status status = check_view(function, view);
    if (status || view->owner)
        return status;
    for (int64_t k = 0; k < view->rank; k++)
        if (view->size[k] < 0)
            return ash__null(function, "the array");
    status = ash__check_shape(function, dims_of(view), view->item, &count);
    return status || view->data || !count ? status : ash__null(function, "the array");
}

/* "(2, *)"; gives back the buffer. */
static char *fixed_text(char buffer[ASH__SHAPE_TEXT], const ash_static_view *view)
{
    ash__text to = {buffer, ASH__SHAPE_TEXT, 0};
    for (int64_t k = 0; k < view->rank; k++) {
        ash__put(&to, "%s", k ? ", " : "(");
        if (view->fixed[k] < 0)
            ash__put(&to, "*");
        else
            ash__put(&to, "%lld", (long long)view->fixed[k]);
    }
    ash__put(&to, ")");
    return buffer;
}

static ash_status check_fits(const char *function, const ash_static_view *view, const ash_array *a)
{
    bool fits = a->rank == view->rank;
    for (int64_t k = 0; fits && k < view->rank; k++)
        fits = view->fixed[k] < 0 || view->fixed[k] == a->shape[k];
    char text[ASH__SHAPE_TEXT];
    return fits ? ASH_OK
                : ash__fail(ASH_ERR_SHAPE, function, "a has shape %s, which does not fit %s", ash_shape_text(a),
                            fixed_text(text, view));
}

/* An array over lent memory, in the innermost scope. */
static ash_array *lend(const char *function, const ash_static_view *view, ash_dims shape)
{
    ash_resources *r = ash__resources_for(function, NULL);
    if (!r || ash__check_dtype(function, r->device, view->dtype))
        return NULL;
    return ash__wrap(function, r,
                     &(ash__foreign){.data = view->data, .dtype = view->dtype, .shape = shape, .layout = view->layout});
}

ash_array *ash__static_borrow(const char *function, const ash_static_view *view)
{
    if (check_memory(function, view))
        return NULL;
    if (view->owner)
        return ash_retain(view->owner);
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *a = barrier < 0 ? NULL : lend(function, view, dims_of(view));
    ash_scope_close(barrier);
    return a;
}

ash_status ash__static_give_back(ash_array *a, ash_status status)
{
    if (!status && a->storage == ASH_SHARED)
        status = ash_wait(a);
    ash_release(a);
    return status;
}

/* ---- constructors */

static ash_array *make(const char *function, const ash_static_view *view, const ash__make *to)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *a = barrier < 0 ? NULL : ash__array_new(function, dims_of(view), to);
    ash_scope_close(barrier);
    return a;
}

ash_array *ash_static_new(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "new");
    if (check_view(f.text, view))
        return NULL;
    return make(f.text, view, &(ash__make){.dtype = view->dtype, .layout = view->layout});
}

/* Can a program write its elements at their addresses, as they are? */
static bool serves(const ash_static_view *view, const ash_array *a)
{
    return a->dtype == view->dtype && !a->conjugated && !a->readonly &&
           ash__dense(view->layout, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype)) &&
           (uintptr_t)ash__data(a) % ash__alignment_of(a->dtype) == 0;
}

ash_array *ash_static_from(const ash_static_view *view, const ash_array *a)
{
    const ash__static_name f = ash__static_function(view, "from");
    if (check_view(f.text, view) || ash__check_array(f.text, "a", a) || check_fits(f.text, view, a))
        return NULL;
    if (serves(view, a))
        return ash_retain(a);
    ash_static_view sized = *view;
    for (int64_t k = 0; k < view->rank; k++)
        sized.size[k] = a->shape[k];
    const ash__make to = {.resources = a->resources,
                          .dtype = view->dtype,
                          .layout = view->layout,
                          .storage = a->storage,
                          .memory = a->buffer->memory};
    ash_array *b = make(f.text, &sized, &to);
    if (b && ash__convert_elements(f.text, b, a, false, NULL) != ASH_OK) {
        ash_release(b);
        return NULL;
    }
    return b;
}

ash_array *ash_static_collect(const ash_static_view *view, const ash_iterator *iterator)
{
    const ash__static_name f = ash__static_function(view, "collect");
    if (check_view(f.text, view))
        return NULL;
    const int64_t barrier = ash_scope_open_barrier();
    if (barrier < 0)
        return NULL;
    ash_array *a =
        ash__collect(f.text, iterator,
                     &(ash_collect_options){.dtype = view->dtype, .layout = view->layout, .shape = {view->fixed, view->rank}});
    ash_scope_close(barrier);
    return a;
}

ash_status ash_static_collect_into(const ash_static_view *view, const ash_iterator *iterator)
{
    const ash__static_name f = ash__static_function(view, "collect");
    ash_status status = check_memory(f.text, view);
    if (!status && (!iterator || !iterator->next))
        status = ash__null(f.text, iterator ? "iterator->next" : "iterator");
    if (status)
        return status;
    const int64_t item = (int64_t)ash_dtype_size(view->dtype), room = ash__count(view->size, view->rank);
    int64_t stride[ASH_STATIC_MAX_RANK], index[ASH_STATIC_MAX_RANK], count = 0;
    ash__strides_for(view->layout, view->size, view->rank, item, stride);
    ash_operand e;
    bool more = true;
    for (; !(status = ash__collect_next(f.text, iterator, count, &e, &more)) && more && count < room; count++) {
        char *to = view->data;
        ash__index_at(ASH_ROW_MAJOR, view->size, view->rank, count, index);
        for (int64_t k = 0; k < view->rank; k++)
            to += index[k] * stride[k];
        status = ash__collect_store(f.text, to, view->dtype, count, &e, false);
        if (status)
            break;
    }
    if (!status && (more || count < room))
        status = ash__fail(ASH_ERR_SHAPE, f.text, "%lld elements are wanted, the iterator gave %s", (long long)room,
                           more ? "more" : "fewer");
    if (status)
        memset(view->data, 0, (size_t)(room * item));
    return status;
}

ash_status ash_static_wrap(ash_static_view *view, int64_t length)
{
    const ash__static_name f = ash__static_function(view, "wrap");
    const ash_status status = check_view(f.text, view);
    if (status)
        return status;
    if (length < 0)
        return ash__fail(ASH_ERR_ARGUMENT, f.text, "length is %lld; it must not be negative", (long long)length);
    if (!view->data && length)
        return ash__null(f.text, "data");
    const size_t align = ash__alignment_of(view->dtype);
    if ((uintptr_t)view->data % align)
        return ash__fail(ASH_ERR_ARGUMENT, f.text, "data is at %p, which is not aligned to the %zu bytes of %s", view->data,
                         align, ash_dtype_name(view->dtype));
    int64_t size[ASH_STATIC_MAX_RANK];
    const ash_status shaped = ash__infer_shape(f.text, dims_of(view), ash_dtype_size(view->dtype), length, size);
    if (!shaped)
        memcpy(view->size, size, sizeof size[0] * (size_t)view->rank);
    return shaped;
}

/* ---- as ordinary arrays */

ash_array *ash_static_array(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "array");
    if (check_memory(f.text, view))
        return NULL;
    return view->owner ? ash_share(view->owner) : lend(f.text, view, dims_of(view));
}

ash_array *ash_static_parent(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "parent");
    if (check_memory(f.text, view))
        return NULL;
    if (!view->owner)
        return lend(f.text, view, (ash_dims){(const int64_t[]){ash__count(view->size, view->rank)}, 1});
    const ash_array *parent = ash_parent(view->owner);
    return parent ? ash_share(parent) : NULL;
}

const ash_device *ash_static_device(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "device");
    if (check_view(f.text, view))
        return NULL;
    const ash_resources *r = view->owner ? view->owner->resources : ash__resources_for(f.text, NULL);
    return r ? r->device : NULL;
}

void *ash_static_data(ash_array *a)
{
    return a && a->storage == ASH_SHARED ? ash__host_at("ash_static_data", a, ASH__READ_WRITE | ASH__ASKED) : NULL;
}

/* ---- operations that keep the type */

ash_array *ash_static_like(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "like");
    if (check_view(f.text, view))
        return NULL;
    const ash_array *a = view->owner;
    return make(f.text, view,
                &(ash__make){.resources = a ? a->resources : NULL,
                             .dtype = view->dtype,
                             .layout = view->layout,
                             .storage = a ? a->storage : ASH_STORAGE_DEFAULT,
                             .memory = a ? a->buffer->memory : NULL});
}

ash_array *ash_static_copy(const ash_static_view *view)
{
    const ash__static_name f = ash__static_function(view, "copy");
    ash_array *a = ash__static_borrow(f.text, view);
    ash_array *b = a ? ash_static_like(view) : NULL;
    if (b && ash__convert_elements(f.text, b, a, false, NULL) != ASH_OK) {
        ash_release(b);
        b = NULL;
    }
    ash_release(a);
    return b;
}

ash_array *ash_static_adapt(const ash_static_view *view, const ash_target *target)
{
    const ash__static_name f = ash__static_function(view, "adapt");
    ash_array *a = ash__static_borrow(f.text, view);
    const int64_t barrier = a ? ash_scope_open_barrier() : -1;
    ash_array *b = barrier < 0 ? NULL : ash_adapt_opt(a, target);
    ash_scope_close(barrier);
    ash_release(a);
    if (!b || b->dtype == view->dtype)
        return b;
    ash__fail(ASH_ERR_DTYPE, f.text, "the target makes %s of %s, which is part of the type", ash_dtype_name(b->dtype),
              ash_dtype_name(view->dtype));
    ash_release(b);
    return NULL;
}

ash_status ash_static_copy_into(const ash_static_view *out, const ash_static_view *a)
{
    const ash__static_name f = ash__static_function(out, "copy_into");
    ash_array *to = ash__static_borrow(f.text, out);
    ash_array *from = to ? ash__static_borrow(f.text, a) : NULL;
    ash_status status = from ? ASH_OK : ash__last_status();
    if (!status && !ash_same_shape(to, from))
        status = ash__fail(ASH_ERR_SHAPE, f.text, "out has shape %s, a has %s", ash_shape_text(to), ash_shape_text(from));
    if (!status)
        status = ash_copy_into_opt(to, from, NULL);
    ash_release(from);
    return to ? ash__static_give_back(to, status) : status;
}

ash_status ash_static_read(const ash_static_view *out, const ash_array *a)
{
    const ash__static_name f = ash__static_function(out, "from");
    ash_status status = check_view(f.text, out);
    if (!status)
        status = ash__check_array(f.text, "a", a);
    if (!status)
        status = check_fits(f.text, out, a);
    if (status)
        return status;
    ash_array *to = ash__static_borrow(f.text, out);
    return to ? ash__static_give_back(to, ash_copy_into_opt(to, a, NULL)) : ash__last_status();
}

ash_status ash_static_fill(const ash_static_view *out, const void *value)
{
    const ash__static_name f = ash__static_function(out, "fill");
    ash_array *to = ash__static_borrow(f.text, out);
    if (!to)
        return ash__last_status();
    ash_static_view one = *out; /* a value of any dtype is an operand as an array of it */
    one.data = (void *)(uintptr_t)value;
    one.owner = NULL;
    one.rank = 1;
    one.size[0] = 1;
    ash_array *element = ash__static_borrow(f.text, &one);
    const ash_operand operand = ash_operand_array(element);
    const ash_status status = element ? ash_fill_opt(to, &operand, NULL) : ash__last_status();
    ash_release(element);
    return ash__static_give_back(to, status);
}

ash_status ash_static_map_into(const ash_static_view *out, const char *function, const ash_array *a)
{
    const ash__static_name f = ash__static_function(out, "map_into");
    ash_array *to = ash__static_borrow(f.text, out);
    if (!to)
        return ash__last_status();
    const ash_operand operand = ash_operand_array(a);
    return ash__static_give_back(to, ash_map_into_opt(to, function, (ash_operands){&operand, 1}, NULL));
}

/* ---- an index out of bounds */

static _Atomic(ash_bounds_handler) bounds_handler;

ash_bounds_handler ash_set_bounds_handler(ash_bounds_handler handler)
{
    return atomic_exchange(&bounds_handler, handler);
}
ash_bounds_handler ash_get_bounds_handler(void)
{
    return atomic_load(&bounds_handler);
}
