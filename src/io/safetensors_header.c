/*
 * safetensors_header.c - the table at the head of a safetensors file.
 *
 * A file is the length of a text, the text, and data. The text is a JSON object: for each tensor its dtype, its shape and
 * where its bytes begin and end in the data, and perhaps `__metadata__`, strings by name. The tensors cover the data without
 * gap and overlap (https://github.com/huggingface/safetensors, "Format"). Jansson reads the text: it refuses names that are
 * there twice, keeps integers of 64 bits exact and stops at a depth of 2048. All that the text says is checked here, before
 * anything is made of it; memory for the table is a fixed multiple of the text's length, and that is at most the file's.
 */
#include "io/safetensors.h"

#include "core/alloc.h"
#include "core/error.h"

/* Names of the format in the reference's order, with what they are here; what has no counterpart is known by its width. */
static const struct {
    const char *name;
    ash_dtype dtype;
    int bits;
} types[] = {{"BOOL", ASH_BOOL, 8}, {"F4", 0, 4},         {"F6_E2M3", 0, 6},    {"F6_E3M2", 0, 6},      {"U8", ASH_U8, 8},
             {"I8", ASH_I8, 8},     {"F8_E5M2", 0, 8},    {"F8_E4M3", 0, 8},    {"F8_E8M0", 0, 8},      {"F8_E4M3FNUZ", 0, 8},
             {"F8_E5M2FNUZ", 0, 8}, {"I16", ASH_I16, 16}, {"U16", ASH_U16, 16}, {"F16", ASH_F16, 16},   {"BF16", ASH_BF16, 16},
             {"I32", ASH_I32, 32},  {"U32", ASH_U32, 32}, {"F32", ASH_F32, 32}, {"C64", ASH_C_F32, 64}, {"F64", ASH_F64, 64},
             {"I64", ASH_I64, 64},  {"U64", ASH_U64, 64}};
enum { TYPES = sizeof types / sizeof types[0] };

int ash__tensor_order(ash_dtype dtype)
{
    for (int i = 0; i < TYPES; i++)
        if (dtype != ASH_DTYPE_DEFAULT && types[i].dtype == dtype)
            return i;
    return -1;
}

const char *ash__tensor_type(ash_dtype dtype)
{
    const int i = ash__tensor_order(dtype);
    return i < 0 ? NULL : types[i].name;
}

#ifdef ASH__WITH_SAFETENSORS
#include <jansson.h>

/* ---- one tensor: every function gives true, or false with an error set */

enum { OFFSETS_TEXT = 64 };

/* What a value is, for a message. */
static const char *kind_of(const json_t *value)
{
    if (!value)
        return "missing";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction or an exponent";
    case JSON_NULL:
        return "null";
    default:
        return "a truth value";
    }
}

static bool wrong(const ash__place *place, const char *format, const char *field, const char *kind)
{
    ash__fail_at(place, ASH_ERR_FORMAT, format, field, kind);
    return false;
}

static bool take_type(const ash__place *place, const json_t *info, ash__tensor *t, int *bits)
{
    const json_t *value = json_object_get(info, "dtype");
    if (!json_is_string(value))
        return wrong(place, "%s is %s; it must be a string", "dtype", kind_of(value));
    t->type = json_string_value(value);
    for (int i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, t->type) == 0) {
            t->dtype = types[i].dtype;
            *bits = types[i].bits;
            return true;
        }
    return wrong(place, "%s '%.40s' is not known", "dtype", t->type);
}

/* A list of integers from 0 on. */
static bool take_sizes(const ash__place *place, const char *field, const json_t *list, int64_t *sizes)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_integer(value))
            return wrong(place, "%s holds %s; it must hold integers", field, kind_of(value));
        sizes[i] = json_integer_value(value);
        if (sizes[i] < 0) {
            ash__fail_at(place, ASH_ERR_FORMAT, "%s: %lld is negative", field, (long long)sizes[i]);
            return false;
        }
    }
    return true;
}

