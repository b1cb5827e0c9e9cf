/*
 * product_rows.c - products without sums: c = beta c where there is nothing to add (NOTHING), or A is diagonal: each row of B
 * times one number, so that what is infinite or NaN in one row of B leaves the other rows alone.
 */
enum { CHUNK = 1024 };

KERNEL(run, LOCAL)(G char *to, G const char *ma, G const char *mb, const product p)
{
    const i64 chunks = (p.cols + CHUNK - 1) / CHUNK, i = GROUP(0) / chunks, first = GROUP(0) % chunks * CHUNK;
    const i64 end = first + CHUNK < p.cols ? first + CHUNK : p.cols;
    G char *const c = to + place_of(&p.at, GROUP(1), 0) + i * p.c_row;
#if NOTHING
    for (i64 j = first + LOCAL_ID; j < end; j += LOCAL)
        put(c + j * p.c_col, 0, 0, &p);
#else
    G const char *const b = mb + place_of(&p.at, GROUP(1), 2);
    W dr, di, br, bi;
    load_a(ma + place_of(&p.at, GROUP(1), 1), &p.a, i, i, &dr, &di);
    for (i64 j = first + LOCAL_ID; j < end; j += LOCAL) {
        load_b(b, &p.b, i, j, &br, &bi);
#if COMPLEX
        put(c + j * p.c_col, dr * br - di * bi, dr * bi + di * br, &p);
#else
        put(c + j * p.c_col, dr * br, 0, &p);
#endif
    }
#endif
}
