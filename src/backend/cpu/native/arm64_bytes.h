/*
 * arm64_bytes.h - AArch64 instructions: one 32-bit word each.
 *
 * Arm Architecture Reference Manual for A-profile (DDI 0487), chapters C4 (how words are divided), C6 (base instructions) and
 * C7 (vectors). The second column is the word with all registers 0; the third is how objdump writes it, with d, n, m for the
 * numbers of registers and T for the arrangement, which is what the tests compare.
 */
#ifndef ASH__ARM64_BYTES_H
#define ASH__ARM64_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
/* Arranged as 2s, 4s or 2d (ash__arm64_shape). */
#define ASH__ARM64_SHAPED(X)                                                                                       \
    X(FADD, 0x0E20D400, "fadd vd.T, vn.T, vm.T")    X(FSUB, 0x0EA0D400, "fsub vd.T, vn.T, vm.T")                   \
    X(FMUL, 0x2E20DC00, "fmul vd.T, vn.T, vm.T")    X(FDIV, 0x2E20FC00, "fdiv vd.T, vn.T, vm.T")                   \
    X(FMIN, 0x0EA0F400, "fmin vd.T, vn.T, vm.T")    X(FMAX, 0x0E20F400, "fmax vd.T, vn.T, vm.T")                   \
    X(FMLA, 0x0E20CC00, "fmla vd.T, vn.T, vm.T")    X(FCMEQ, 0x0E20E400, "fcmeq vd.T, vn.T, vm.T")                 \
    X(FCMGE, 0x2E20E400, "fcmge vd.T, vn.T, vm.T")  X(FCMGT, 0x2EA0E400, "fcmgt vd.T, vn.T, vm.T")                 \
    X(ADD, 0x0EA08400, "add vd.T, vn.T, vm.T")      X(SUB, 0x2EA08400, "sub vd.T, vn.T, vm.T")                     \
    X(CMEQ, 0x2EA08C00, "cmeq vd.T, vn.T, vm.T")    X(CMGT, 0x0EA03400, "cmgt vd.T, vn.T, vm.T")                   \
    X(CMGE, 0x0EA03C00, "cmge vd.T, vn.T, vm.T")    X(CMHI, 0x2EA03400, "cmhi vd.T, vn.T, vm.T")                   \
    X(CMHS, 0x2EA03C00, "cmhs vd.T, vn.T, vm.T")    X(SSHL, 0x0EA04400, "sshl vd.T, vn.T, vm.T")                   \
    X(USHL, 0x2EA04400, "ushl vd.T, vn.T, vm.T")                                                                   \
    X(FSQRT, 0x2EA1F800, "fsqrt vd.T, vn.T")        X(FRINTN, 0x0E218800, "frintn vd.T, vn.T")                     \
    X(FRINTM, 0x0E219800, "frintm vd.T, vn.T")      X(FRINTP, 0x0EA18800, "frintp vd.T, vn.T")                     \
    X(FRINTZ, 0x0EA19800, "frintz vd.T, vn.T")      X(ABS, 0x0EA0B800, "abs vd.T, vn.T")                           \
    X(NEG, 0x2EA0B800, "neg vd.T, vn.T")            X(IS_ZERO, 0x0EA09800, "cmeq vd.T, vn.T, #0")                  \
    X(SCVTF, 0x0E21D800, "scvtf vd.T, vn.T")        X(UCVTF, 0x2E21D800, "ucvtf vd.T, vn.T")                       \
    X(FCVTZS, 0x0EA1B800, "fcvtzs vd.T, vn.T")      X(FCVTZU, 0x2EA1B800, "fcvtzu vd.T, vn.T")
