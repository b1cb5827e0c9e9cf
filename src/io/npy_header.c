/*
 * npy_header.c - reading the header of an NPY file.
 *
 * The format is NumPy's (numpy.lib.format, versions 1.0 to 3.0): a magic string, a version, the length of a text, and the
 * text, which is a Python dictionary of exactly the keys descr, fortran_order and shape. The text is read by a small strict
 * parser, never evaluated. Whatever the header claims is checked against the size of the file before memory is asked for.
 *
 * A descr is a dtype or a list of fields. Fields are laid out in memory as a C compiler lays out a struct, whatever gaps
 * the file has, so a record may lie differently in the file and in memory; a tree of nodes says where.
 */
#include "io/npy.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/record.h"

ash_status ash__npy_prefix(const ash__place *place, const unsigned char *bytes, size_t size, int *version, size_t *start,
                           size_t *length)
{
    if (size < 6 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return ash__fail_at(place, ASH_ERR_FORMAT, "no NPY file: the magic string is missing");
    if (size < 10)
        return ash__fail_at(place, ASH_ERR_FORMAT, "the header is cut off: %zu bytes", size);
    *version = bytes[6];
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return ash__fail_at(place, ASH_ERR_FORMAT, "version %d.%d of the format is not known; 1.0, 2.0 and 3.0 are", bytes[6],
                            bytes[7]);
    *start = *version == 1 ? 10 : 12;
    if (size < *start)
        return ash__fail_at(place, ASH_ERR_FORMAT, "the header is cut off: %zu bytes", size);
    *length = bytes[8] | (size_t)bytes[9] << 8;
    if (*version > 1)
        *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (*length > size - *start)
        return ash__fail_at(place, ASH_ERR_FORMAT, "header length %zu is beyond the end: %zu bytes follow", *length,
                            size - *start);
    if (*length > ASH__NPY_LONGEST)
        return ash__fail_at(place, ASH_ERR_FORMAT, "header length %zu is above %d", *length, ASH__NPY_LONGEST);
    return ASH_OK;
}

/* ---- the parser: every function gives true, or false with an error set */

typedef struct parser {
    const ash__place *place;
    const char *text, *at, *end;
    int version;
    int depth; /* of lists that are open */
    ash__npy_header *header;
} parser;

enum { STRING_ROOM = 512 };

static bool syntax(const parser *p, const char *wanted)
{
    if (p->at == p->end)
        ash__fail_at(p->place, ASH_ERR_FORMAT, "header: the text ends where %s is wanted", wanted);
    else
        ash__fail_at(p->place, ASH_ERR_FORMAT, "header: %s is wanted at byte %d", wanted, (int)(p->at - p->text));
    return false;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* Takes c if it comes next. */
static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool expect(parser *p, char c)
{
    const char wanted[] = {'\'', c, '\'', '\0'};
    return take(p, c) || syntax(p, wanted);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Appends a code point in UTF-8. */
static void put_code(char *to, size_t *n, uint32_t code)
{
    if (code < 0x80) {
        to[(*n)++] = (char)code;
    } else if (code < 0x800) {
        to[(*n)++] = (char)(0xC0 | code >> 6);
        to[(*n)++] = (char)(0x80 | (code & 0x3F));
    } else {
        to[(*n)++] = (char)(0xE0 | code >> 12);
        to[(*n)++] = (char)(0x80 | (code >> 6 & 0x3F));
        to[(*n)++] = (char)(0x80 | (code & 0x3F));
    }
}

/* After a backslash: \\ \' \" \n \t \r \xNN \uNNNN, as Python writes them. */
static bool take_escape(parser *p, char *to, size_t *n)
{
    static const char names[] = "\\'\"ntr", values[] = "\\'\"\n\t\r";
    if (p->at == p->end)
        return syntax(p, "an escape");
    const char c = *p->at++;
    const char *name = memchr(names, c, sizeof names - 1);
    if (name) {
        put_code(to, n, (uint32_t)values[name - names]);
        return true;
    }
    const int digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
    uint32_t code = 0;
    for (int i = 0; i < digits; i++) {
        const int digit = p->at < p->end ? hex_digit(*p->at) : -1;
        if (digit < 0)
            return syntax(p, "a hexadecimal digit");
        code = code << 4 | (uint32_t)digit;
        p->at++;
    }
    if (code == 0)
        return syntax(p, "a known escape");
    put_code(to, n, code);
    return true;
}

/* A quoted string, as UTF-8; a prefix u or b is passed over. */
static bool take_string(parser *p, char to[STRING_ROOM])
{
    size_t n = 0;
    skip_blanks(p);
    if (p->end - p->at > 1 && (*p->at == 'u' || *p->at == 'b'))
        p->at++;
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"'))
        return syntax(p, "a string");
    const char quote = *p->at++;
    while (p->at < p->end && *p->at != quote) {
        const char c = *p->at++;
        if (n + 4 > STRING_ROOM - 1)
            return syntax(p, "a shorter string");
        if (c == '\0')
            return syntax(p, "a string without zero bytes");
        if (c == '\\') {
            if (!take_escape(p, to, &n))
                return false;
        } else if (p->version < 3) {
            put_code(to, &n, (unsigned char)c); /* Latin-1 */
        } else {
            to[n++] = c;
        }
    }
    to[n] = '\0';
    return expect(p, quote);
}

/* A size: digits, with an L behind them when Python 2 wrote it. */
static bool take_size(parser *p, int64_t *size)
{
    skip_blanks(p);
    const char *start = p->at;
    if (p->at < p->end && *p->at == '-') {
        ash__fail_at(p->place, ASH_ERR_FORMAT, "shape: a size is negative");
        return false;
    }
    *size = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(*size, 10, size) || __builtin_add_overflow(*size, *p->at - '0', size)) {
            ash__fail_at(p->place, ASH_ERR_FORMAT, "shape: a size is above 2^63 - 1");
            return false;
        }
    if (p->at == start)
        return syntax(p, "a size");
    if (p->at < p->end && *p->at == 'L')
        p->at++;
    return true;
}

/* (), (n,), (n, m, ...): at most ASH_MAX_RANK sizes. */
static bool take_shape(parser *p, int64_t *shape, int64_t *rank)
{
    *rank = 0;
    if (!expect(p, '('))
        return false;
    while (!take(p, ')')) {
        if (*rank == ASH_MAX_RANK) {
            ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "shape: more than %d axes", ASH_MAX_RANK);
            return false;
        }
        if (!take_size(p, &shape[(*rank)++]))
            return false;
        if (!take(p, ',')) {
            if (*rank == 1)
                return syntax(p, "','"); /* (3) is a number in Python */
            return expect(p, ')');
        }
    }
    return true;
}

static bool take_bool(parser *p, bool *value)
{
    skip_blanks(p);
    const size_t left = (size_t)(p->end - p->at);
    *value = left >= 4 && memcmp(p->at, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(p->at, "False", 5) == 0))
        return syntax(p, "True or False for fortran_order");
    p->at += *value ? 4 : 5;
    return true;
}