static bool take_shape(const ash__place *place, const json_t *info, ash__tensor *t, int64_t *sizes)
{
    const json_t *value = json_object_get(info, "shape");
    if (!json_is_array(value))
        return wrong(place, "%s is %s; it must be a list of sizes", "shape", kind_of(value));
    t->shape = sizes;
    t->rank = (int64_t)json_array_size(value);
    return take_sizes(place, "shape", value, sizes);
}

static bool take_offsets(const ash__place *place, const json_t *info, ash__tensor *t, size_t available)
{
    const json_t *value = json_object_get(info, "data_offsets");
    int64_t offset[2];
    if (!json_is_array(value))
        return wrong(place, "%s is %s; it must be a list of begin and end", "data_offsets", kind_of(value));
    if (json_array_size(value) != 2) {
        ash__fail_at(place, ASH_ERR_FORMAT, "data_offsets has %zu items; it must have 2, begin and end",
                     json_array_size(value));
        return false;
    }
    if (!take_sizes(place, "data_offsets", value, offset))
        return false;
    t->begin = (size_t)offset[0];
    t->end = (size_t)offset[1];
    if (offset[0] > offset[1])
        ash__fail_at(place, ASH_ERR_FORMAT, "data_offsets [%zu, %zu]: the end comes before the begin", t->begin, t->end);
    else if (t->end > available)
        ash__fail_at(place, ASH_ERR_FORMAT, "data_offsets [%zu, %zu] are beyond the end: there are %zu bytes of data", t->begin,
                     t->end, available);
    else
        return true;
    return false;
}

static void shape_text(char text[ASH__SHAPE_TEXT], const ash__tensor *t)
{
    ash__shape_text(text, ASH__SHAPE_TEXT, t->shape, t->rank < ASH_MAX_RANK ? t->rank : ASH_MAX_RANK);
}

/* The shape needs exactly the bytes that are said to be the tensor's. */
static bool check_bytes(const ash__place *place, ash__tensor *t, int bits)
{
    char shape[ASH__SHAPE_TEXT];
    int64_t total;
    bool empty = false, overflow = false;
    t->count = 1;
    for (int64_t i = 0; i < t->rank; i++) {
        empty = empty || t->shape[i] == 0;
        overflow = overflow || (t->shape[i] > 0 && __builtin_mul_overflow(t->count, t->shape[i], &t->count));
    }
    if (empty)
        t->count = 0;
    shape_text(shape, t);
    if (!empty && (overflow || __builtin_mul_overflow(t->count, bits, &total))) {
        ash__fail_at(place, ASH_ERR_FORMAT, "shape %s has more elements than can be addressed", shape);
        return false;
    }
    total = empty ? 0 : t->count * bits;
    if (total % 8 == 0 && (size_t)total / 8 == t->end - t->begin)
        return true;
    ash__fail_at(place, ASH_ERR_FORMAT, "shape %s of %s needs %lld bytes; data_offsets [%zu, %zu] hold %zu", shape, t->type,
                 (long long)(total + 7) / 8, t->begin, t->end, t->end - t->begin);
    return false;
}

static bool take_tensor(const ash__place *place, const json_t *info, ash__tensor *t, int64_t *sizes, size_t available)
{
    int bits = 8;
    if (!json_is_object(info)) {
        ash__fail_at(place, ASH_ERR_FORMAT, "it is %s; it must be an object of dtype, shape and data_offsets", kind_of(info));
        return false;
    }
    return take_type(place, info, t, &bits) && take_shape(place, info, t, sizes) && take_offsets(place, info, t, available) &&
           check_bytes(place, t, bits);
}

/* ---- all of them */

static bool is_metadata(const char *key)
{
    return strcmp(key, "__metadata__") == 0;
}

static ash__place place_of(const ash__place *file, const char *tensor)
{
    return (ash__place){.function = file->function, .path = file->path, .kind = "tensor", .part = tensor};
}