/* The same, but there is no 2d. */
#define ASH__ARM64_WORDS(X)                                                                                        \
    X(MUL, 0x0EA09C00, "mul vd.T, vn.T, vm.T")                                                                     \
    X(SMIN, 0x0EA06C00, "smin vd.T, vn.T, vm.T")    X(SMAX, 0x0EA06400, "smax vd.T, vn.T, vm.T")                   \
    X(UMIN, 0x2EA06C00, "umin vd.T, vn.T, vm.T")    X(UMAX, 0x2EA06400, "umax vd.T, vn.T, vm.T")                   \
    X(MOVI_32, 0x0F010400, "movi vd.T, #0x20")
/* All 16 bytes, of whatever lanes. */
#define ASH__ARM64_FIXED(X)                                                                                        \
    X(AND, 0x4E201C00, "and vd.16b, vn.16b, vm.16b")    X(BIC, 0x4E601C00, "bic vd.16b, vn.16b, vm.16b")           \
    X(ORR, 0x4EA01C00, "orr vd.16b, vn.16b, vm.16b")    X(EOR, 0x6E201C00, "eor vd.16b, vn.16b, vm.16b")           \
    X(BSL, 0x6E601C00, "bsl vd.16b, vn.16b, vm.16b")    X(BIT, 0x6EA01C00, "bit vd.16b, vn.16b, vm.16b")           \
    X(BIF, 0x6EE01C00, "bif vd.16b, vn.16b, vm.16b")    X(NOT, 0x6E205800, "mvn vd.16b, vn.16b")                   \
    X(NEG_BYTES, 0x6E20B800, "neg vd.16b, vn.16b")                                                                 \
    X(FCVTL, 0x0E617800, "fcvtl vd.2d, vn.2s")          X(FCVTN, 0x0E616800, "fcvtn vd.2s, vn.2d")                 \
    X(FCVTL_HALF, 0x0E217800, "fcvtl vd.4s, vn.4h")     X(FCVTN_HALF, 0x0E216800, "fcvtn vd.4h, vn.4s")            \
    X(XTN, 0x0EA12800, "xtn vd.2s, vn.2d")              X(XTN_WORDS, 0x0E612800, "xtn vd.4h, vn.4s")               \
    X(XTN_HALVES, 0x0E212800, "xtn vd.8b, vn.8h")                                                                  \
    X(SQXTN, 0x0EA14800, "sqxtn vd.2s, vn.2d")          X(UQXTN, 0x2EA14800, "uqxtn vd.2s, vn.2d")                 \
    X(SXTL, 0x0F20A400, "sxtl vd.2d, vn.2s")            X(UXTL, 0x2F20A400, "uxtl vd.2d, vn.2s")                   \
    X(SXTL_HALVES, 0x0F10A400, "sxtl vd.4s, vn.4h")     X(UXTL_HALVES, 0x2F10A400, "uxtl vd.4s, vn.4h")            \
    X(SXTL_BYTES, 0x0F08A400, "sxtl vd.8h, vn.8b")      X(UXTL_BYTES, 0x2F08A400, "uxtl vd.8h, vn.8b")             \
    X(UMULL, 0x2EA0C000, "umull vd.2d, vn.2s, vm.2s")   X(UMLAL, 0x2EA08000, "umlal vd.2d, vn.2s, vm.2s")          \
    X(REV64, 0x4EA00800, "rev64 vd.4s, vn.4s")          X(UADDLP, 0x6EA02800, "uaddlp vd.2d, vn.4s")               \
    X(MUL_WORDS, 0x4EA09C00, "mul vd.4s, vn.4s, vm.4s") X(ZIP1, 0x0E803800, "zip1 vd.2s, vn.2s, vm.2s")            \
    X(UMAXV, 0x6EB0A800, "umaxv sd, vn.4s")             X(FMOV_W_S, 0x1E260000, "fmov wd, sn")                     \
    X(FMOV_X_D, 0x9E660000, "fmov xd, dn")              X(UMOV_UPPER, 0x4E183C00, "mov xd, vn.d[1]")               \
    X(SCVTF_X, 0x9E220000, "scvtf sd, xn")              X(UCVTF_X, 0x9E230000, "ucvtf sd, xn")                     \
    X(SPREAD_1, 0x4D40C000, "ld1r {vd.16b}, [xn]")      X(SPREAD_2, 0x4D40C400, "ld1r {vd.8h}, [xn]")              \
    X(SPREAD_4, 0x4D40C800, "ld1r {vd.4s}, [xn]")       X(SPREAD_8, 0x4D40CC00, "ld1r {vd.2d}, [xn]")              \
    X(ADD_X, 0x8B000000, "add xd, xn, xm")              X(SUB_X, 0xCB000000, "sub xd, xn, xm")