/* ---- descr */

static int32_t new_node(parser *p)
{
    ash__npy_header *h = p->header;
    if (h->nodes == h->room) {
        const int32_t room = h->room ? 2 * h->room : 8;
        ash__npy_node *larger = ash__realloc(p->place->function, h->node, room, sizeof *larger);
        if (!larger)
            return -1;
        h->node = larger;
        h->room = room;
    }
    h->node[h->nodes] = (ash__npy_node){.count = 1, .first = -1, .next = -1};
    return h->nodes++;
}

static bool refuse(const parser *p, const char *descr, const char *why)
{
    ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "descr '%.40s': %s", descr, why);
    return false;
}

/* Says why a dtype of NumPy's has no counterpart. */
static bool refuse_dtype(const parser *p, const char *descr, char letter, long size)
{
    switch (letter) {
    case 'O':
        return refuse(p, descr, "Python objects are not supported");
    case 'S':
    case 'a':
    case 'U':
        return refuse(p, descr, "strings are not supported");
    case 'M':
    case 'm':
        return refuse(p, descr, "dates and times are not supported");
    case 'V':
        return refuse(p, descr,
                      size == 2 ? "two raw bytes; give .dtype = ASH_BF16 if they are bf16 values"
                                : "raw bytes are not supported");
    default:
        break;
    }
    if (size == 16 && (letter == 'i' || letter == 'u'))
        return refuse(p, descr,
                      letter == 'i' ? "does not support i128 values; use i64" : "does not support u128 values; use u64");
    if ((size >= 10 && letter == 'f') || (size >= 20 && letter == 'c'))
        return refuse(p, descr, "does not support f128 values; use f64");
    ash__fail_at(p->place, ASH_ERR_FORMAT, "descr '%.40s' is no dtype", descr);
    return false;
}

