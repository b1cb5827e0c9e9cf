/*
 * bytes.c - elements at odd addresses, where a device's own loads and stores may not go: byte by byte, the low ones first.
 *
 * LOAD_ODD are macros because the bytes may be in any memory.
 */
#define LOAD_ODD16(P) (u16)((u32)(P)[0] | (u32)(P)[1] << 8)
#define LOAD_ODD32(P) ((u32)(P)[0] | (u32)(P)[1] << 8 | (u32)(P)[2] << 16 | (u32)(P)[3] << 24)
#define LOAD_ODD64(P) ((u64)LOAD_ODD32(P) | (u64)LOAD_ODD32((P) + 4) << 32)
FN void store_odd16(G u8 *p, u16 x)
{
    p[0] = (u8)x;
    p[1] = (u8)(x >> 8);
}
FN void store_odd32(G u8 *p, u32 x)
{
    store_odd16(p, (u16)x);
    store_odd16(p + 2, (u16)(x >> 16));
}
FN void store_odd64(G u8 *p, u64 x)
{
    store_odd32(p, (u32)x);
    store_odd32(p + 4, (u32)(x >> 32));
}
