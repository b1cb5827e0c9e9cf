/* kernel_texts.h - the kernels of conformance/kernel.c, in a file of their own: this is what a device's compiler is given. */
#ifndef CONFORMANCE_KERNEL_TEXTS_H
#define CONFORMANCE_KERNEL_TEXTS_H
#include <ashlar/ashlar.h>

#define MOVES(T)                                              \
    ASH_KERNEL(move_##T, (in, T, x, any), (inout, T, y, any)) \
    {                                                         \
        const int64_t k = ASH_GLOBAL_ID(0);                   \
        ASH_SET_NTH(y, ASH_NTH(x, k), k);                     \
    }
MOVES(i8)
MOVES(i16)
MOVES(i32)
MOVES(i64)
MOVES(u8)
MOVES(u16)
MOVES(u32)
MOVES(u64)
MOVES(f16)
MOVES(bf16)
MOVES(f32)
MOVES(c_f32)

/* Groups of 8 put their numbers in the opposite order, through local memory. */
ASH_KERNEL(turn_groups, (in, i32, x), (out, i32, y), (local, i32, t, 8))
{
    t[ASH_LOCAL_ID(0)] = ASH_GET(x, ASH_GLOBAL_ID(0));
    ASH_BARRIER();
    ASH_SET(y, t[7 - ASH_LOCAL_ID(0)], ASH_GLOBAL_ID(0));
}

ASH_KERNEL(count_all, (in, i32, x, any), (inout, i32, sum, 0))
{
    ASH_ATOMIC_ADD(ASH_PLACE(sum), ASH_NTH(x, ASH_GLOBAL_ID(0)));
}
#endif