static ash_dtype dtype_of_letter(char letter, long size)
{
    static const struct {
        char letter;
        uint8_t size;
        ash_dtype dtype;
    } known[] = {{'b', 1, ASH_BOOL}, {'?', 0, ASH_BOOL}, {'?', 1, ASH_BOOL},  {'i', 1, ASH_I8},
                 {'i', 2, ASH_I16},  {'i', 4, ASH_I32},  {'i', 8, ASH_I64},   {'u', 1, ASH_U8},
                 {'u', 2, ASH_U16},  {'u', 4, ASH_U32},  {'u', 8, ASH_U64},   {'f', 2, ASH_F16},
                 {'f', 4, ASH_F32},  {'f', 8, ASH_F64},  {'c', 8, ASH_C_F32}, {'c', 16, ASH_C_F64}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].letter == letter && known[i].size == size)
            return known[i].dtype;
    return ASH_DTYPE_DEFAULT;
}

/* '<f8' and the like. '<V2' is how NumPy writes the bfloat16 of ml_dtypes; '|V2' is two bytes of anything. */
static bool set_plain(parser *p, ash__npy_node *node, const char *descr, ash_dtype wanted)
{
    const char *at = descr;
    const char order = *at == '<' || *at == '>' || *at == '|' || *at == '=' ? *at++ : '=';
    const char letter = *at ? *at++ : '\0';
    long size = 0;
    int digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 4; at++, digits++)
        size = 10 * size + (*at - '0');
    const bool whole = *at == '\0';
    node->dtype = whole ? dtype_of_letter(letter, size) : ASH_DTYPE_DEFAULT;
    if (whole && letter == 'V' && size == 2 && (order == '<' || order == '>' || wanted == ASH_BF16))
        node->dtype = ASH_BF16;
    if (node->dtype == ASH_DTYPE_DEFAULT)
        return refuse_dtype(p, descr, letter, size);
    node->file_size = ash_dtype_size(node->dtype);
    const bool wide = ash_dtype_size(ash__part(node->dtype)) > 1;
    node->swapped = wide && order == (ASH__LITTLE_ENDIAN ? '>' : '<');
    return true;
}

static bool take_descr(parser *p, int32_t node, ash_dtype wanted, const char *name);

/* The name of a field, or (title, name). */
static bool take_name(parser *p, char name[STRING_ROOM])
{
    char title[STRING_ROOM];
    if (!take(p, '('))
        return take_string(p, name);
    return take_string(p, title) && expect(p, ',') && take_string(p, name) && expect(p, ')');
}

/* An inner shape: (3,) or (2, 3) or 3; its axes are laid one after the other. */
static bool take_inner_shape(parser *p, int64_t *count)
{
    int64_t shape[ASH_MAX_RANK], rank = 1;
    skip_blanks(p);
    if (p->at < p->end && *p->at == '(') {
        if (!take_shape(p, shape, &rank))
            return false;
    } else if (!take_size(p, &shape[0])) {
        return false;
    }
    *count = 1;
    for (int64_t i = 0; i < rank; i++)
        if (shape[i] < 1 || __builtin_mul_overflow(*count, shape[i], count) || *count > INT32_MAX) {
            ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "descr: an inner shape has %s",
                         shape[i] < 1 ? "no element" : "too many elements");
            return false;
        }
    return true;
}

