/*
 * product.c - matrix products on a device: operands are packed as computed with, then multiplied by tiles.
 *
 * Where a row of C lies apart and a column side by side, the transposed product is computed. By items alone (processors) A is
 * read where it lies if it can be. A product by a vector, by a diagonal, or of nothing has kernels of its own.
 *
 * Members of a batch are done as many at once as fit in working memory of some size.
 */
#include "backend/product.h"

#include <string.h>

#include "backend/gpu/dense.h"
#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/operand.h"
#include "core/settings.h"
#include "core/shape.h"

enum {
    TILE = 128,
    SMALL_TILE = 64,         /* rows and columns of one, by groups; product_tiles.c */
    VECTOR_BYTES = 64,       /* of which a panel is two wide, by items alone; product_lanes.c */
    BLOCK = 128,             /* rows for an item alone, */
    ITEMS = 64,              /* fewer where there would be fewer items */
    ROWS_OF_VECTOR = 64,     /* by items alone; product_vector.c */
    SEGMENT = 16384,         /* products of a vector's element, at least */
    GROUP = 256,             /* work-items */
    PACKED_BYTES = 256 << 20 /* of a part of a batch */
};

/* Structs of kernel text. */
typedef struct operand {
    int64_t row, col;
    int32_t conjugated, stored, mirror, unit;
} operand;
typedef struct parameters {
    ash__gpu_batch at;
    operand a, b;
    int64_t c_row, c_col, rows, cols, inner, a_row, a_packed, b_packed;
    uint64_t alpha[2], beta[2];
    int32_t has_alpha, has_beta, block, segments;
} parameters;
typedef struct pack {
    ash__gpu_batch at;
    operand s;
    int64_t lines, inner, packed;
} pack;

/* How a factor is laid out for tiles. */
typedef struct layout {
    int width, lines, chunk; /* lines of a panel; lines and places that a group does */
} layout;

typedef struct product {
    ash__gpu_work *work;
    const ash__task *task;
    const ash__span *span[3]; /* c, a, b: where turned, b and a */
    ash_dtype of[3];          /* their dtypes */
    void *memory[3];          /* and the driver's memories */
    ash_structure structure[3];
    ash_dtype dtype, with; /* of c; what is computed with */
    bool complex, alone, nothing, in_place;
    int tile;     /* rows and columns of one, by groups */
    int per_word; /* by matrix units: elements of a packed word, 1 or 2; or 0 */
    parameters p;
    int64_t count; /* of products */
    layout a, b;
    ash__gpu_room *room; /* for packed factors */
} product;

static bool is_narrow(ash_dtype part)
{
    return part == ASH_F16 || part == ASH_BF16;
}

static ash_dtype work_dtype(ash_dtype part, int64_t inner)
{
    if (ash__is_float(part))
        return is_narrow(part) ? ASH_F32 : part;
    if (part == ASH_I64 || part == ASH_U64 || (part == ASH_BOOL && inner > UINT32_MAX)) /* a count that does not wrap to 0 */
        return ASH_U64;
    return ASH_U32;
}

static int64_t bytes_of(const product *g)
{
    return (int64_t)ash_dtype_size(g->with);
}

static int planes_of(const product *g)
{
    return g->complex ? 2 : 1;
}

/* ---- what a product is */

/* An element of c's dtype as two parts that are computed with. */
static void widen(const product *g, uint64_t to[2], const void *element)
{
    const ash_dtype part = ash__part(g->dtype), wide = ash__is_float(part)    ? g->with
                                                       : ash__is_signed(part) ? ASH_I64
                                                                              : ASH_U64; /* of which the low bits count */
    const size_t size = ash_dtype_size(part);
    for (int k = 0; k < planes_of(g); k++) {
        to[k] = 0;
        ash__convert_run((char *)&to[k], 0, wide, (const char *)element + (size_t)k * size, 0, part, 1, false);
    }
}

static bool is_lower(ash_structure s)
{
    return s == ASH_SYMMETRIC_LOWER || s == ASH_HERMITIAN_LOWER || s == ASH_TRIANGULAR_LOWER || s == ASH_UNIT_LOWER;
}

