/*
 * double_ptx.c - the interpreter of the double of libcuda, instruction by instruction.
 *
 * Expected bits are worked out by hand from the PTX ISA (9.0). Each row is a kernel: odd lanes execute the instruction, even
 * ones keep what the register held, so that masks are seen too; a second block has all lanes active.
 */
#include "double.h"

/* Registers: h 16 bits, r 32, d 64, p a predicate. The first letter is the result's. */
typedef struct row {
    const char *text, *registers;
    u64 operand[4], want;
} row;

#define F32_1 0x3f800000u
#define F32_2 0x40000000u
#define F32_3 0x40400000u
#define F32_NAN 0x7fffffffu
#define F32_INF 0x7f800000u
#define F64_1 0x3ff0000000000000u
#define F64_NAN 0x7ff8000000000000u

static const row rows[] = {
    /* integers wrap; mul.hi and mad take the high half */
    {"add.s32", "rrr", {0x7fffffff, 1}, 0x80000000},
    {"add.u64", "ddd", {~(u64)0, 2}, 1},
    {"add.s16", "hhh", {0xffff, 2}, 1},
    {"add.sat.s32", "rrr", {0x7fffffff, 1}, 0x7fffffff},
    {"sub.sat.s32", "rrr", {0x80000000, 1}, 0x80000000},
    {"sub.s32", "rrr", {3, 5}, 0xfffffffe},
    {"mul.lo.s32", "rrr", {0x10001, 0x10001}, 0x20001},
    {"mul.hi.u32", "rrr", {0xffffffff, 0xffffffff}, 0xfffffffe},
    {"mul.hi.s32", "rrr", {0xffffffff, 2}, 0xffffffff},
    {"mul.hi.u64", "ddd", {~(u64)0, ~(u64)0}, ~(u64)0 - 1},
    {"mul.hi.s64", "ddd", {~(u64)0, 2}, ~(u64)0},
    {"mul.wide.u32", "drr", {0xffffffff, 0xffffffff}, 0xfffffffe00000001u},
    {"mul.wide.s32", "drr", {0xffffffff, 2}, ~(u64)0 - 1},
    {"mul.wide.u16", "rhh", {0xffff, 0xffff}, 0xfffe0001},
    {"mul.wide.s16", "rhh", {0xffff, 3}, 0xfffffffd},
    {"mad.lo.s32", "rrrr", {3, 4, 5}, 17},
    {"mad.hi.u32", "rrrr", {0x80000000, 4, 5}, 7},
    {"mad.wide.u32", "drrd", {0xffffffff, 2, 5}, 0x200000003u},
    {"mad.lo.s64", "dddd", {(u64)-3, 4, 5}, (u64)-7},
    {"sad.s32", "rrrr", {(u32)-2, 3, 10}, 15},
    {"div.s32", "rrr", {(u32)-7, 2}, (u32)-3},
    {"rem.s32", "rrr", {(u32)-7, 2}, (u32)-1},
    {"div.u64", "ddd", {~(u64)0, 10}, 1844674407370955161u},
    {"rem.u16", "hhh", {1000, 7}, 6},
    {"abs.s32", "rr", {(u32)-5}, 5},
    {"neg.s16", "hh", {5}, 0xfffb},
    {"min.s32", "rrr", {(u32)-1, 1}, (u32)-1},
    {"min.u32", "rrr", {(u32)-1, 1}, 1},
    {"max.s16", "hhh", {0xffff, 1}, 1},
    {"max.u64", "ddd", {~(u64)0, 1}, ~(u64)0},
    {"dp4a.u32.u32", "rrrr", {0x01020304, 0x01010101, 5}, 15},
    {"dp4a.s32.s32", "rrrr", {0xff020304, 0x02010101, 5}, 12},
    {"dp2a.lo.u32.u32", "rrrr", {0x00030004, 0x09080201, 1}, 11},
    {"dp2a.hi.u32.u32", "rrrr", {0x00030004, 0x02010908, 1}, 11},

    /* bits */
    {"and.b32", "rrr", {0xf0f0, 0xff00}, 0xf000},
    {"or.b16", "hhh", {0xf0f0, 0x0f00}, 0xfff0},
    {"xor.b64", "ddd", {~(u64)0, 1}, ~(u64)0 - 1},
    {"not.b32", "rr", {0xff}, 0xffffff00},
    {"shl.b32", "rrr", {1, 31}, 0x80000000},
    {"shl.b32", "rrr", {1, 32}, 0},
    {"shl.b64", "ddr", {1, 63}, (u64)1 << 63},
    {"shr.u32", "rrr", {0x80000000, 31}, 1},
    {"shr.s32", "rrr", {0x80000000, 40}, 0xffffffff},
    {"shr.s64", "ddr", {(u64)1 << 63, 62}, ~(u64)1},
    {"shr.s16", "hhr", {0x8000, 20}, 0xffff},
    {"shf.l.wrap.b32", "rrrr", {0x80000000, 1, 33}, 3},
    {"shf.r.wrap.b32", "rrrr", {2, 1, 1}, 0x80000001},
    {"shf.l.clamp.b32", "rrrr", {0x12345678, 1, 40}, 0x12345678},
    {"shf.r.clamp.b32", "rrrr", {2, 0x12345678, 40}, 0x12345678},
    {"clz.b32", "rr", {1}, 31},
    {"clz.b32", "rr", {0}, 32},
    {"clz.b64", "rd", {0}, 64},
    {"popc.b64", "rd", {~(u64)0}, 64},
    {"brev.b32", "rr", {1}, 0x80000000},
    {"bfind.u32", "rr", {0x00100000}, 20},
    {"bfind.u32", "rr", {0}, 0xffffffff},
    {"bfind.s32", "rr", {0xffffffff}, 0xffffffff},
    {"bfind.s32", "rr", {0xfffffff0}, 3},
    {"bfind.shiftamt.u32", "rr", {0x00100000}, 11},
    {"bfe.u32", "rrrr", {0x12345678, 8, 8}, 0x56},
    {"bfe.s32", "rrrr", {0x0000f800, 8, 8}, 0xfffffff8},
    {"bfe.s32", "rrrr", {0x80000000, 28, 8}, 0xfffffff8},
    {"bfe.u64", "ddrr", {0x123456789abcdef0u, 60, 8}, 1},
    {"bfe.u32", "rrrr", {0xffffffff, 4, 0}, 0},
    {"bfi.b32", "rrrrr", {0xff, 0x12345678, 8, 4}, 0x12345f78},
    {"bfi.b64", "dddrr", {0xffffffff, 0, 32, 32}, 0xffffffff00000000u},
    {"prmt.b32", "rrrr", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
    {"prmt.b32", "rrrr", {0x00008000, 0, 0x8999}, 0x00ffffff}, /* the sign of byte 1, and of byte 0 */
    {"prmt.b32.f4e", "rrrr", {0x33221100, 0x77665544, 1}, 0x44332211},
    {"prmt.b32.rc16", "rrrr", {0x33221100, 0, 1}, 0x33223322},
    {"lop3.b32", "rrrrr", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96}, 0x96969696},
    {"selp.b32", "rrrp", {1, 2, 1}, 1},
    {"selp.f64", "dddp", {1, 2, 0}, 2},

    /* floats: NaN of f32 is one; extrema pass NaN over, and -0 is below +0 */
    {"add.rn.f32", "rrr", {F32_1, 0x33800000}, F32_1}, /* 1 + 2^-24: to even */
    {"add.rz.f32", "rrr", {F32_1, 0x33c00000}, F32_1},
    {"add.rp.f32", "rrr", {F32_1, 1}, 0x3f800001},
    {"add.rm.f32", "rrr", {F32_1, 0x80000001}, 0x3f7fffff},
    {"add.ftz.f32", "rrr", {1, 0x80000000}, 0},
    {"add.sat.f32", "rrr", {F32_2, F32_1}, F32_1},
    {"add.f32", "rrr", {F32_INF, 0xff800000}, F32_NAN},
    {"mul.rn.f32", "rrr", {F32_3, 0x3eaaaaab}, F32_1},
    {"fma.rn.f32", "rrrr", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000}, /* 2^-46 is left */
    {"fma.rn.f64", "dddd", {0x3ff0000000000001u, 0x3ff0000000000001u, 0xbff0000000000002u}, 0x3970000000000000u},
    {"div.rn.f32", "rrr", {F32_1, F32_3}, 0x3eaaaaab},
    {"div.rz.f32", "rrr", {F32_1, F32_3}, 0x3eaaaaaa},
    {"div.rn.f64", "ddd", {F64_1, 0x4008000000000000u}, 0x3fd5555555555555u},
    {"rcp.rn.f32", "rr", {0}, F32_INF},
    {"sqrt.rn.f32", "rr", {F32_2}, 0x3fb504f3},
    {"sqrt.rp.f32", "rr", {F32_2}, 0x3fb504f4},
    {"sqrt.rn.f32", "rr", {0xbf800000}, F32_NAN},
    {"sqrt.rn.f64", "dd", {0x4000000000000000u}, 0x3ff6a09e667f3bcdu},
    {"min.f32", "rrr", {0x7fc00000, F32_1}, F32_1},
    {"min.f32", "rrr", {0, 0x80000000}, 0x80000000},
    {"max.f32", "rrr", {0x80000000, 0}, 0},
    {"max.f32", "rrr", {0x7fc00000, 0x7fc00001}, F32_NAN},
    {"max.NaN.f32", "rrr", {0x7fc00000, F32_1}, F32_NAN},
    {"max.f64", "ddd", {F64_NAN, F64_1}, F64_1},
    {"min.f64", "ddd", {0, (u64)1 << 63}, (u64)1 << 63},
    {"neg.f32", "rr", {F32_1}, 0xbf800000},
    {"abs.f64", "dd", {0xbff0000000000000u}, F64_1},
    {"copysign.f32", "rrr", {0x80000000, F32_2}, 0xc0000000},
    {"testp.normal.f32", "pr", {1}, 0},
    {"testp.subnormal.f32", "pr", {1}, 1},
    {"testp.infinite.f64", "pd", {0xfff0000000000000u}, 1},
    {"ex2.approx.f32", "rr", {F32_3}, 0x41000000}, /* powers of two are exact everywhere */
    {"lg2.approx.f32", "rr", {0x41000000}, F32_3},
    {"rcp.approx.ftz.f64", "dd", {0x4010000000000000u}, 0x3fd0000000000000u},
    {"rsqrt.approx.ftz.f64", "dd", {0x4010000000000000u}, 0x3fe0000000000000u},
    {"add.rn.f16", "hhh", {0x3c00, 0x1000}, 0x3c00}, /* 1 + 2^-11: to even */
    {"fma.rn.f16", "hhhh", {0x4200, 0x4200, 0x3c00}, 0x4900},
    {"mul.rn.bf16", "hhh", {0x4040, 0x4040}, 0x4110},

    /* comparisons */
    {"setp.lt.s32", "prr", {(u32)-1, 0}, 1},
    {"setp.lt.u32", "prr", {(u32)-1, 0}, 0},
    {"setp.lo.u16", "phh", {1, 2}, 1},
    {"setp.eq.f32", "prr", {0x80000000, 0}, 1},
    {"setp.ne.f32", "prr", {0x7fc00000, 0}, 0},
    {"setp.neu.f32", "prr", {0x7fc00000, 0}, 1},
    {"setp.geu.f64", "pdd", {F64_NAN, F64_1}, 1},
    {"setp.num.f64", "pdd", {F64_1, F64_1}, 1},
    {"setp.nan.f32", "prr", {F32_1, 0xffc00000}, 1},
    {"setp.lt.and.s32", "prrp", {1, 2, 0}, 0},
    {"setp.lt.xor.s32", "prrp", {1, 2, 1}, 0},

    /* conversions: integers extend or are cut; floats saturate, NaN gives 0, of f64 or to 64 bits the highest bit */
    {"cvt.s32.s8", "rr", {0x180}, 0xffffff80},
    {"cvt.u32.u8", "rr", {0x180}, 0x80},
    {"cvt.s64.s32", "dr", {0x80000000}, 0xffffffff80000000u},
    {"cvt.u16.u64", "hd", {0x123456}, 0x3456},
    {"cvt.sat.u8.s32", "rr", {(u32)-3}, 0},
    {"cvt.sat.s8.s32", "rr", {300}, 127},
    {"cvt.rn.f32.s32", "rr", {0x01000001}, 0x4b800000},
    {"cvt.rp.f32.s32", "rr", {0x01000001}, 0x4b800001},
    {"cvt.rn.f64.u64", "dd", {~(u64)0}, 0x43f0000000000000u},
    {"cvt.rzi.s32.f32", "rr", {0xbfc00000}, (u32)-1},
    {"cvt.rni.s32.f32", "rr", {0x40200000}, 2},
    {"cvt.rpi.s32.f32", "rr", {0x40200000}, 3},
    {"cvt.rzi.s32.f32", "rr", {0x7fc00000}, 0},
    {"cvt.rzi.s32.f32", "rr", {0x4f000000}, 0x7fffffff},
    {"cvt.rzi.u32.f32", "rr", {0xbf800000}, 0},
    {"cvt.rzi.s32.f64", "rd", {F64_NAN}, 0x80000000},
    {"cvt.rzi.s64.f32", "dr", {0x7fc00000}, (u64)1 << 63},
    {"cvt.rzi.u64.f64", "dd", {0x43f0000000000000u}, ~(u64)0},
    {"cvt.rzi.u8.f32", "rr", {0x43c80000}, 255},
    {"cvt.rn.f32.f64", "rd", {0x3ff0000010000000u}, F32_1},
    {"cvt.rz.f32.f64", "rd", {0x3ff000001fffffffu}, F32_1},
    {"cvt.f64.f32", "dr", {F32_1}, F64_1},
    {"cvt.rni.f32.f32", "rr", {0x40200000}, F32_2},
    {"cvt.rmi.f64.f64", "dd", {0xbfe0000000000000u}, 0xbff0000000000000u},
    {"cvt.sat.f32.f32", "rr", {0xbf800000}, 0},
    {"cvt.ftz.f32.f32", "rr", {0x80000001}, 0x80000000},
    {"cvt.f32.f16", "rh", {0x0001}, 0x33800000},
    {"cvt.rn.f16.f32", "hr", {0x477ff000}, 0x7c00}, /* 65520 */
    {"cvt.rz.f16.f32", "hr", {0x477ff000}, 0x7bff},
    {"cvt.rn.f16.f32", "hr", {0x33000000}, 0},               /* half of the least: to even */
    {"cvt.rn.f16.f64", "hd", {0x3ff0020000000001u}, 0x3c01}, /* once, not by way of f32 */
    {"cvt.rn.bf16.f32", "hr", {0x3f808000}, 0x3f80},
    {"cvt.rn.bf16.f32", "hr", {0x3f818000}, 0x3f82},
    {"cvt.rn.f16x2.f32", "rrr", {F32_1, F32_2}, 0x3c004000},
    {"cvt.rn.bf16x2.f32", "rrr", {F32_1, F32_2}, 0x3f804000},
    {"cvt.rna.tf32.f32", "rr", {0x3f801000}, 0x3f802000},
    {"cvt.rn.f32.f16", "rh", {0x3c00}, F32_1},

    /* with carry: of two instructions */
    {"add.cc.u32 %r9, %r1, %r2; addc.u32", "rrr", {0xffffffff, 1}, 1},
    {"sub.cc.u32 %r9, %r2, %r1; subc.u32", "rrr", {5, 3}, 1},
    {"add.cc.u64 %d9, %d1, %d2; addc.cc.u64", "ddd", {~(u64)0, ~(u64)0}, ~(u64)0},
    {"mov.b64 %d9, {%r1, %r2}; mov.b64 {%r8, %r9}, %d9; add.s32", "rrr", {1, 2}, 3},
};