/* Fields of one list as they are met. */
typedef struct fields {
    ash_field_info *field;
    char *names; /* of all fields, one after the other */
    size_t names_used;
    int64_t count, room;
    size_t file_size, size, alignment;
    int32_t last;
    ash_dtype wanted;
} fields;

/* Gaps have no name and a V dtype: ('', '|V4'). */
static bool take_gap(parser *p, fields *f)
{
    char descr[STRING_ROOM];
    if (!take_string(p, descr))
        return false;
    const char *at = descr + (descr[0] == '|');
    size_t size = 0;
    const bool raw = *at == 'V' && at[1] != '\0';
    for (at++; raw && *at >= '0' && *at <= '9' && size < INT32_MAX; at++)
        size = 10 * size + (size_t)(*at - '0');
    if (!raw || *at != '\0' || size > INT32_MAX) {
        ash__fail_at(p->place, ASH_ERR_FORMAT, "descr: a field of dtype '%.40s' has no name", descr);
        return false;
    }
    f->file_size += size;
    return true;
}

static bool add_field(parser *p, fields *f, const char *name, int32_t number)
{
    const ash__npy_node *node = &p->header->node[number];
    const size_t length = strlen(name) + 1, alignment = ash__alignment_of(node->dtype);
    const size_t size = ash_dtype_size(node->dtype);
    if (f->count == f->room || length > 256) {
        ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "descr: %s",
                     length > 256 ? "a field's name is too long" : "too many fields");
        return false;
    }
    for (int64_t i = 0; i < f->count; i++)
        if (strcmp(f->field[i].name, name) == 0) {
            ash__fail_at(p->place, ASH_ERR_FORMAT, "descr: two fields are named %s", name);
            return false;
        }
    char *copy = memcpy(f->names + f->names_used, name, length);
    f->names_used += length;
    f->size = (f->size + alignment - 1) / alignment * alignment;
    f->alignment = alignment > f->alignment ? alignment : f->alignment;
    f->field[f->count++] = (ash_field_info){copy, node->dtype, f->size, node->count};
    p->header->node[number].file_offset = f->file_size;
    p->header->node[number].offset = f->size;
    /* counts and sizes are below 2^31 each */
    f->file_size += node->file_size * (size_t)node->count;
    f->size += size * (size_t)node->count;
    if (f->size > INT32_MAX || f->file_size > INT32_MAX) {
        ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "descr: a record of 2^31 bytes or more");
        return false;
    }
    return true;
}

/* (name, descr) or (name, descr, shape), or a gap. */
static bool take_field(parser *p, fields *f, int32_t list)
{
    char name[STRING_ROOM];
    if (!expect(p, '(') || !take_name(p, name) || !expect(p, ','))
        return false;
    if (!*name)
        return take_gap(p, f) && expect(p, ')');

    const int32_t node = new_node(p);
    if (node < 0)
        return false;
    ash_field_info wanted = {0};
    const int64_t number = ash__field_number(f->wanted, name);
    if (number >= 0)
        ash_dtype_field(f->wanted, number, &wanted);
    if (!take_descr(p, node, wanted.dtype, name))
        return false;
    bool closed = false;
    if (take(p, ',')) {
        closed = take(p, ')');
        if (!closed && !take_inner_shape(p, &p->header->node[node].count))
            return false;
        if (!closed)
            take(p, ',');
    }
    if (!closed && !expect(p, ')'))
        return false;
    *(f->last < 0 ? &p->header->node[list].first : &p->header->node[f->last].next) = node;
    f->last = node;
    return add_field(p, f, name, node);
}

/* A pair re, im of a dtype that NumPy has no complex numbers of is one of ours. */
static bool is_complex(const fields *f)
{
    if (f->count != 2 || strcmp(f->field[0].name, "re") != 0 || strcmp(f->field[1].name, "im") != 0 ||
        ash__is_record(f->wanted))
        return false;
    const ash_dtype part = f->field[0].dtype;
    return part == f->field[1].dtype && (ash__is_integer(part) || part == ASH_F16 || part == ASH_BF16) &&
           f->field[0].count == 1 && f->field[1].count == 1 && f->file_size == 2 * ash_dtype_size(part);
}

