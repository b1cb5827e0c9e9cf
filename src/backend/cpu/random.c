/*
 * random.c - fills an array with the numbers of one call of a generator.
 *
 * The generator gives one stream of words, and the elements in their order take from it as many as each needs: that is all
 * there is to the stream, so blocks of words may be made anywhere and by any thread. A block is made into memory of the first
 * cache, and numbers are made of it where they belong, or beside it and then scattered.
 */
#include "backend/random.h"

#include "backend/cpu/cpu.h"
#include "backend/cpu/feed.h"
#include "backend/cpu/threads.h"
#include "core/convert.h"
#include "core/shape.h"

enum { BLOCK = 1024, GROUP = 4 }; /* words; elements that begin with an item of the generator, whatever they need */

typedef struct drawing {
    const ash__task *task;
    const ash__draw *draw;
    const ash__random_table *random;
    const ash__elementwise_table *elementwise;
    const ash__layout_table *layout;
    ash_dtype part;          /* what the words become; a complex number is two of it */
    int64_t parts_each, per; /* numbers an element, words a number */
    int64_t elements, block; /* elements in all and of a block of words */
    int64_t skipped;         /* of the GROUP that the first one is in */
    uint64_t items;          /* of the generator before that */
    int64_t shares;
    int64_t axis[ASH_MAX_RANK]; /* slowest first */
    uint32_t key[2];
    uint64_t call; /* what the counters take */
    int which;     /* of the generators */
} drawing;

/* Memory of one share. */
typedef struct bench {
    uint32_t word[BLOCK] __attribute__((aligned(64)));
    uint64_t number[BLOCK / 2] __attribute__((aligned(64))); /* that become narrower: of 64 bits, or f32 */
    char element[4 * BLOCK] __attribute__((aligned(64)));
} bench;

/* ---- numbers of words */

static void make_floats(const drawing *d, void *to, ash_dtype machine, const uint32_t *word, int64_t n)
{
    const int width = machine == ASH_F64;
    switch (d->draw->drawing) {
    case ASH__DRAW_NORMAL:
        d->random->normal[width](to, word, d->parts_each == 2 ? -1 : -2, n);
        break;
    case ASH__DRAW_EXPONENTIAL:
        d->random->exponential[width](to, word, n);
        break;
    case ASH__DRAW_UNIFORM:
    case ASH__DRAW_RANGE:
        d->random->uniform[width](to, word, n);
        break;
    }
}

/* The low bits of integers `from`, of 4 or 8 bytes. */
static void make_integers(const drawing *d, void *to, ash_dtype from, const void *number, int64_t n)
{
    ash__convert_for(d->elementwise, from, d->part)(to, number, NULL, NULL, n);
}

static void make_range(const drawing *d, void *to, bench *b, int64_t n)
{
    const bool direct = d->part == ASH_U64 || d->part == ASH_I64;
    uint64_t *const number = direct ? to : b->number;
    (d->per == 2 ? d->random->range_of_2 : d->random->range_of_4)(number, b->word, d->draw->low, d->draw->span, n);
    if (!direct)
        make_integers(d, to, ASH_U64, number, n);
}

/* n numbers of the words in b, which begin with theirs. */
static void make_numbers(const drawing *d, void *to, bench *b, int64_t n)
{
    if (d->draw->drawing == ASH__DRAW_RANGE)
        make_range(d, to, b, n);
    else if (d->part == ASH_BOOL)
        d->random->truth(to, b->word, n);
    else if (ash__is_integer(d->part))
        make_integers(d, to, d->per == 2 ? ASH_U64 : ASH_U32, b->word, n);
    else if (d->part == ash__machine(d->part))
        make_floats(d, to, d->part, b->word, n);
    else {
        make_floats(d, b->number, ASH_F32, b->word, n);
        ash__store16_for(d->elementwise, d->part, ASH_F32)(to, b->number, NULL, NULL, n);
    }
}

/* ---- blocks */

