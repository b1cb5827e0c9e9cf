/*
 * odd.c - elements at any address, as fields of packed records have: byte by byte.
 */
FN u64 odd_bits(G const char *p, int n)
{
    u64 x = 0;
    for (int k = 0; k < n; k++)
        x |= (u64)((G const u8 *)p)[k] << 8 * k;
    return x;
}
FN void put_odd(G char *p, int n, u64 x)
{
    for (int k = 0; k < n; k++)
        ((G u8 *)p)[k] = (u8)(x >> 8 * k);
}