static operand operand_of(const ash__span *s, int64_t rank, bool conjugated, ash_structure structure)
{
    enum { NEITHER = 2 };
    const bool hermitian = structure == ASH_HERMITIAN_LOWER || structure == ASH_HERMITIAN_UPPER;
    return (operand){.row = s->stride[rank - 2],
                     .col = s->stride[rank - 1],
                     .conjugated = conjugated,
                     .stored = structure == ASH_DIAGONAL ? NEITHER : is_lower(structure),
                     .mirror = hermitian ? 2 : structure == ASH_SYMMETRIC_LOWER || structure == ASH_SYMMETRIC_UPPER,
                     .unit = structure == ASH_UNIT_LOWER || structure == ASH_UNIT_UPPER};
}

static void turn_operand(operand *o)
{
    const int64_t row = o->row;
    o->row = o->col;
    o->col = row;
    o->stored = o->stored < 2 ? !o->stored : o->stored;
}

/* C^T = B^T A^T */
static void turn(product *g)
{
    parameters *const p = &g->p;
    const int64_t c_row = p->c_row, rows = p->rows;
    const operand a = p->a;
    const ash__span *const span = g->span[1];
    const ash_structure structure = g->structure[1];
    p->c_row = p->c_col;
    p->c_col = c_row;
    p->rows = p->cols;
    p->cols = rows;
    p->a = p->b;
    p->b = a;
    turn_operand(&p->a);
    turn_operand(&p->b);
    g->span[1] = g->span[2];
    g->span[2] = span;
    g->structure[1] = g->structure[2];
    g->structure[2] = structure;
}

/* Is the transposed product the better one? */
static bool is_turned(const product *g)
{
    const int64_t element = (int64_t)ash_dtype_size(g->dtype);
    return g->p.cols != 1 && (g->p.rows == 1 || (g->p.c_row == element && g->p.c_col != element));
}

static void set_factors(product *g, const struct ash__product *says)
{
    parameters *const p = &g->p;
    g->nothing = says->inner == 0 || (says->alpha && ash__element_is_zero(says->alpha, g->dtype));
    if (says->alpha) {
        p->has_alpha = 1;
        widen(g, p->alpha, says->alpha);
    }
    if (says->beta && !ash__element_is_zero(says->beta, g->dtype)) {
        p->has_beta = 1;
        widen(g, p->beta, says->beta);
    }
}

static void set_product(product *g, const ash__task *t)
{
    parameters *const p = &g->p;
    const struct ash__product *const says = t->product;
    g->task = t;
    g->dtype = t->out.dtype;
    g->with = work_dtype(ash__part(g->dtype), says->inner);
    g->complex = ash__is_complex(g->dtype);
    g->alone = ash__gpu_one_by_one(g->work->gpu);
    g->span[0] = &t->out;
    for (int k = 0; k < 2; k++) {
        g->span[k + 1] = &t->operand[k];
        g->structure[k + 1] = says->structure[k];
    }
    p->a = operand_of(&t->operand[0], t->rank, says->conjugated[0], says->structure[0]);
    p->b = operand_of(&t->operand[1], t->rank, says->conjugated[1], says->structure[1]);
    p->c_row = t->out.stride[t->rank - 2];
    p->c_col = t->out.stride[t->rank - 1];
    p->rows = t->shape[t->rank - 2];
    p->cols = t->shape[t->rank - 1];
    p->inner = says->inner;
    set_factors(g, says);
    const bool diagonal = says->structure[0] == ASH_DIAGONAL || says->structure[1] == ASH_DIAGONAL;
    if (diagonal ? says->structure[0] != ASH_DIAGONAL : is_turned(g))
        turn(g);
    for (int k = 0; k < 3; k++)
        g->of[k] = g->span[k]->dtype;
    g->count = ash__count(t->shape, t->rank - 2);
}

/* ---- text */

static bool same_bits(ash_dtype part, ash_dtype work)
{
    return part == work || (work == ASH_U32 && part == ASH_I32) || (work == ASH_U64 && part == ASH_I64);
}

static void put_step(ash__text *text, const char *name, int64_t step, ash_dtype dtype, const char *otherwise)
{
    if (step == (int64_t)ash_dtype_size(dtype))
        ash__put(text, "#define %s %d\n", name, (int)step);
    else
        ash__put(text, "#define %s (s->%s)\n", name, otherwise);
}

