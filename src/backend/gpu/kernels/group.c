/*
 * group.c - for kernels whose groups have WG work-items: 1 on processors, where a work-item has a block to itself.
 */
#define ITEM ((u32)LOCAL_ID)
#if WG > 1
/* S[ITEM], of each work-item's own to begin with, becomes the sum of those up to it. */
#define SUM_UP(T, S)                                         \
    do {                                                     \
        BARRIER;                                             \
        for (u32 d_ = 1; d_ < WG; d_ *= 2) {                 \
            const T below_ = ITEM >= d_ ? S[ITEM - d_] : 0;  \
            BARRIER;                                         \
            S[ITEM] += below_;                               \
            BARRIER;                                         \
        }                                                    \
    } while (0)
#else
#define SUM_UP(T, S)
#endif