static bool make_record(parser *p, fields *f, int32_t list, const char *name)
{
    ash__npy_node *node = &p->header->node[list];
    node->file_size = f->file_size;
    const ash__npy_node *first = f->count ? &p->header->node[node->first] : NULL;
    if (is_complex(f) && first->swapped == p->header->node[first->next].swapped) {
        node->dtype = ash__complex_of(first->dtype);
        node->swapped = first->swapped;
        node->first = -1;
        return true;
    }
    if (f->count == 0) {
        ash__fail_at(p->place, ASH_ERR_FORMAT, "descr: a record without fields");
        return false;
    }
    const size_t size = (f->size + f->alignment - 1) / f->alignment * f->alignment;
    node->dtype = ash__record_new(p->place->function, ash__is_record(f->wanted) ? ash_dtype_name(f->wanted) : name, size,
                                  f->field, f->count);
    return node->dtype != ASH_DTYPE_DEFAULT;
}

static bool take_list(parser *p, int32_t list, ash_dtype wanted, const char *name)
{
    const size_t left = (size_t)(p->end - p->at);
    fields f = {.alignment = 1, .last = -1, .wanted = wanted};
    bool good = false;
    if (p->depth == ASH__RECORD_DEPTH) {
        ash__fail_at(p->place, ASH_ERR_UNSUPPORTED, "descr: records nested more than %d deep", ASH__RECORD_DEPTH);
        return false;
    }
    p->depth++;
    /* a field takes some bytes of text, and Latin-1 letters become two */
    f.room = left / 4 < ASH__RECORD_FIELDS ? (int64_t)(left / 4) : ASH__RECORD_FIELDS;
    f.field = ash__alloc(p->place->function, f.room, sizeof *f.field);
    f.names = ash__alloc(p->place->function, 2 * (int64_t)left, 1);
    if (!f.field || !f.names)
        goto done;
    while (!take(p, ']')) {
        if (!take_field(p, &f, list))
            goto done;
        if (!take(p, ',')) {
            if (!expect(p, ']'))
                goto done;
            break;
        }
    }
    good = make_record(p, &f, list, name);
done:
    p->depth--;
    ash__free(f.field);
    ash__free(f.names);
    return good;
}

static bool take_descr(parser *p, int32_t node, ash_dtype wanted, const char *name)
{
    char descr[STRING_ROOM];
    if (take(p, '['))
        return take_list(p, node, wanted, name);
    return take_string(p, descr) && set_plain(p, &p->header->node[node], descr, wanted);
}

/* ---- the dictionary */

static bool take_dictionary(parser *p, ash_dtype wanted)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned seen = 0;
    char key[STRING_ROOM];
    if (!expect(p, '{'))
        return false;
    while (!take(p, '}')) {
        if (!take_string(p, key) || !expect(p, ':'))
            return false;
        int k = 0;
        while (k < 3 && strcmp(key, keys[k]) != 0)
            k++;
        if (k == 3 || seen & 1U << k) {
            ash__fail_at(p->place, ASH_ERR_FORMAT, "header: the key '%.40s' is %s", key, k == 3 ? "not known" : "there twice");
            return false;
        }
        seen |= 1U << k;
        if (k == 0   ? new_node(p) < 0 || !take_descr(p, 0, wanted, "record") /* the first node: the element */
            : k == 1 ? !take_bool(p, &p->header->fortran)
                     : !take_shape(p, p->header->shape, &p->header->rank))
            return false;
        if (!take(p, ',')) {
            if (!expect(p, '}'))
                return false;
            break;
        }
    }
    for (int k = 0; k < 3; k++)
        if (!(seen & 1U << k)) {
            ash__fail_at(p->place, ASH_ERR_FORMAT, "header: the key '%s' is missing", keys[k]);
            return false;
        }
    skip_blanks(p);
    return p->at == p->end || syntax(p, "the end");
}

/* ---- checks of the whole */