static void put_halves(ash__text *text, const product *g)
{
    const ash_dtype part = ash__part(g->dtype);
    ash__put(text, "#define PER_WORD %d\n#define HALF_OF %s_of_f32\n#define FORM \"m16n8k%d.row.col.f32.%s.f32\"\n",
             g->per_word, part == ASH_BF16 ? "bf16" : "f16", 8 * g->per_word,
             g->per_word == 1   ? "tf32.tf32"
             : part == ASH_BF16 ? "bf16.bf16"
                                : "f16.f16");
}

/* The function `name` for operand k, 1 or 2. */
static void put_element(ash__text *text, const product *g, int k, const char *name)
{
    const operand *const s = k == 1 ? &g->p.a : &g->p.b;
    const ash_dtype dtype = g->of[k], part = ash__part(dtype);
    ash__put(text, "#define ELEMENT %s\n#define PARTS %d\n#define BYTES %d\n#define STRUCTURED %d\n", name,
             ash__is_complex(dtype) ? 2 : 1, (int)ash_dtype_size(part), g->structure[k] > ASH_GENERAL);
    if (ash__is_float(part))
        ash__put(text, "#define NEGATIVE(P) (-PART(P))\n");
    else
        ash__put(text, "#define NEGATIVE(P) ((W)(%s)(0 - (u64)*(G const %s *)(P)))\n", ash__gpu_type(part),
                 ash__gpu_type(part));
    put_step(text, "ROW", s->row, dtype, "row");
    put_step(text, "COL", s->col, dtype, "col");
    ash__gpu_put_reader(text, "PART", part);
    ash__gpu_put_text(text, ash__gpu_element_text);
}

static void put_words(ash__text *text, const product *g)
{
    ash__gpu_put_dense(text, g->work->resources->device);
    ash__put(text, "typedef %s W;\n#define COMPLEX %d\n#define PLANES %d\n", ash__gpu_type(g->with), g->complex, planes_of(g));
    ash__put(text, "typedef struct operand {\n    i64 row, col;\n    i32 conjugated, stored, mirror, unit;\n} operand;\n");
    ash__put(text, "#define MULADD(A, B, C) %s\n", ash__is_float(g->with) ? "FMA(A, B, C)" : "((A) * (B) + (C))");
}

static void put_result(ash__text *text, const product *g)
{
    const ash_dtype part = ash__part(g->dtype);
    ash__gpu_put_reader(text, "C_PART", part);
    ash__gpu_put_writer(text, "C_PUT", part, g->with);
    ash__put(text, "#define C_BYTES %d\n", (int)ash_dtype_size(part));
    ash__gpu_put_text(text, ash__gpu_product_text);
}

typedef struct packing {
    const product *g;
    int k; /* 1: A, 2: B */
} packing;

static void put_pack(ash__text *text, const void *context)
{
    const packing *const q = context;
    const product *const g = q->g;
    const layout *const l = q->k == 1 ? &g->a : &g->b;
    const operand *const s = q->k == 1 ? &g->p.a : &g->p.b;
    const bool side = q->k == 2;
    const int64_t along = side ? s->col : s->row, across = side ? s->row : s->col, size = (int64_t)ash_dtype_size(g->of[q->k]);
    put_words(text, g);
    put_halves(text, g);
    put_element(text, g, q->k, "load");
    ash__put(text, "#define SPAN %d\n#define SIDE %d\n#define LOCAL %d\n#define WIDTH %d\n#define LINES %d\n#define CHUNK %d\n",
             q->k, side, g->alone ? 1 : GROUP, l->width, l->lines, l->chunk);
    ash__put(text, "#define K_INNER %d\n", across == size || along != size);
    ash__gpu_put_text(text, ash__gpu_product_pack_text);
}