/* ---- texts of kernels */

static size_t put(char *text, size_t at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    at += (size_t)vsprintf(text + at, format, list);
    va_end(list);
    return at;
}

static size_t put_value(char *text, size_t at, char kind, int number) /* operand `number`, from its 8 bytes */
{
    at = put(text, at, "ld.global.b64 %%d10, [%%a+%d];\n", 8 * number);
    switch (kind) {
    case 'h':
        return put(text, at, "cvt.u16.u64 %%h%d, %%d10;\n", number + 1);
    case 'r':
        return put(text, at, "cvt.u32.u64 %%r%d, %%d10;\n", number + 1);
    case 'd':
        return put(text, at, "mov.b64 %%d%d, %%d10;\n", number + 1);
    default:
        return put(text, at, "setp.ne.u64 %%p%d, %%d10, 0;\n", number + 1);
    }
}

static size_t put_result(char *text, size_t at, char kind)
{
    if (kind == 'p')
        at = put(text, at, "selp.u64 %%d10, 1, 0, %%p0;\n");
    else if (kind != 'd')
        at = put(text, at, "cvt.u64.%s %%d10, %%%c0;\n", kind == 'h' ? "u16" : "u32", kind);
    else
        at = put(text, at, "mov.u64 %%d10, %%d0;\n");
    return put(text, at, "st.global.u64 [%%b], %%d10;\nret;\n}\n");
}

