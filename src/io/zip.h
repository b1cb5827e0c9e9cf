/* zip.h - the members of a ZIP archive: what NPZ files are made of. */
#ifndef ASH__ZIP_H
#define ASH__ZIP_H
#include "io/elements.h"

enum { ASH__ZIP_STORED = 0, ASH__ZIP_DEFLATED = 8 }; /* methods */

typedef struct ash__member {
    const char *name;    /* as in the archive; it never names a file of this system */
    size_t size, packed; /* bytes, and bytes as they lie in the archive */
    size_t header;       /* where its local header is */
    uint32_t checksum;
    int method;
    bool encrypted;
} ash__member;

typedef struct ash__zip {
    ash__source *file;
    size_t directory_at;
    char *directory; /* as in the file, but for the names, which have a 0 behind them */
    ash__member *member;
    int64_t count;
} ash__zip;

/* Reads and checks the directory. file: stays where it is until the end. Whatever the outcome, the archive is to be ended. */
ash_status ash__zip_begin(ash__source *file, ash__zip *zip);
void ash__zip_end(ash__zip *zip);

/* A member that is being read. */
typedef struct ash__unzip {
    const ash__zip *zip;
    const ash__member *member;
    size_t start;     /* of its bytes in the file */
    size_t taken;     /* of these */
    uint32_t running; /* checksum of what came out so far */
    struct z_stream_s *inflater;
    unsigned char *block; /* what it is fed */
} ash__unzip;

/* Starts a member: its bytes are what `data` gives then. Whatever the outcome, it is to be closed. */
ash_status ash__zip_open(const ash__zip *zip, const ash__member *m, ash__unzip *unzip, ash__source *data);
/* check: reads what was not taken, and compares the checksum. */
ash_status ash__zip_close(ash__unzip *unzip, ash__source *data, bool check);

/* ---- writing */

typedef struct ash__zip_writer ash__zip_writer;
ash_status ash__zip_create(const char *function, const char *path, ash__zip_writer **writer);
/* Starts a member; the bytes that are put into the sink are its own until the next one, or the end. Failures are kept. */
ash__sink ash__zip_add(ash__zip_writer *w, const char *name, bool compress);
/* keep false: leaves the old file, if any, as it was. */
ash_status ash__zip_finish(ash__zip_writer *w, bool keep);

/* The error of a library that was built without zlib. */
ash_status ash__zip_missing(const ash__place *place);
/* For tests: sizes and places from here on are written with 64 bits; 2^32 - 1, as the format wants it. */
extern uint64_t ash__zip_wide_from;
#endif