static void put_multiply(ash__text *text, const void *context)
{
    const product *const g = context;
    const char *const type = g->with == ASH_F32   ? "float"
                             : g->with == ASH_F64 ? "double"
                             : g->with == ASH_U32 ? "uint"
                                                  : "ulong";
    const int lanes = VECTOR_BYTES / (int)bytes_of(g);
    put_words(text, g);
    put_result(text, g);
    ash__put(text, "#define TILE %d\n#define DIRECT %d\n", g->tile,
             !g->complex && same_bits(g->dtype, g->with) && g->p.c_col == bytes_of(g));
    if (g->alone)
        ash__put(
            text,
            "typedef %s%d VEC;\n#define LANES %d\n#define VLOAD(P) vload%d(0, P)\n#define VSTORE(X, P) vstore%d(X, 0, P)\n",
            type, lanes, lanes, lanes, lanes);
    if (g->per_word)
        put_halves(text, g);
    ash__gpu_put_text(text, g->per_word ? ash__gpu_product_tensor_text
                            : g->alone  ? ash__gpu_product_lanes_text
                                        : ash__gpu_product_tiles_text);
}

static bool by_rows(const product *g)
{
    const int64_t row = g->p.a.row < 0 ? -g->p.a.row : g->p.a.row, col = g->p.a.col < 0 ? -g->p.a.col : g->p.a.col;
    return g->p.rows == 1 || col <= row || g->structure[1] > ASH_GENERAL;
}

static void put_vector(ash__text *text, const void *context)
{
    const product *const g = context;
    put_words(text, g);
    put_element(text, g, 1, "load_a");
    put_element(text, g, 2, "load_b");
    put_result(text, g);
    ash__put(text, "#define LOCAL %d\n#define BY_ROWS %d\n", g->alone ? 1 : SMALL_TILE, by_rows(g));
    ash__gpu_put_text(text, ash__gpu_product_vector_text);
}

static void put_rows(ash__text *text, const void *context)
{
    const product *const g = context;
    put_words(text, g);
    if (!g->nothing) {
        put_element(text, g, 1, "load_a");
        put_element(text, g, 2, "load_b");
    }
    put_result(text, g);
    ash__put(text, "#define LOCAL %d\n#define NOTHING %d\n", g->alone ? 1 : GROUP, g->nothing);
    ash__gpu_put_text(text, ash__gpu_product_rows_text);
}

/* ---- launches */

/* Members first to first + n - 1 of the batch, `groups` of `local` items for each. */
static ash_status launch_batch(product *g, ash__gpu_put *put, const char *kernel, int memories, void *const *memory,
                               int64_t groups, size_t local, int64_t n)
{
    return ash__gpu_launch_text(g->work, put, g,
                                &(ash__launch){.kernel = kernel,
                                               .global = {(size_t)groups * local, (size_t)n},
                                               .local = local,
                                               .memories = memories,
                                               .memory = memory,
                                               .parameters = &g->p,
                                               .nbytes = sizeof g->p});
}

static ash_status pack_operand(product *g, int k, int64_t n)
{
    const layout *const l = k == 1 ? &g->a : &g->b;
    const packing context = {g, k};
    const pack with = {.at = g->p.at,
                       .s = k == 1 ? g->p.a : g->p.b,
                       .lines = k == 1 ? g->p.rows : g->p.cols,
                       .inner = g->p.inner,
                       .packed = k == 1 ? g->p.a_packed : g->p.b_packed};
    const size_t local = g->alone ? 1 : GROUP;
    const int64_t groups = ash__gpu_parts(with.lines, l->lines) * ash__gpu_parts(g->p.inner, l->chunk);
    void *const memory[] = {g->room->memory[k - 1], g->memory[k]};
    return ash__gpu_launch_text(g->work, put_pack, &context,
                                &(ash__launch){.global = {(size_t)groups * local, (size_t)n},
                                               .local = local,
                                               .memories = 2,
                                               .memory = memory,
                                               .parameters = &with,
                                               .nbytes = sizeof with});
}

/* Can tiles read A where it lies? */
static bool lies_well(const product *g)
{
    const operand *const a = &g->p.a;
    return g->alone && !g->complex && g->structure[1] <= ASH_GENERAL && same_bits(g->of[1], g->with) && a->col == bytes_of(g) &&
           a->row % bytes_of(g) == 0;
}

/* The larger tile where its sums fit an item's registers and there are groups enough. */
static int tile_of(const product *g)
{
    const int64_t groups = ash__gpu_parts(g->p.rows, TILE) * ash__gpu_parts(g->p.cols, TILE) * g->count;
    return bytes_of(g) == 4 && !g->complex && groups >= g->work->gpu->units ? TILE : SMALL_TILE;
}

