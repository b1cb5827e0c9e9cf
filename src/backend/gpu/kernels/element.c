/*
 * element.c - the function ELEMENT: element (i, j) of an operand of a product, as computed with.
 *
 * Instantiated for each operand: before this text stand ELEMENT (the name), PART(P) (a part, read as W), NEGATIVE(P) (the same,
 * negated in its own type), PARTS (1, or 2 for complex), BYTES (of a part), STRUCTURED, and ROW and COL, steps in bytes of the
 * operand s. Of structured operands `stored` says which side of the diagonal is there.
 */
FN void ELEMENT(G const char *m, const operand *s, i64 i, i64 j, W *re, W *im)
{
#if STRUCTURED
    const i32 lower = j < i, is_stored = i == j || s->stored == lower, hermitian = s->mirror == 2;
    G const char *const p = is_stored ? m + i * ROW + j * COL : m + j * ROW + i * COL;
    const i32 there = (is_stored || s->mirror) && !(i == j && s->unit);
    W x = there ? PART(p) : i == j ? (W)1 : (W)0, y = 0;
#if PARTS == 2
    if (there && !(hermitian && i == j))
        y = s->conjugated != (hermitian && !is_stored) ? NEGATIVE(p + BYTES) : PART(p + BYTES);
#endif
#else
    G const char *const p = m + i * ROW + j * COL;
    W x = PART(p), y = 0;
#if PARTS == 2
    y = s->conjugated ? NEGATIVE(p + BYTES) : PART(p + BYTES);
#endif
#endif
    *re = x;
    *im = y;
}
#undef ELEMENT
#undef PART
#undef PARTS
#undef BYTES
#undef NEGATIVE
#undef STRUCTURED
#undef ROW
#undef COL
