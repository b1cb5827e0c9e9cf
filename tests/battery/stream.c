/*
 * stream.c - random words without end on stdout, for batteries of tests that read them from a pipe.
 *
 *   stream default|second calls|seeds
 *
 * calls: one call of 65536 words after another; seeds: 1000 words of seed 0, of seed 1, of seed 2 ..., which shows whether
 * streams of seeds close to one another are alike.
 */
#include <stdio.h>
#include <string.h>

#include "ashlar/ashlar.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: stream default|second calls|seeds\n");
        return 2;
    }
    const bool seeds = strcmp(argv[2], "seeds") == 0;
    ash_rng *const rng = ash_rng_new(strcmp(argv[1], "second") == 0 ? ASH_RNG_SECOND : ASH_RNG_DEFAULT);
    ash_array *const words = ash_empty(ASH_SHAPE(seeds ? 1000 : 65536), .dtype = ASH_U32);
    const void *const memory = ash_map_host(words);
    ash_rng_seed(rng, 2026);
    for (uint64_t i = 0; !ash_failed(); i++) {
        if (seeds)
            ash_rng_seed(rng, i);
        ash_rand_into(words, .rng = rng);
        if (fwrite(memory, 1, ash_nbytes(words), stdout) != ash_nbytes(words))
            return 0; /* nobody reads any more */
    }
    fprintf(stderr, "stream: %s\n", ash_error_text());
    return 1;
}