/* Do matrix units serve, and how? Products inside other tasks are never rounded to tf32. */
static int per_word_of(const product *g)
{
    enum { LEAST = 16 };
    const ash_dtype part = ash__part(g->dtype);
    if (!g->work->gpu->tensors || g->alone || g->complex || !g->task || g->p.rows < LEAST || g->p.cols < LEAST ||
        g->p.inner < LEAST)
        return 0;
    return is_narrow(part) ? 2 : part == ASH_F32 && ash__tf32_setting();
}

static void set_layouts(product *g)
{
    g->per_word = per_word_of(g);
    const int tile = g->tile = g->per_word ? TILE : tile_of(g);
    const int64_t places = g->per_word == 2 ? ash__gpu_parts(g->p.inner, 2) : g->p.inner;
    const int panel = 2 * VECTOR_BYTES / (int)bytes_of(g);
    g->a = g->alone ? (layout){1, 16, 1024} : (layout){tile, tile, 16};
    g->b = g->alone ? (layout){panel, panel, 256} : (layout){tile, tile, 16};
    const int64_t a_lines = ash__gpu_parts(g->p.rows, g->a.width) * g->a.width;
    const int64_t b_lines = ash__gpu_parts(g->p.cols, g->b.width) * g->b.width;
    g->in_place = lies_well(g);
    g->p.a_packed = g->in_place ? 0 : a_lines * planes_of(g) * places;
    g->p.b_packed = b_lines * planes_of(g) * places;
    g->p.a_row = g->in_place ? g->p.a.row / bytes_of(g) : planes_of(g) * g->p.inner;
}

static ash_status take_room(product *g, int k, int64_t nbytes)
{
    if (g->room->nbytes[k] >= (size_t)nbytes)
        return ASH_OK;
    const ash_status status = ash__gpu_scratch(g->work, (size_t)nbytes, &g->room->memory[k]);
    g->room->nbytes[k] = status ? 0 : (size_t)nbytes;
    return status;
}

static ash_status multiply_tiles(product *g)
{
    parameters *const p = &g->p;
    set_layouts(g);
    const int64_t each = (p->a_packed + p->b_packed) * bytes_of(g), fit = each < PACKED_BYTES ? PACKED_BYTES / each : 1;
    const int64_t most = fit < g->count ? fit : g->count;
    ash_status status = take_room(g, 1, p->b_packed * bytes_of(g) * most);
    if (!status && !g->in_place)
        status = take_room(g, 0, p->a_packed * bytes_of(g) * most);
    const int64_t panels = ash__gpu_parts(p->cols, g->b.width);
    p->block = BLOCK;
    while (p->block > 8 && panels * ash__gpu_parts(p->rows, p->block) * g->count < ITEMS)
        p->block /= 2;
    const int64_t groups = panels * ash__gpu_parts(p->rows, g->alone ? p->block : g->tile);
    for (p->at.first = 0; p->at.first < g->count && !status; p->at.first += most) {
        const int64_t n = g->count - p->at.first < most ? g->count - p->at.first : most;
        if (!g->in_place)
            status = pack_operand(g, 1, n);
        if (!status)
            status = pack_operand(g, 2, n);
        void *const memory[] = {g->memory[0], g->in_place ? g->memory[1] : g->room->memory[0], g->room->memory[1]};
        if (!status)
            status = launch_batch(g, put_multiply, NULL, 3, memory, groups, g->alone ? 1 : GROUP, n);
    }
    return status;
}

static ash_status multiply_vector(product *g)
{
    parameters *const p = &g->p;
    const size_t local = g->alone ? 1 : SMALL_TILE;
    const int64_t units = by_rows(g) ? p->rows : ash__gpu_parts(p->rows, g->alone ? ROWS_OF_VECTOR : SMALL_TILE);
    int64_t segments = ash__gpu_parts(p->inner, SEGMENT), enough = ash__gpu_parts(ITEMS, units * g->count);
    p->segments = (int32_t)(segments < enough ? segments : enough);
    const int64_t each = 2 * p->rows * p->segments * bytes_of(g), fit = each < PACKED_BYTES ? PACKED_BYTES / each : 1;
    const int64_t most = fit < g->count ? fit : g->count;
    ash_status status = take_room(g, 2, each * most);
    void *const sums = g->room->memory[2];
    for (p->at.first = 0; p->at.first < g->count && !status; p->at.first += most) {
        const int64_t n = g->count - p->at.first < most ? g->count - p->at.first : most;
        void *const memory[] = {sums, g->memory[1], g->memory[2]};
        void *const last[] = {sums, g->memory[0]};
        status = launch_batch(g, put_vector, "sums", 3, memory, units * p->segments, local, n);
        if (!status)
            status = launch_batch(g, put_vector, "finish", 2, last, ash__gpu_parts(p->rows, 64), local, n);
    }
    return status;
}