/* clang-format on */

typedef enum ash__arm64_op {
#define ASH__ARM64_ID(ID, word, text) ASH__A_##ID,
    ASH__ARM64_SHAPED(ASH__ARM64_ID) ASH__A_WORDS, /* no instruction: where those begin */
    ASH__ARM64_WORDS(ASH__ARM64_ID) ASH__A_FIXED,
    ASH__ARM64_FIXED(ASH__ARM64_ID) ASH__A_COUNT
#undef ASH__ARM64_ID
} ash__arm64_op;

typedef enum ash__arm64_shape { ASH__2S, ASH__4S, ASH__2D } ash__arm64_shape;
typedef enum ash__arm64_shift { ASH__SHL, ASH__USHR, ASH__SSHR } ash__arm64_shift;

enum { ASH__ARM64_FIXES = 2048 };

typedef struct ash__arm64_code {
    uint8_t *start;
    int32_t at, room; /* in words; at runs on behind the end, where nothing is written */
    int fixes;
    struct { /* words that load a literal, whose place is known later */
        int32_t at;
        uint16_t literal;
    } fix[ASH__ARM64_FIXES];
} ash__arm64_code;

void ash__arm64_word(ash__arm64_code *c, uint32_t word);
/* shape: for those that have one. */
void ash__arm64_put(ash__arm64_code *c, ash__arm64_op op, ash__arm64_shape shape, int d, int n, int m);
/* By 0 (to the right 1) to one less than a lane has bits (to the right: as many). */
void ash__arm64_shift_by(ash__arm64_code *c, ash__arm64_shift kind, ash__arm64_shape shape, int d, int n, int count);
/* 1, 2, 4, 8 or 16 bytes of a vector register; offset: a multiple of these, below 4096 of them. */
void ash__arm64_load(ash__arm64_code *c, int nbytes, int reg, int base, int offset);
void ash__arm64_store(ash__arm64_code *c, int nbytes, int reg, int base, int offset);
/* A literal of 16 bytes. */
void ash__arm64_load_literal(ash__arm64_code *c, int reg, int literal);
/* Literals lie from here on: `pool` words from the start. */
void ash__arm64_fix(ash__arm64_code *c, int32_t pool);
bool ash__arm64_fits(const ash__arm64_code *c);

/* Branches to a word: `back` to one known already, else to one that ash__arm64_land tells. They give back their own place. */
enum { ASH__ARM64_LATER = -1 };
enum { ASH__NOT_BELOW = 2, ASH__BELOW = 3, ASH__ALWAYS = 14 }; /* conditions, C1.2.4 */
int32_t ash__arm64_branch_if(ash__arm64_code *c, int condition, int32_t back);
int32_t ash__arm64_branch_if_zero(ash__arm64_code *c, bool zero, int x, int32_t back); /* or if not */
void ash__arm64_land(ash__arm64_code *c, int32_t from);                                /* here */

/* Of 64 bits; n below 4096. 31 is the stack pointer. */
void ash__arm64_add(ash__arm64_code *c, int d, int s, int n);
void ash__arm64_subtract(ash__arm64_code *c, int d, int s, int n);
void ash__arm64_compare(ash__arm64_code *c, int s, int n);
void ash__arm64_low_bits(ash__arm64_code *c, int d, int s, int bits);    /* 1 to 63 of them */
void ash__arm64_load_x(ash__arm64_code *c, int d, int base, int offset); /* offset: a multiple of 8 below 32768 */
#endif
