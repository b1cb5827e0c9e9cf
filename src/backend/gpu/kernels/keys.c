/*
 * keys.c - keys of elements: unsigned integers of the same order, those of the CPU's sort (backend/cpu/kernels/sort.c).
 *
 * ELEMENT is the unsigned type of the elements' width, KEY that of the keys, FLIP what is xor-ed in. Of floats (FLOATS) SIGN is
 * the highest bit, INFINITE the bits of infinity and QUIET those of the NaN that stands for all.
 */
FN KEY key_of(ELEMENT x)
{
#if FLOATS
    const ELEMENT bits = (ELEMENT)(x & ~(ELEMENT)SIGN) > (ELEMENT)INFINITE ? (ELEMENT)QUIET : x;
    x = (ELEMENT)(bits ^ (bits & (ELEMENT)SIGN ? ~(ELEMENT)0 : (ELEMENT)SIGN));
#endif
    return (KEY)(ELEMENT)(x ^ (ELEMENT)FLIP);
}

FN ELEMENT element_of(KEY key)
{
    const ELEMENT bits = (ELEMENT)((ELEMENT)key ^ (ELEMENT)FLIP);
#if FLOATS
    return (ELEMENT)(bits ^ (bits & (ELEMENT)SIGN ? (ELEMENT)SIGN : ~(ELEMENT)0));
#else
    return bits;
#endif
}

#ifdef DECODES /* keys to elements, or elements to keys: see rows.h */
FN void element(MEMORY, const index *at, index i, const walk *w)
{
#if DECODES && ODD
    put_odd(P0, sizeof(ELEMENT), element_of(*(G const KEY *)P1));
#elif DECODES
    *(G ELEMENT *)P0 = element_of(*(G const KEY *)P1);
#elif ODD
    *(G KEY *)P0 = key_of((ELEMENT)odd_bits(P1, sizeof(ELEMENT)));
#else
    *(G KEY *)P0 = key_of(*(G const ELEMENT *)P1);
#endif
}
#endif