static ash_status multiply_rows(product *g)
{
    void *const c = g->memory[0];
    void *const memory[] = {c, g->nothing ? c : g->memory[1], g->nothing ? c : g->memory[2]};
    const int64_t groups = g->p.rows * ash__gpu_parts(g->p.cols, 1024);
    return launch_batch(g, put_rows, NULL, 3, memory, groups, g->alone ? 1 : GROUP, g->count);
}

/* ---- by the library of the device's maker */

/* Span k as a factor, or as c (k = 0); false: not one that BLAS has. */
static bool set_matrix(const product *g, int k, int64_t row, int64_t col, bool conjugated, int64_t rows, int64_t cols,
                       ash__gemm_matrix *m)
{
    const int64_t element = (int64_t)ash_dtype_size(g->dtype), each = g->p.at.axes ? g->p.at.stride[0][k] : 0;
    int64_t lead;
    const bool plain = !conjugated && ash__gpu_rows_in_order(rows, cols, row, col, element, &lead);
    const bool turned = !plain && k > 0 && ash__gpu_rows_in_order(cols, rows, col, row, element, &lead);
    if ((!plain && !turned) || each % element || each < 0 ||
        (k == 0 && g->count > 1 && each < (lead * (rows - 1) + cols) * element) || g->of[k] != g->dtype ||
        g->structure[k] > ASH_GENERAL)
        return false;
    *m = (ash__gemm_matrix){.memory = g->memory[k],
                            .start = g->p.at.start[k],
                            .lead = lead,
                            .each = each / element,
                            .turned = turned,
                            .conjugated = conjugated};
    return true;
}

static void set_factor(const product *g, char *to, bool has, const uint64_t *given, double otherwise)
{
    const size_t size = (size_t)bytes_of(g);
    const float narrow = (float)otherwise;
    memset(to, 0, 2 * size);
    if (has)
        for (int k = 0; k < planes_of(g); k++)
            memcpy(to + (size_t)k * size, &given[k], size);
    else
        memcpy(to, g->with == ASH_F64 ? (const void *)&otherwise : (const void *)&narrow, size);
}

/* false: it is for our kernels. */
static bool multiply_by_theirs(product *g, ash_status *status)
{
    const parameters *const p = &g->p;
    _Alignas(16) char alpha[16], beta[16];
    ash__gemm what = {.dtype = g->dtype,
                      .rows = p->rows,
                      .cols = p->cols,
                      .inner = p->inner,
                      .count = g->count,
                      .alpha = alpha,
                      .beta = beta};
    const bool fits = ash__is_float(ash__part(g->dtype)) && !(g->complex && is_narrow(ash__part(g->dtype))) &&
                      p->at.axes <= 1 && set_matrix(g, 0, p->c_row, p->c_col, false, p->rows, p->cols, &what.c) &&
                      set_matrix(g, 1, p->a.row, p->a.col, p->a.conjugated, p->rows, p->inner, &what.a) &&
                      set_matrix(g, 2, p->b.row, p->b.col, p->b.conjugated, p->inner, p->cols, &what.b);
    set_factor(g, alpha, p->has_alpha, p->alpha, 1);
    set_factor(g, beta, p->has_beta, p->beta, 0);
    if (fits && ash__gpu_gemm(g->work, &what, status))
        return true;
    return g->task && ash__gpu_gemm(g->work, NULL, status); /* products inside other tasks may always be ours */
}

static ash_status multiply(product *g)
{
    if (g->nothing || g->structure[1] == ASH_DIAGONAL)
        return multiply_rows(g);
    ash_status status;
    if (g->work->gpu->driver->gemm && multiply_by_theirs(g, &status))
        return status;
    return g->p.cols == 1 ? multiply_vector(g) : multiply_tiles(g);
}