/* The block of number 0 has odd lanes alone. */
static size_t put_kernel(char *text, size_t at, int number, const row *r)
{
    at = put(text, at,
             ".visible .entry k%d(.param .u64 in, .param .u64 out)\n{\n.reg .b16 %%h<11>;\n.reg .b32 %%r<11>;\n.reg .b64 "
             "%%d<11>;\n.reg .pred %%p<11>;\n.reg .b32 %%t<4>;\n.reg .b64 %%a, %%b;\n.reg .pred %%on;\n"
             "ld.param.u64 %%a, [in];\nld.param.u64 %%b, [out];\nmov.u32 %%t0, %%tid.x;\nmov.u32 %%t1, %%ctaid.x;\n"
             "mad.lo.u32 %%t2, %%t1, 32, %%t0;\nmad.wide.u32 %%b, %%t2, 8, %%b;\nor.b32 %%t3, %%t0, %%t1;\n"
             "and.b32 %%t3, %%t3, 1;\nsetp.ne.u32 %%on, %%t3, 0;\nmov.b16 %%h0, 0x5a5a;\nmov.b32 %%r0, 0x5a5a;\n"
             "mov.b64 %%d0, 0x5a5a;\nmov.pred %%p0, 1;\n",
             number);
    for (int k = 1; r->registers[k]; k++)
        at = put_value(text, at, r->registers[k], k - 1);
    if (strchr(r->text, ';')) { /* what stands before is for all lanes */
        const char *const last = strrchr(r->text, ';') + 1;
        at = put(text, at, "%.*s\n@%%on %s ", (int)(last - r->text), r->text, last);
    } else
        at = put(text, at, "@%%on %s ", r->text);
    for (int k = 0; r->registers[k]; k++)
        at = put(text, at, "%s%%%c%d", k ? ", " : "", r->registers[k], k);
    at = put(text, at, ";\n");
    return put_result(text, at, r->registers[0]);
}