/* Elements of block number k, n of them: dense at `to`. */
static void make_block(const drawing *d, void *to, bench *b, int64_t k, int64_t n)
{
    const int64_t each = d->parts_each * d->per, words = (d->skipped + n) * each, before = k * d->block * each;
    const int64_t size = (int64_t)ash_dtype_size(d->task->out.dtype);
    d->random->words[d->which](b->word, d->key, 1 + d->items + (uint64_t)(before / (d->which ? 2 : 4)), d->call,
                               (words + ASH__RANDOM_STEP - 1) / ASH__RANDOM_STEP * ASH__RANDOM_STEP);
    make_numbers(d, d->skipped ? b->element : to, b, (d->skipped + n) * d->parts_each);
    if (d->skipped)
        memmove(to, b->element + d->skipped * size, (size_t)(n * size));
    if (d->draw->conjugate)
        ash__conjugate(to, d->task->out.dtype, n);
}

static void draw_share(void *context, int64_t share)
{
    const drawing *const d = context;
    const ash__task *const t = d->task;
    const int64_t blocks = (d->elements + d->block - 1) / d->block;
    int64_t memory[3 * (ASH_MAX_RANK + 1)];
    ash__path path;
    bench b;
    ash__path_set(&path, t->out.data, ash__log_of((int64_t)ash_dtype_size(t->out.dtype)), d->layout, t->shape, t->out.stride,
                  d->axis, t->rank, memory);
    const int64_t end = ash__part_start(blocks, share + 1, d->shares);
    for (int64_t k = ash__part_start(blocks, share, d->shares); k < end; k++) {
        const int64_t first = k * d->block, n = d->elements - first < d->block ? d->elements - first : d->block;
        char *dense = ash__path_dense(&path, first, n);
        if ((uintptr_t)dense % ash__alignment_of(d->part))
            dense = NULL;
        make_block(d, dense ? dense : b.element, &b, k, n);
        if (!dense)
            ash__path_store(&path, first, n, b.element);
    }
}

/* ---- the task */

static int64_t words_per_number(const drawing *d)
{
    if (d->draw->drawing == ASH__DRAW_RANGE)
        return d->draw->span - 1 < UINT64_C(1) << 32 ? 2 : 4;
    return ash_dtype_size(d->part) == 8 ? 2 : 1;
}

/*
 * The first generator has room for all in key and counter. The second enciphers 64 bits with 32, so each call gets a key and a
 * part of the counter from the first one.
 */
static void set_counters(drawing *d)
{
    const uint32_t seed[2] = {(uint32_t)d->draw->seed, (uint32_t)(d->draw->seed >> 32)};
    uint32_t word[ASH__RANDOM_STEP] __attribute__((aligned(64)));
    memcpy(d->key, seed, sizeof seed);
    d->call = d->draw->call;
    d->which = d->draw->kind == ASH_RNG_SECOND;
    if (d->which) {
        d->random->words[0](word, seed, 0, d->draw->call, ASH__RANDOM_STEP);
        d->key[0] = word[0];
        d->call = word[1];
    }
}

ash_status ash__cpu_random(const ash__task *task)
{
    static const double nanoseconds[] = {
        [ASH__DRAW_UNIFORM] = 0.4, [ASH__DRAW_NORMAL] = 1, [ASH__DRAW_EXPONENTIAL] = 0.8, [ASH__DRAW_RANGE] = 0.8};
    const ash__kernels *const kernels = ash__cpu_kernels();
    drawing d = {.task = task,
                 .draw = task->draw,
                 .random = kernels->random,
                 .elementwise = kernels->elementwise,
                 .layout = kernels->layout,
                 .part = ash__part(task->out.dtype),
                 .parts_each = ash__is_complex(task->out.dtype) ? 2 : 1,
                 .elements = ash__count(task->shape, task->rank)};
    if (!d.elements)
        return ASH_OK;
    d.per = words_per_number(&d);
    d.skipped = task->draw->first % GROUP;
    d.block = BLOCK / (d.parts_each * d.per) - (d.skipped ? GROUP : 0);
    for (int64_t k = 0; k < task->rank; k++)
        d.axis[k] = task->col_major ? task->rank - 1 - k : k;
    set_counters(&d);
    d.items = (uint64_t)(task->draw->first - d.skipped) * (uint64_t)(d.parts_each * d.per) / (d.which ? 2 : 4);
    const double cost = nanoseconds[task->draw->drawing] * (double)(d.parts_each * d.per);
    d.shares = ash__parts_for(d.elements * (int64_t)ash_dtype_size(task->out.dtype), (int64_t)(cost * (double)d.elements));
    ash__parallel(d.shares, draw_share, &d);
    return ASH_OK;
}