/* ---- a part of another task */

static void swap_factors(product *g)
{
    ash__gpu_batch *const at = &g->p.at;
    void *const memory = g->memory[1];
    int64_t keep = at->start[1];
    g->memory[1] = g->memory[2];
    g->memory[2] = memory;
    at->start[1] = at->start[2];
    at->start[2] = keep;
    for (int axis = 0; axis < at->axes; axis++) {
        keep = at->stride[axis][1];
        at->stride[axis][1] = at->stride[axis][2];
        at->stride[axis][2] = keep;
    }
}

/* An element of the product's dtype. */
static void set_number(const product *g, uint64_t to[2], double x)
{
    const float narrow = (float)x;
    to[0] = to[1] = 0;
    memcpy(to, g->with == ASH_F64 ? (const void *)&x : (const void *)&narrow, (size_t)bytes_of(g));
}

ash_status ash__gpu_multiply(ash__gpu_work *w, ash__gpu_room *room, const ash__gpu_multiplying *what)
{
    product g = {.work = w,
                 .of = {what->dtype, what->dtype, what->dtype},
                 .memory = {what->c.memory, what->a.memory, what->b.memory},
                 .structure = {ASH_GENERAL, ASH_GENERAL, ASH_GENERAL},
                 .dtype = what->dtype,
                 .with = ash__part(what->dtype),
                 .complex = ash__is_complex(what->dtype),
                 .alone = ash__gpu_one_by_one(w->gpu),
                 .count = what->count,
                 .room = room};
    parameters *const p = &g.p;
    if (what->rows <= 0 || what->cols <= 0 || what->inner <= 0)
        return ASH_OK;
    *p = (parameters){.at = what->at,
                      .a = {.row = what->a.row, .col = what->a.col, .conjugated = what->a.conjugated},
                      .b = {.row = what->b.row, .col = what->b.col, .conjugated = what->b.conjugated},
                      .c_row = what->c.row,
                      .c_col = what->c.col,
                      .rows = what->rows,
                      .cols = what->cols,
                      .inner = what->inner,
                      .has_alpha = what->factor != 1,
                      .has_beta = what->add};
    set_number(&g, p->alpha, what->factor);
    set_number(&g, p->beta, 1);
    if (is_turned(&g)) {
        turn(&g);
        swap_factors(&g);
    }
    return multiply(&g);
}

/* ---- the task */

/* The factors reach over shapes of their own. */
static void touch(product *g)
{
    const ash__task *const t = g->task;
    int64_t shape[ASH_MAX_RANK];
    for (int64_t k = 0; k < t->rank; k++)
        shape[k] = t->shape[k];
    ash__gpu_touch(g->work, &t->out, shape, t->rank, true);
    if (g->nothing)
        return;
    shape[t->rank - 1] = t->product->inner;
    ash__gpu_touch(g->work, &t->operand[0], shape, t->rank, false);
    shape[t->rank - 2] = t->product->inner;
    shape[t->rank - 1] = t->shape[t->rank - 1];
    ash__gpu_touch(g->work, &t->operand[1], shape, t->rank, false);
}

static const char *lacks(product *g)
{
    const ash__task *const t = g->task;
    for (int k = 0; k < 3; k++)
        if (!ash__gpu_span_aligned(g->span[k], t->rank))
            return "elements lie at odd addresses";
    const char *const why = ash__gpu_batch_set(&g->p.at, t->shape, t->rank - 2, 3, g->span);
    if (why)
        return why;
    touch(g);
    return ash__gpu_unreachable(g->work);
}

ash_status ash__gpu_product(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_work w = ash__gpu_work_of(resources, task->function);
    ash__gpu_room room = {0};
    product g = {.work = &w, .room = &room};
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    set_product(&g, task);
    if ((*why = lacks(&g)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&w);
    for (int k = 0; k < (g.nothing ? 1 : 3); k++) {
        const ash__gpu_place place = ash__gpu_place_of(&w, g.span[k]);
        g.memory[k] = place.memory;
        g.p.at.start[k] = place.start;
    }
    if (!status)
        status = multiply(&g);
    return ash__gpu_work_end(&w, status);
}
