/*
 * lists.h - the preprocessor's part of the interface: how many arguments there are, and something for each of them.
 *
 * Programs in C and C++ have it through base.h; it is also part of what compilers of devices are given.
 */
#ifndef ASHLAR_LISTS_H
#define ASHLAR_LISTS_H
#ifndef ASH__DEVICE
#include <stddef.h>
#endif

#define ASH__CAT_(a, b) a##b
#define ASH__CAT(a, b) ASH__CAT_(a, b)
#define ASH__17TH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, ...) _17
#define ASH__COUNT(...) ASH__17TH(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ASH__EACH1(m, c, x) m(c, x)
#define ASH__EACH2(m, c, x, ...) m(c, x) ASH__EACH1(m, c, __VA_ARGS__)
#define ASH__EACH3(m, c, x, ...) m(c, x) ASH__EACH2(m, c, __VA_ARGS__)
#define ASH__EACH4(m, c, x, ...) m(c, x) ASH__EACH3(m, c, __VA_ARGS__)
#define ASH__EACH5(m, c, x, ...) m(c, x) ASH__EACH4(m, c, __VA_ARGS__)
#define ASH__EACH6(m, c, x, ...) m(c, x) ASH__EACH5(m, c, __VA_ARGS__)
#define ASH__EACH7(m, c, x, ...) m(c, x) ASH__EACH6(m, c, __VA_ARGS__)
#define ASH__EACH8(m, c, x, ...) m(c, x) ASH__EACH7(m, c, __VA_ARGS__)
#define ASH__EACH9(m, c, x, ...) m(c, x) ASH__EACH8(m, c, __VA_ARGS__)
#define ASH__EACH10(m, c, x, ...) m(c, x) ASH__EACH9(m, c, __VA_ARGS__)
#define ASH__EACH11(m, c, x, ...) m(c, x) ASH__EACH10(m, c, __VA_ARGS__)
#define ASH__EACH12(m, c, x, ...) m(c, x) ASH__EACH11(m, c, __VA_ARGS__)
#define ASH__EACH13(m, c, x, ...) m(c, x) ASH__EACH12(m, c, __VA_ARGS__)
#define ASH__EACH14(m, c, x, ...) m(c, x) ASH__EACH13(m, c, __VA_ARGS__)
#define ASH__EACH15(m, c, x, ...) m(c, x) ASH__EACH14(m, c, __VA_ARGS__)
#define ASH__EACH16(m, c, x, ...) m(c, x) ASH__EACH15(m, c, __VA_ARGS__)
#define ASH__EACH(m, c, ...) ASH__CAT(ASH__EACH, ASH__COUNT(__VA_ARGS__))(m, c, __VA_ARGS__)
#endif