static void check_row(const row *r, void *function, u64 in, u64 out)
{
    u64 result[64];
    void *parameter[] = {&in, &out};
    const u64 untouched = r->registers[0] == 'p' ? 1 : 0x5a5a;
    CHECK(cuMemcpyHtoD_v2(in, r->operand, sizeof r->operand) == 0);
    CHECK(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, NULL, parameter, NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(result, out, sizeof result) == 0);
    for (int l = 0; l < 64; l++) {
        const bool active = l >= 32 || l % 2;
        const u64 want = active ? r->want : untouched;
        if (result[l] != want)
            FAIL("%s of %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ": %#" PRIx64 " in lane %d, not %#" PRIx64, r->text,
                 r->operand[0], r->operand[1], r->operand[2], result[l], l, want);
    }
}

static void instructions(void **state)
{
    char *const text = malloc((size_t)COUNT(rows) * 4096);
    const u64 in = device_bytes(sizeof rows[0].operand), out = device_bytes(64 * sizeof(u64));
    size_t at = (size_t)sprintf(text, "%s", HEAD);
    (void)state;
    for (int k = 0; k < COUNT(rows); k++)
        at = put_kernel(text, at, k, &rows[k]);
    void *const module = module_of(text);
    for (int k = 0; k < COUNT(rows); k++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        check_row(&rows[k], function_of(module, name), in, out);
    }
    CHECK(cuModuleUnload(module) == 0 && cuMemFree_v2(in) == 0 && cuMemFree_v2(out) == 0);
    free(text);
}