/* Room for the tensors and for all sizes of their shapes. */
static ash_status make_room(const ash__place *file, ash__tensors *table, json_t *document)
{
    const char *key;
    json_t *info;
    int64_t tensors = 0, sizes = 0;
    json_object_foreach(document, key, info)
    {
        tensors += !is_metadata(key);
        sizes += (int64_t)json_array_size(json_object_get(info, "shape"));
    }
    table->tensor = ash__alloc(file->function, tensors, sizeof *table->tensor);
    table->sizes = ash__alloc(file->function, sizes, sizeof *table->sizes);
    return table->tensor && table->sizes ? ASH_OK : ASH_ERR_MEMORY;
}

static ash_status check_metadata(const ash__place *file, const json_t *metadata)
{
    const char *key;
    json_t *value;
    if (!json_is_object(metadata))
        return ash__fail_at(file, ASH_ERR_FORMAT, "__metadata__ is %s; it must be an object of strings", kind_of(metadata));
    json_object_foreach((json_t *)metadata, key, value) /* the macro's functions take no const */
    {
        if (!json_is_string(value))
            return ash__fail_at(file, ASH_ERR_FORMAT, "__metadata__: %.80s is %s; it must be a string", key, kind_of(value));
    }
    return ASH_OK;
}

static int by_offset(const void *a, const void *b)
{
    const ash__tensor *s = a, *t = b;
    if (s->begin != t->begin)
        return s->begin < t->begin ? -1 : 1;
    return s->end < t->end ? -1 : s->end > t->end;
}

/* Sorted, the tensors follow one another from the first byte of the data to the last. */
static ash_status check_order(const ash__place *file, ash__tensors *table, size_t available)
{
    size_t end = 0;
    if (table->count > 1)
        qsort(table->tensor, (size_t)table->count, sizeof *table->tensor, by_offset);
    for (int64_t i = 0; i < table->count; i++) {
        const ash__tensor *t = &table->tensor[i];
        const ash__place place = place_of(file, t->name);
        if (t->begin < end)
            return ash__fail_at(&place, ASH_ERR_FORMAT, "data_offsets [%zu, %zu] overlap those of tensor %.80s, [%zu, %zu]",
                                t->begin, t->end, t[-1].name, t[-1].begin, t[-1].end);
        if (t->begin > end)
            return ash__fail_at(&place, ASH_ERR_FORMAT, "data_offsets [%zu, %zu] leave a gap: they must begin at %zu", t->begin,
                                t->end, end);
        end = t->end;
    }
    if (end == available)
        return ASH_OK;
    return ash__fail_at(file, ASH_ERR_FORMAT, "%zu bytes follow the data of the last tensor", available - end);
}

static ash_status take_document(const ash__place *file, ash__tensors *table, size_t available)
{
    json_t *document = table->document, *info;
    const char *key;
    ash_status status = make_room(file, table, document);
    int64_t *sizes = table->sizes;
    if (status != ASH_OK)
        return status;
    json_object_foreach(document, key, info)
    {
        if (is_metadata(key)) {
            status = check_metadata(file, info);
        } else {
            ash__tensor *t = &table->tensor[table->count++];
            const ash__place place = place_of(file, key);
            t->name = key;
            status = take_tensor(&place, info, t, sizes, available) ? ASH_OK : ASH_ERR_FORMAT;
            sizes += t->rank;
        }
        if (status != ASH_OK)
            return status;
    }
    return check_order(file, table, available);
}

static ash_status parse(const ash__place *file, const char *text, size_t length, ash__tensors *table, size_t available)
{
    json_error_t error;
    table->document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!table->document)
        return json_error_code(&error) == json_error_out_of_memory
                   ? ash__fail_at(file, ASH_ERR_MEMORY, "no memory for the header")
                   : ash__fail_at(file, ASH_ERR_FORMAT, "header, byte %d: %s", error.position, error.text);
    if (!json_is_object((json_t *)table->document))
        return ash__fail_at(file, ASH_ERR_FORMAT, "the header is %s; it must be an object", kind_of(table->document));
    return take_document(file, table, available);
}

