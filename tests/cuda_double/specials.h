/* specials.h - the special registers that keep their value while a block runs: name, width, value in a lane. */
#ifndef DOUBLE_SPECIALS_H
#define DOUBLE_SPECIALS_H

/* clang-format off */
/* b: the block; t: the number of the thread in it; l: its lane */
#define SPECIALS(X)                                                            \
    X(tid_x, "%tid.x", 4, t % b->size[0])                                      \
    X(tid_y, "%tid.y", 4, t / b->size[0] % b->size[1])                         \
    X(tid_z, "%tid.z", 4, t / b->size[0] / b->size[1])                         \
    X(ntid_x, "%ntid.x", 4, b->size[0])                                        \
    X(ntid_y, "%ntid.y", 4, b->size[1])                                        \
    X(ntid_z, "%ntid.z", 4, b->size[2])                                        \
    X(ctaid_x, "%ctaid.x", 4, b->at[0])                                        \
    X(ctaid_y, "%ctaid.y", 4, b->at[1])                                        \
    X(ctaid_z, "%ctaid.z", 4, b->at[2])                                        \
    X(nctaid_x, "%nctaid.x", 4, b->grid[0])                                    \
    X(nctaid_y, "%nctaid.y", 4, b->grid[1])                                    \
    X(nctaid_z, "%nctaid.z", 4, b->grid[2])                                    \
    X(laneid, "%laneid", 4, l)                                                 \
    X(warpid, "%warpid", 4, t / LANES)                                         \
    X(nwarpid, "%nwarpid", 4, LANES)                                           \
    X(smid, "%smid", 4, 0)                                                     \
    X(nsmid, "%nsmid", 4, 1)                                                   \
    X(gridid, "%gridid", 8, 1)                                                 \
    X(lanemask_eq, "%lanemask_eq", 4, 1u << l)                                 \
    X(lanemask_le, "%lanemask_le", 4, (2u << l) - 1)                           \
    X(lanemask_lt, "%lanemask_lt", 4, (1u << l) - 1)                           \
    X(lanemask_ge, "%lanemask_ge", 4, ~((1u << l) - 1))                        \
    X(lanemask_gt, "%lanemask_gt", 4, ~((2u << l) - 1))                        \
    X(dynamic_smem, "%dynamic_smem_size", 4, b->dynamic)                       \
    X(total_smem, "%total_smem_size", 4, b->dynamic + b->kernel->shared_bytes) \
    X(cluster_ctaid, "%cluster_ctaid.x", 4, 0)                                 \
    X(cluster_nctaid, "%cluster_nctaid.x", 4, 1)
/* clang-format on */

#define SPECIAL_ID(NAME, TEXT, WIDTH, VALUE) SPECIAL_##NAME,
enum { SPECIALS(SPECIAL_ID) SPECIAL_COUNT };
#endif