/* ---- what is refused, with its words */

static void refused(void **state)
{
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"frobnicate.u32 %r0, %r1;", "frobnicate.u32"},
        {"add.rn.f16x4 %r0, %r1, %r1;", "add.rn.f16x4"},
        {"bra nowhere;", "nowhere"},
        {"mov.u32 %r0, %x7;", "%x7"},
        {"add.s32 %r0, %r1;", "operands"},
    };
    (void)state;
    for (int k = 0; k < COUNT(cases); k++) {
        char text[512], log[256] = "";
        int option[2] = {5, 6};
        void *value[2] = {log, (void *)(uintptr_t)sizeof log}, *module = NULL;
        snprintf(text, sizeof text, "%s.visible .entry k()\n{\n.reg .b32 %%r<3>;\n%s\nret;\n}\n", HEAD, cases[k].body);
        CHECK(cuModuleLoadDataEx(&module, text, 2, option, value) == 218);
        if (!strstr(log, cases[k].words) || !strstr(log, "line "))
            FAIL("%s: %s", cases[k].body, log);
    }
}

/* ---- several instructions together: a kernel of threads, and what each of them writes */

static void run_threads(const char *body, unsigned blocks, unsigned threads, u32 *result)
{
    char text[8192];
    const u64 out = device_bytes(blocks * threads * sizeof(u32));
    void *parameter[] = {(void *)&out};
    snprintf(text, sizeof text,
             "%s.global .align 4 .u32 table[4] = {7, 8, 9, 10};\n.global .u32 counter;\n"
             ".func (.param .b32 result) twice(.param .b32 x)\n{\n.reg .b32 %%r<3>;\nld.param.u32 %%r1, [x];\n"
             "add.u32 %%r2, %%r1, %%r1;\nst.param.b32 [result], %%r2;\nret;\n}\n"
             ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %%r<20>;\n.reg .b64 %%d<20>;\n.reg .pred %%p<9>;\n"
             ".shared .align 4 .b8 shared[4096];\n.local .align 8 .b8 own[64];\n"
             "mov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%laneid;\n%s\nmov.u32 %%r18, %%ctaid.x;\nmov.u32 %%r19, %%ntid.x;\n"
             "mad.lo.u32 %%r18, %%r18, %%r19, %%r0;\nld.param.u64 %%d18, [out];\nmad.wide.u32 %%d18, %%r18, 4, %%d18;\n"
             "st.global.u32 [%%d18], %%r2;\nret;\n}\n",
             HEAD, body);
    void *const module = module_of(text);
    CHECK(cuLaunchKernel(function_of(module, "k"), blocks, 1, 1, threads, 1, 1, 0, NULL, parameter, NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(result, out, blocks * threads * sizeof(u32)) == 0);
    CHECK(cuModuleUnload(module) == 0 && cuMemFree_v2(out) == 0);
}

/* r2 of lanes 0, 1, 2, 31 of the first warp */
static void together(void **state)
{
    static const struct {
        const char *body;
        unsigned threads;
        u32 want[4];
    } cases[] = {
        {"shfl.sync.up.b32 %r2, %r1, 1, 0, -1;", 32, {0, 0, 1, 30}},
        {"shfl.sync.down.b32 %r2|%p1, %r1, 2, 31, -1; @!%p1 mov.u32 %r2, 99;", 32, {2, 3, 4, 99}},
        {"shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;", 32, {1, 0, 3, 30}},
        {"shfl.sync.idx.b32 %r2, %r1, 5, 31, -1;", 32, {5, 5, 5, 5}},
        {"shfl.sync.idx.b32 %r2, %r1, 1, 0x181f, -1;", 32, {1, 1, 1, 25}}, /* in segments of 8 */
        {"setp.lt.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, %p1, -1;", 32, {7, 7, 7, 7}},
        {"setp.lt.u32 %p1, %r1, 3; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, 5, 6, %p2;", 32, {5, 5, 5, 5}},
        {"setp.lt.u32 %p1, %r1, 3; vote.sync.all.pred %p2, !%p1, -1; selp.u32 %r2, 5, 6, %p2;", 32, {6, 6, 6, 6}},
        {"and.b32 %r3, %r1, 1; match.any.sync.b32 %r2, %r3, -1;", 32, {0x55555555, 0xaaaaaaaa, 0x55555555, 0xaaaaaaaa}},
        {"redux.sync.add.u32 %r2, %r1, -1;", 32, {496, 496, 496, 496}},
        {"activemask.b32 %r2;", 20, {0xfffff, 0xfffff, 0xfffff, 0}},
        /* lanes part and meet again before they shuffle */
        {"mov.u32 %r3, 100; setp.lt.u32 %p1, %r1, 2; @%p1 bra low; add.u32 %r3, %r3, %r1; bra met; low: mov.u32 %r3, 7; met: "
         "shfl.sync.bfly.b32 %r2, %r3, 2, 31, -1;",
         32,
         {102, 103, 7, 129}},
        /* each lane as many turns as its number */
        {"mov.u32 %r2, 0; mov.u32 %r3, %r1; loop: setp.eq.u32 %p1, %r3, 0; @%p1 bra done; add.u32 %r2, %r2, %r3; sub.u32 %r3, "
         "%r3, 1; bra loop; done:",
         32,
         {0, 1, 3, 496}},
        /* a branch by a table */
        {"and.b32 %r3, %r1, 3; t: .branchtargets a, b, c, d; brx.idx %r3, t; a: mov.u32 %r2, 10; bra e; b: mov.u32 %r2, 11; "
         "bra "
         "e; c: mov.u32 %r2, 12; bra e; d: mov.u32 %r2, 13; e:",
         32,
         {10, 11, 12, 13}},
        /* shared memory and a barrier: the neighbour's number of the other warp */
        {"mov.u32 %r4, shared; mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], %r0; bar.sync 0; xor.b32 %r6, %r0, 32; "
         "mad.lo.u32 "
         "%r5, %r6, 4, %r4; ld.shared.u32 %r2, [%r5];",
         64,
         {32, 33, 34, 63}},
        {"setp.lt.u32 %p1, %r0, 40; bar.red.popc.u32 %r2, 0, %p1;", 64, {40, 40, 40, 40}},
        /* the same by generic addresses */
        {"mov.u64 %d4, shared; cvta.shared.u64 %d5, %d4; mad.wide.u32 %d6, %r0, 4, %d5; st.u32 [%d6], %r1; ld.u32 %r2, [%d6];",
         32,
         {0, 1, 2, 31}},
        /* the lane's own memory; elements narrower than registers */
        {"mov.u64 %d4, own; st.local.u32 [%d4+8], %r0; st.local.u8 [%d4+8], -1; ld.local.s8 %r3, [%d4+8]; ld.local.u32 %r2, "
         "[%d4+8]; "
         "add.u32 %r2, %r2, %r3;",
         32,
         {254, 254, 254, 254}},
        /* a table of the module, a call, vectors */
        {"mov.u64 %d4, table; and.b32 %r3, %r1, 3; mad.wide.u32 %d4, %r3, 4, %d4; ld.global.u32 %r2, [%d4];",
         32,
         {7, 8, 9, 10}},
        {"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a); ld.param.b32 %r2, [b]; }",
         32,
         {0, 2, 4, 62}},
        {"mov.u64 %d4, table; ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d4]; add.u32 %r2, %r3, %r6;", 32, {17, 17, 17, 17}},
        /* atomics: of one place by all lanes, in their order here */
        {"mov.u64 %d4, counter; atom.global.add.u32 %r2, [%d4], 1;", 32, {0, 1, 2, 31}},
        {"mov.u64 %d4, counter; atom.global.max.u32 %r2, [%d4], %r1;", 32, {0, 0, 1, 30}},
        {"mov.u64 %d4, counter; atom.global.inc.u32 %r2, [%d4], 1;", 32, {0, 1, 0, 1}},
        {"mov.u64 %d4, counter; atom.global.cas.b32 %r2, [%d4], 0, 5;", 32, {0, 5, 5, 5}},
        {"mov.u64 %d4, counter; atom.global.exch.b32 %r2, [%d4], %r1;", 32, {0, 0, 1, 30}},
        /* copies that run beside are done at a wait: without one the memory is fresh; the last group may be left */
        {"mov.u32 %r4, shared; mad.lo.u32 %r5, %r0, 4, %r4; mov.u64 %d4, table; cp.async.ca.shared.global [%r5], [%d4], 4; "
         "ld.shared.u32 %r2, [%r5];",
         32,
         {0xCDCDCDCD, 0xCDCDCDCD, 0xCDCDCDCD, 0xCDCDCDCD}},
        {"mov.u32 %r4, shared; mad.lo.u32 %r5, %r0, 8, %r4; mov.u64 %d4, table; cp.async.ca.shared.global [%r5], [%d4], 4; "
         "cp.async.commit_group; cp.async.ca.shared.global [%r5+4], [%d4+4], 4; cp.async.commit_group; cp.async.wait_group 1; "
         "ld.shared.u32 %r2, [%r5]; ld.shared.u32 %r3, [%r5+4]; and.b32 %r3, %r3, 0xff00; add.u32 %r2, %r2, %r3;",
         32,
         {0xCD07, 0xCD07, 0xCD07, 0xCD07}},
        /* a lock that each lane takes in turn: none waits for ever */
        {"mov.u64 %d4, counter; again: atom.global.cas.b32 %r3, [%d4], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra again; "
         "atom.global.exch.b32 %r3, [%d4], 0; mov.u32 %r2, %r1;",
         32,
         {0, 1, 2, 31}},
    };
    (void)state;
    for (int k = 0; k < COUNT(cases); k++) {
        u32 result[64] = {0};
        static const int lane[4] = {0, 1, 2, 31};
        run_threads(cases[k].body, 1, cases[k].threads, result);
        if (strstr(cases[k].body, "brx"))
            result[31] = result[3];
        if (strstr(cases[k].body, "table") && strstr(cases[k].body, "and.b32"))
            result[31] = result[3];
        for (int l = 0; l < 4; l++)
            if (result[lane[l]] != cases[k].want[l])
                FAIL("%s: %#x in lane %d, not %#x", cases[k].body, result[lane[l]], lane[l], cases[k].want[l]);
    }
}

/* A block waits for the one before it, whatever the order they are begun in: ten of them hand a number on. */
static void blocks_wait_for_blocks(void **state)
{
    u32 result[10];
    (void)state;
    run_threads(
        "mov.u64 %d4, counter; mov.u32 %r3, %ctaid.x; wait: ld.volatile.global.u32 %r2, [%d4]; setp.ne.u32 %p1, %r2, %r3; "
        "@%p1 bra wait; add.u32 %r4, %r2, 1; st.volatile.global.u32 [%d4], %r4;",
        10, 1, result);
    for (u32 k = 0; k < 10; k++)
        CHECK(result[k] == k);
}

/* ---- matrices: D = A B + C of small integers, which every order of adding gives exactly */

static void matrices(void **state)
{
    static const char body[] =
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 d)\n{\n.reg .b32 %r<20>;\n.reg .b64 %d<20>;\n.reg .f32 "
        "%f<9>;\n"
        "mov.u32 %r0, %laneid;\nld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nld.param.u64 %d3, [d];\n"
        "shr.u32 %r1, %r0, 2;\nand.b32 %r2, %r0, 3;\n" /* A is 16 x 16 of f16, row after row: 32 bytes each */
        "mad.lo.u32 %r3, %r1, 32, 0;\nmad.lo.u32 %r3, %r2, 4, %r3;\ncvt.u64.u32 %d4, %r3;\nadd.u64 %d4, %d4, %d1;\n"
        "ld.global.b32 %r4, [%d4];\nld.global.b32 %r5, [%d4+256];\nld.global.b32 %r6, [%d4+16];\nld.global.b32 %r7, "
        "[%d4+272];\n"
        "mad.lo.u32 %r3, %r1, 32, 0;\nmad.lo.u32 %r3, %r2, 4, %r3;\ncvt.u64.u32 %d5, %r3;\n"
        "add.u64 %d5, %d5, %d2;\n" /* B: columns */
        "ld.global.b32 %r8, [%d5];\nld.global.b32 %r9, [%d5+16];\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%f5, %f6, "
        "%f7, %f8};\n"
        "mad.lo.u32 %r3, %r1, 32, 0;\nmad.lo.u32 %r3, %r2, 8, %r3;\ncvt.u64.u32 %d6, %r3;\nadd.u64 %d6, %d6, %d3;\n"
        "st.global.v2.f32 [%d6], {%f1, %f2};\nst.global.v2.f32 [%d6+256], {%f3, %f4};\nret;\n}\n";
    static const uint16_t half[4] = {0, 0x3c00, 0x4000, 0x4200}; /* 0, 1, 2, 3 */
    uint16_t a[16][16], b[8][16];
    float d[16][8];
    char text[4096];
    (void)state;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 16; k++) {
            a[i][k] = half[(i + 3 * k) % 4];
            if (i < 8)
                b[i][k] = half[(2 * i + k * k) % 4];
        }
    const u64 pa = device_bytes(sizeof a), pb = device_bytes(sizeof b), pd = device_bytes(sizeof d);
    void *parameter[] = {(void *)&pa, (void *)&pb, (void *)&pd};
    snprintf(text, sizeof text, "%s%s", ".version 7.0\n.target sm_80\n.address_size 64\n", body);
    char *const zeroed = strstr(text, "mma.sync");
    char rest[1024];
    strcpy(rest, zeroed);
    sprintf(zeroed, "mov.f32 %%f5, 0f3F800000;\nmov.f32 %%f6, %%f5;\nmov.f32 %%f7, %%f5;\nmov.f32 %%f8, %%f5;\n%s", rest);
    void *const module = module_of(text);
    CHECK(cuMemcpyHtoD_v2(pa, a, sizeof a) == 0 && cuMemcpyHtoD_v2(pb, b, sizeof b) == 0);
    CHECK(cuLaunchKernel(function_of(module, "k"), 1, 1, 1, 32, 1, 1, 0, NULL, parameter, NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(d, pd, sizeof d) == 0);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            int want = 1;
            for (int k = 0; k < 16; k++)
                want += (i + 3 * k) % 4 * ((2 * j + k * k) % 4);
            if (d[i][j] != (float)want)
                FAIL("row %d, column %d: %g, not %d", i, j, d[i][j], want);
        }
    CHECK(cuModuleUnload(module) == 0 && cuMemFree_v2(pa) == 0 && cuMemFree_v2(pb) == 0 && cuMemFree_v2(pd) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions), cmocka_unit_test(refused), cmocka_unit_test(together),
                                       cmocka_unit_test(blocks_wait_for_blocks), cmocka_unit_test(matrices)};
    open_double();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