ash_status ash__tensors_read(ash__source *from, ash__tensors *table)
{
    unsigned char prefix[ASH__SAFETENSORS_PREFIX];
    uint64_t length = 0;
    *table = (ash__tensors){0};
    if (from->size < sizeof prefix)
        return ash__fail_at(&from->place, ASH_ERR_FORMAT, "no safetensors file: it has %zu bytes", from->size);
    ash_status status = ash__fetch(from, prefix, sizeof prefix);
    if (status != ASH_OK)
        return status;
    for (int i = 0; i < ASH__SAFETENSORS_PREFIX; i++)
        length |= (uint64_t)prefix[i] << 8 * i;
    const size_t rest = from->size - sizeof prefix;
    if (length > rest)
        return ash__fail_at(&from->place, ASH_ERR_FORMAT, "header length %llu is beyond the end: %zu bytes follow",
                            (unsigned long long)length, rest);
    if (length > ASH__SAFETENSORS_LONGEST)
        return ash__fail_at(&from->place, ASH_ERR_FORMAT, "header length %llu is above %d", (unsigned long long)length,
                            ASH__SAFETENSORS_LONGEST);
    char *text = ash__alloc(from->place.function, (int64_t)length, 1);
    if (!text)
        return ASH_ERR_MEMORY;
    table->data_start = sizeof prefix + (size_t)length;
    status = ash__fetch(from, text, (size_t)length);
    if (status == ASH_OK && (length == 0 || text[0] != '{'))
        status = ash__fail_at(&from->place, ASH_ERR_FORMAT, "no safetensors file: the header does not begin with '{'");
    if (status == ASH_OK)
        status = parse(&from->place, text, (size_t)length, table, rest - (size_t)length);
    ash__free(text);
    return status;
}

void ash__tensors_end(ash__tensors *table)
{
    json_decref(table->document);
    ash__free(table->tensor);
    ash__free(table->sizes);
}

bool ash__tensors_have(const ash__tensors *table, const char *name)
{
    return !is_metadata(name) && json_object_get(table->document, name);
}

ash_status ash__tensors_metadata(const ash__tensors *table, ash__each_metadata *each, void *context)
{
    const char *key;
    json_t *value;
    ash_status status = ASH_OK;
    json_object_foreach(json_object_get(table->document, "__metadata__"), key, value)
    {
        if (status == ASH_OK)
            status = each(context, key, json_string_value(value));
    }
    return status;
}

#else /* without Jansson */

ash_status ash__tensors_missing(const ash__place *place)
{
    return ash__fail_at(place, ASH_ERR_UNSUPPORTED,
                        "this Ashlar was built without Jansson; install it (Debian: libjansson-dev) and build again");
}

ash_status ash__tensors_read(ash__source *from, ash__tensors *table)
{
    *table = (ash__tensors){0};
    return ash__tensors_missing(&from->place);
}

void ash__tensors_end(ash__tensors *table)
{
    (void)table;
}

bool ash__tensors_have(const ash__tensors *table, const char *name)
{
    (void)table;
    (void)name;
    return false;
}

ash_status ash__tensors_metadata(const ash__tensors *table, ash__each_metadata *each, void *context)
{
    (void)table;
    (void)each;
    (void)context;
    return ASH_OK;
}
#endif

const ash__tensor *ash__tensors_find(const ash__place *place, const ash__tensors *table, const char *name)
{
    for (int64_t i = 0; i < table->count; i++)
        if (name ? strcmp(table->tensor[i].name, name) == 0 : table->count == 1)
            return &table->tensor[i];
    const char *const first = table->count ? table->tensor[0].name : "";
    if (table->count == 0)
        ash__fail_at(place, ASH_ERR_BOUNDS, "there is no tensor in it");
    else if (name)
        ash__fail_at(place, ASH_ERR_BOUNDS, "there is no tensor %.80s; it has %lld, such as %.80s", name,
                     (long long)table->count, first);
    else
        ash__fail_at(place, ASH_ERR_ARGUMENT, "name one of its %lld tensors, such as %.80s", (long long)table->count, first);
    return NULL;
}
