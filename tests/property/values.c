/* values.c - shapes, dtypes and elements, drawn so that the edges come often. */
#include <string.h>

#include "draw.h"

ash_dtype draw_dtype(void)
{
    return one_in(10) ? record_dtype((record)random_below(RECORDS)) : draw_number();
}
ash_dtype draw_number(void)
{
    return one_in(5) ? (ash_dtype)random_in(ASH_C_I8, WIDEST_COMPLEX) : draw_real();
}
ash_dtype draw_real(void)
{
    return (ash_dtype)random_in(ASH_BOOL, WIDEST_FLOAT);
}
ash_dtype draw_integer(void)
{
    return (ash_dtype)random_in(ASH_I8, ASH_U64);
}

int64_t draw_size(void)
{
    return one_in(16) ? 0 : one_in(5) ? 1 : random_in(1, 7);
}

/* Mostly some dozen elements; sometimes one long axis, so that loops reach their steady state and end anywhere. */
int64_t draw_shape(int64_t *shape, int64_t least_rank, int64_t most_rank)
{
    static const int64_t ranks[] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6};
    const int64_t usual = one_in(8) ? most_elements : most_elements / 16 + 1;
    int64_t rank = ranks[random_below(16)];
    rank = rank < least_rank ? least_rank : rank > most_rank ? most_rank : rank;
    for (int64_t k = 0; k < rank; k++)
        shape[k] = draw_size();
    if (rank && one_in(6))
        shape[random_below(rank)] = random_below((most_elements >> random_below(7)) + 1);
    while (count_of(shape, rank) > usual) {
        const int64_t k = random_below(rank);
        shape[k] = shape[k] > 7 ? shape[k] / 2 : random_in(1, shape[k]);
    }
    return rank;
}

int64_t draw_axis(int64_t rank, int64_t axis)
{
    return one_in(3) ? axis - rank : axis;
}

int64_t draw_bad_axis(int64_t rank)
{
    switch (random_below(4)) {
    case 0:
        return rank;
    case 1:
        return -rank - 1;
    case 2:
        return one_in(2) ? INT64_MAX : INT64_MIN;
    default:
        return one_in(2) ? rank + random_in(1, 40) : -rank - random_in(2, 40);
    }
}

bool draw_fault(void)
{
    return one_in(12);
}
ash_layout draw_layout(void)
{
    return one_in(3) ? (ash_layout)random_in(ASH_ROW_MAJOR, ASH_COL_MAJOR) : ASH_LAYOUT_DEFAULT;
}
style draw_style(void)
{
    return (style)random_below(3);
}

some_axes draw_axes(int64_t rank, int64_t count)
{
    some_axes s = {.count = count};
    random_order(s.axis, rank);
    for (int64_t j = 0; j < count; j++)
        s.given[j] = draw_axis(rank, s.axis[j]);
    if (count && draw_fault()) {
        s.wrong = true;
        s.given[random_below(count)] = draw_bad_axis(rank);
    } else if (count > 1 && draw_fault()) {
        s.wrong = true;
        s.given[0] = draw_axis(rank, s.axis[1]);
    }
    say_list("axes", s.given, count);
    return s;
}

argument *draw_any(const char *name, ash_dtype dtype, int64_t least_rank, int64_t most_rank)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, least_rank, most_rank);
    return draw_argument(name, dtype, shape, rank, draw_style());
}

cut draw_cut(int64_t n)
{
    const int64_t count = n ? random_in(one_in(4) ? 0 : 1, n) : 0;
    if (count == 0)
        return (cut){random_in(0, n), 1, 0};
    const int64_t step = count > 1 ? random_in(1, (n - 1) / (count - 1)) : random_in(1, one_in(9) ? INT64_C(1) << 40 : 4);
    const int64_t start = random_in(0, n - 1 - (count - 1) * (count > 1 ? step : 0));
    return one_in(3) ? (cut){start + (count - 1) * step, -step, count} : (cut){start, step, count};
}

int64_t narrowed(int64_t *out, const int64_t *shape, int64_t rank)
{
    const int64_t left = one_in(3) ? random_in(0, rank) : 0;
    for (int64_t k = left; k < rank; k++)
        out[k - left] = one_in(5) ? 1 : shape[k];
    return rank - left;
}
