/* checkers.h - which sanitizer this program is built with, as gcc and clang say it. */
#ifndef CHECKERS_H
#define CHECKERS_H
#if defined(__has_feature)
#define CHECKER_BUILT_IN(x) __has_feature(x)
#else
#define CHECKER_BUILT_IN(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || CHECKER_BUILT_IN(address_sanitizer)
#define ADDRESS_SANITIZER 1
#else
#define ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__) || CHECKER_BUILT_IN(thread_sanitizer)
#define THREAD_SANITIZER 1
#else
#define THREAD_SANITIZER 0
#endif
#endif