static void summarize(ash__npy_header *h, const ash__npy_node *node)
{
    h->any_bool |= node->dtype == ASH_BOOL;
    h->any_swapped |= node->swapped;
    h->same_layout &= node->offset == node->file_offset && node->file_size == ash_dtype_size(node->dtype);
    for (int32_t i = node->first; i >= 0; i = h->node[i].next)
        summarize(h, &h->node[i]);
}

static ash_status check_size(const ash__place *place, ash__npy_header *h, size_t available)
{
    char shape[ASH__SHAPE_TEXT];
    int64_t count = 1, bytes;
    const size_t item = h->node[0].file_size, size = ash_dtype_size(h->node[0].dtype);
    ash__shape_text(shape, sizeof shape, h->shape, h->rank);
    bool empty = false, overflow = false;
    for (int64_t i = 0; i < h->rank; i++) {
        empty = empty || h->shape[i] == 0;
        overflow = overflow || (h->shape[i] > 0 && __builtin_mul_overflow(count, h->shape[i], &count));
    }
    if (empty)
        count = 0;
    /* also in memory, where a record may be larger than in the file */
    else if (overflow || __builtin_mul_overflow(count, (int64_t)(size > item ? size : item), &bytes))
        return ash__fail_at(place, ASH_ERR_FORMAT, "shape %s has more elements than can be addressed", shape);
    h->count = count;
    h->nbytes = (size_t)count * item;
    if (h->nbytes > available)
        return ash__fail_at(place, ASH_ERR_FORMAT, "shape %s of %zu-byte elements needs %zu bytes of data; there are %zu",
                            shape, item, h->nbytes, available);
    return ASH_OK;
}

ash_status ash__npy_parse(const ash__place *place, const char *text, size_t length, int version, size_t start, size_t size,
                          ash_dtype wanted, ash__npy_header *header)
{
    *header = (ash__npy_header){.data_offset = start + length, .same_layout = true};
    parser p = {.place = place, .text = text, .at = text, .end = text + length, .version = version, .header = header};
    if (!take_dictionary(&p, wanted))
        return ash__last_status();
    summarize(header, &header->node[0]);
    return check_size(place, header, size - header->data_offset);
}

/* ---- elements */

static void swap_values(char *p, size_t size, int64_t n)
{
    uint16_t x;
    uint32_t y;
    uint64_t z;
    for (int64_t i = 0; i < n; i++, p += size) {
        if (size == 2) {
            memcpy(&x, p, 2);
            x = __builtin_bswap16(x);
            memcpy(p, &x, 2);
        } else if (size == 4) {
            memcpy(&y, p, 4);
            y = __builtin_bswap32(y);
            memcpy(p, &y, 4);
        } else if (size == 8) {
            memcpy(&z, p, 8);
            z = __builtin_bswap64(z);
            memcpy(p, &z, 8);
        }
    }
}

/* n values of a plain dtype, side by side. */
static void fix_plain(const ash__npy_node *node, char *p, int64_t n)
{
    if (node->swapped)
        swap_values(p, ash_dtype_size(ash__part(node->dtype)), ash__is_complex(node->dtype) ? 2 * n : n);
    if (node->dtype == ASH_BOOL)
        for (int64_t i = 0; i < n; i++)
            p[i] = p[i] != 0;
}

static void unpack(const ash__npy_header *h, const ash__npy_node *node, char *to, const char *from, int64_t n)
{
    const size_t size = ash_dtype_size(node->dtype);
    if (node->first < 0) {
        memmove(to, from, (size_t)n * size);
        fix_plain(node, to, n);
        return;
    }
    for (int64_t i = 0; i < n; i++, to += size, from += node->file_size)
        for (int32_t k = node->first; k >= 0; k = h->node[k].next)
            unpack(h, &h->node[k], to + h->node[k].offset, from + h->node[k].file_offset, h->node[k].count);
}

void ash__npy_unpack(const ash__npy_header *header, char *to, const char *from, int64_t count)
{
    unpack(header, &header->node[0], to, from, count);
}

void ash__npy_fix(const ash__npy_header *header, char *elements, int64_t count)
{
    if (header->any_swapped || header->any_bool)
        unpack(header, &header->node[0], elements, elements, count);
}
