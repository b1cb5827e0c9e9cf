/*
 * program.h - the typed program: a list of instructions, each computing one value from earlier ones.
 *
 * It is what every evaluator runs and what kernel text is generated from. It says nothing of shapes: operand k stands for
 * "the current element of operand k". Types are machine types (core/dtype.h). A complex result is two values. There is no
 * dead code and no value is computed twice.
 */
#ifndef ASH__PROGRAM_H
#define ASH__PROGRAM_H
#include <stdatomic.h>

#include "core/dtype.h"
#include "expr/ops.h"

typedef union ash__scalar { /* a value of any machine type */
    ash__bool b;
    ash__i8 i8;
    ash__i16 i16;
    ash__i32 i32;
    ash__i64 i64;
    ash__u8 u8;
    ash__u16 u16;
    ash__u32 u32;
    ash__u64 u64;
    ash__f32 f32;
    ash__f64 f64;
    uint64_t bits;
} ash__scalar;

typedef struct ash__ins {
    uint8_t op;       /* ash__op */
    uint8_t type;     /* machine type of the value computed */
    uint8_t from;     /* the operands' machine type (comparisons: not bool); LOAD: the dtype in memory; ROUND16: F16 or BF16 */
    uint8_t unused;
    uint16_t arg[3];  /* numbers of earlier instructions; LOAD: arg[0] is the operand */
    uint16_t unused2;
    uint32_t offset;  /* LOAD: bytes from the element's start (imaginary part, field of a record) */
    ash__scalar constant;
} ash__ins;

enum { ASH__PROGRAM_LIMIT = 4096, ASH__OPERAND_LIMIT = 1024 }; /* instructions, operands */

typedef struct ash__program {
    atomic_int refs;
    ash_dtype dtype;        /* of the result as it is stored */
    int32_t count;          /* instructions; 0 when copies is set */
    int32_t outputs;        /* 1, or 2 for a complex result */
    uint16_t output[2];     /* value numbers; machine type of dtype's part; f16 and bf16 are rounded when stored */
    int32_t operands;
    int32_t copies;         /* the result is operand number copies as it is (any dtype, records too), or -1 */
    bool faults;            /* some instruction can fault */
    bool leaves;            /* some instruction is not for all elements where vectors compute: lower.h, and what can fault */
    bool transcendental;    /* some instruction is costly: blocks should be small and prefetched in DRAM */
    _Atomic uint64_t native; /* what the CPU device has found out about its code; 0 at first */
    ash__ins *ins;
} ash__program;

ash__program *ash__program_retain(ash__program *program);
void ash__program_release(ash__program *program); /* NULL is fine */

/* Building one by hand (reductions over plain operands, masks, casts). All ash__build_* return the new value's number, or -1
 * after a failure that has been reported; later calls then do nothing. */
typedef struct ash__builder ash__builder;
ash__builder *ash__builder_new(const char *function, int operands);
int ash__build_load(ash__builder *b, int operand, ash_dtype dtype, uint32_t offset); /* dtype: real */
int ash__build_constant(ash__builder *b, ash_dtype machine, ash__scalar value);
int ash__build_op(ash__builder *b, ash__op op, int x, int y, int z);       /* types from the arguments; unused ones -1 */
int ash__build_convert(ash__builder *b, int value, ash_dtype machine);     /* the same value when it has that type */
int ash__build_narrow(ash__builder *b, int value, ash_dtype machine);
int ash__build_round16(ash__builder *b, int value, ash_dtype dtype);
int ash__build_program(ash__builder *b, const ash__program *p, const int *operand, int result[2]); /* inlines p */
ash__program *ash__builder_finish(ash__builder *b, ash_dtype dtype, int re, int im); /* frees b; optimises; NULL on failure */
/* The program that yields one operand converted to dtype (saturating, as a cast in a function string). */
ash__program *ash__program_cast(const char *function, ash_dtype from, bool conjugated, ash_dtype to);
/* The same, but what `to` cannot hold is a fault, as core/convert.h has it in the truncating mode. Not from complex to real. */
ash__program *ash__program_checked(const char *function, ash_dtype from, bool from_conjugated, ash_dtype to,
                                   bool to_conjugated);
bool ash__is_exact_in(ash_dtype from, ash_dtype to); /* no value of the real dtype `from` changes in `to` */
/* A program that only copies an operand, as one that loads it: folds and scans want instructions. */
typedef struct ash__loader {
    ash__program program;
    ash__ins ins[2];
} ash__loader;
/* program, or loader made to stand for it. */
const ash__program *ash__fold_program(const ash__program *program, ash__loader *loader);
int ash__program_format(char *buffer, size_t size, const ash__program *p); /* a listing, for tests and traces; as snprintf */
#endif
