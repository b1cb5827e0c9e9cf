/*
 * safetensors_text.c - what is no tensor of a tree as texts in __metadata__, and back.
 *
 * The format knows strings only. A scalar is "ashlar:f32:0.5", a text "ashlar:text:hello", a range "ashlar:range:0:5"; numbers
 * are the texts of printing, which read back as the same values. The texts of a branch called __metadata__ are the others that
 * a file has, as they are.
 */
#include <inttypes.h>

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/format.h"
#include "core/operand.h"
#include "io/csv.h"
#include "io/safetensors.h"

static const char mark[] = "ashlar:", text_mark[] = "text:", range_mark[] = "range:";
enum { CELL = 128 }; /* holds every scalar's text */

bool ash__tensor_text_is_ours(const char *text)
{
    return strncmp(text, mark, sizeof mark - 1) == 0;
}

char *ash__tensor_text(const char *function, const ash_tree *leaf)
{
    char cell[CELL];
    unsigned char bytes[ASH__SCALAR_BYTES];
    const char *kind = text_mark, *value = cell, *colon = "";
    if (leaf->kind == ASH_TREE_TEXT) {
        value = leaf->text;
    } else if (leaf->kind == ASH_TREE_RANGE) {
        kind = range_mark;
        snprintf(cell, sizeof cell, "%" PRId64 ":%" PRId64, leaf->first, leaf->end);
    } else {
        if (ash__operand_bytes(function, &leaf->scalar, bytes) != ASH_OK)
            return NULL;
        kind = ash_dtype_name(leaf->scalar.dtype);
        colon = ":";
        ash__format_element(cell, sizeof cell, leaf->scalar.dtype, (const char *)bytes, false);
    }
    const size_t room = sizeof mark + strlen(kind) + 1 + strlen(value);
    char *text = ash__alloc(function, (int64_t)room, 1);
    if (text)
        snprintf(text, room, "%s%s%s%s", mark, kind, colon, value);
    return text;
}

/* false: no text of a scalar. */
static bool parse_scalar(const char *text, ash_operand *scalar)
{
    char name[16], element[ASH__SCALAR_BYTES];
    const size_t n = strcspn(text, ":");
    if (n >= sizeof name || !text[n])
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    const ash_dtype dtype = ash_dtype_from_name(name);
    const ash__csv_field field = {text + n + 1, strlen(text + n + 1), false};
    if (dtype == ASH_DTYPE_DEFAULT || ash__is_record(dtype) || ash__csv_store(element, dtype, &field, false) != ASH__CSV_GOOD)
        return false;
    const ash__kind kind = ash__kind_of(dtype);
    *scalar = (ash_operand){.kind = ASH_OPERAND_SCALAR, .dtype = dtype};
    const ash_dtype wide = kind == ASH__KIND_COMPLEX    ? ASH_C_F64
                           : kind == ASH__KIND_FLOAT    ? ASH_F64
                           : kind == ASH__KIND_UNSIGNED ? ASH_U64
                                                        : ASH_I64;
    return ash__convert_run((char *)&scalar->value, 16, wide, element, 16, dtype, 1, false) == 1;
}

static ash_tree *text_leaf(const char *function, const char *text)
{
    ash_tree *leaf = ash__tree_node(function, ASH_TREE_TEXT);
    if (leaf && (leaf->text = ash__alloc(function, (int64_t)strlen(text) + 1, 1)) != NULL)
        return strcpy(leaf->text, text), leaf;
    ash__tree_end(leaf);
    return NULL;
}

static ash_tree *range_leaf(const char *function, int64_t first, int64_t end)
{
    ash_tree *leaf = ash__tree_node(function, ASH_TREE_RANGE);
    if (leaf)
        leaf->first = first, leaf->end = end;
    return leaf;
}

ash_tree *ash__tensor_leaf(const char *function, const char *text)
{
    int64_t first, end;
    int used = 0;
    ash_operand scalar;
    const char *const rest = text + sizeof mark - 1;
    if (!ash__tensor_text_is_ours(text))
        return text_leaf(function, text);
    if (strncmp(rest, text_mark, sizeof text_mark - 1) == 0)
        return text_leaf(function, rest + sizeof text_mark - 1);
    if (sscanf(rest, "range:%" SCNd64 ":%" SCNd64 "%n", &first, &end, &used) == 2 && !rest[used] && first <= end)
        return range_leaf(function, first, end);
    if (parse_scalar(rest, &scalar))
        return ash__tree_scalar(function, &scalar);
    ash__fail(ASH_ERR_FORMAT, function, "__metadata__: '%.100s' is no value", text);
    return NULL;
}
