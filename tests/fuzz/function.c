/*
 * function.c - any bytes as a function string: a result or an error, in bounded time.
 *
 * The first byte chooses the dtypes of the operands and how many there are. Results of reading the text twice must agree.
 */
#include <ashlar/ashlar.h>

#include <stdlib.h>
#include <string.h>

static ash_array *operand(unsigned choice)
{
    switch (choice % 8) {
    case 0: return ash_f32(0, 1, -2.5, 1e30);
    case 1: return ash_f64(0, 1, -2.5, 1e300);
    case 2: return ash_i32(0, 1, -7, INT32_MIN);
    case 3: return ash_bool(false, true, true, false);
    case 4: return ash_u64(0, 1, UINT64_MAX, 5);
    case 5: return ash_f16(0, 1, -2.5, 60000);
    case 6: return ash_i8(0, 1, -128, 127);
    default: return ash_convert(ash_f64(0, 1, -2.5, 3), ASH_C_F32);
    }
}

static void try_text(const char *text, unsigned choice)
{
    ASH_SCOPE(scope);
    ash_operand list[4];
    const int64_t count = choice / 64 % 4 + 1;
    for (int64_t i = 0; i < count; i++)
        list[i] = ash_operand_array(operand(choice + (unsigned)i * 3));
    const ash_operands operands = {list, count};
    const ash_array *first = ash_map_opt(text, operands, NULL);
    if (!first && !ash_failed())
        abort();
    const bool failed = !first;
    ash_error_clear();
    const ash_array *again = ash_map_opt(text, operands, NULL);
    ash_error_clear();
    if (failed != !again || (first && !ash_equal(first, again, .identical = true)))
        abort();
    ash_map_reduce_opt(text, "+", operands, NULL);
    ash_error_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const int64_t before = ash_live_arrays();
    try_text(text, data[0]);
    free(text);
    if (ash_live_arrays() != before)
        abort();
    return 0;
}
