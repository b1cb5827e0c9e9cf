/*
 * fiber.c - stacks of their own for the work-items of a group that wait for one another.
 *
 * A switch saves the registers that a call keeps and changes the stack pointer: a few nanoseconds, where swapcontext asks the
 * system for the signal mask each time. That is for x86-64; other machines take swapcontext. A fiber stays on the thread it
 * began on. Stacks are mapped once for a set, and its pages become real when they are touched; sets are kept.
 */
#include "backend/cpu/fiber.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/alloc.h"

#if defined(__x86_64__) && !defined(ASH__FIBER_PORTABLE)
#define ASH__FIBER_FAST 1
#else
#define ASH__FIBER_FAST 0
#include <ucontext.h>
#endif
#ifdef __SANITIZE_THREAD__
#define THREAD_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_CHECKED 1
#endif
#endif
#ifdef THREAD_CHECKED
#include <sanitizer/tsan_interface.h>
#endif

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(LOW, TOP) ((void)0)
#endif

enum { STAGGER = 192, STAGGERED = 64 }; /* tops of stacks are not all at the same places of the cache */

typedef struct fiber {
#if ASH__FIBER_FAST
    void *stack_pointer;
#else
    ucontext_t context;
#endif
    void (*entry)(void *context);
    void *argument;
    void *checked; /* the thread sanitizer's */
} fiber;

struct ash__fiber_set {
    ash__fiber_set *next; /* of those that nobody uses */
    char *stacks;
    int ready; /* stacks that can be written */
    fiber fiber[ASH__FIBERS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ash__fiber_set *unused;

/* ---- sets */

static ash__fiber_set *new_set(void)
{
    if (ash__allocation_fails())
        return NULL;
    const size_t nbytes = (size_t)ASH__FIBERS * ASH__FIBER_STACK;
    ash__fiber_set *const set = calloc(1, sizeof *set);
    char *const stacks = set ? mmap(NULL, nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    if (stacks == MAP_FAILED) {
        free(set);
        return NULL;
    }
    set->stacks = stacks;
    return set;
}

ash__fiber_set *ash__fibers_take(void)
{
    pthread_mutex_lock(&lock);
    ash__fiber_set *const set = unused;
    if (set)
        unused = set->next;
    pthread_mutex_unlock(&lock);
    return set ? set : new_set();
}

void ash__fibers_give(ash__fiber_set *set)
{
    pthread_mutex_lock(&lock);
    set->next = unused;
    unused = set;
    pthread_mutex_unlock(&lock);
}

/* ---- switching */

static void begin(fiber *f) /* on its own stack */
{
    f->entry(f->argument);
    abort(); /* not reached */
}

#if ASH__FIBER_FAST
/* Saves the callee's registers of the System V ABI on the stack, and that in *from; goes on where `to` was saved. */
void ash__fiber_jump(void **from, void *to) __attribute__((visibility("hidden")));
__asm__(".pushsection .text\n"
        ".global ash__fiber_jump\n"
        ".hidden ash__fiber_jump\n"
        ".type ash__fiber_jump, @function\n"
        "ash__fiber_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size ash__fiber_jump, . - ash__fiber_jump\n"
        /* where a new fiber begins: what it is was put into rbx */
        ".type ash__fiber_first, @function\n"
        "ash__fiber_first:\n"
        "    movq %rbx, %rdi\n"
        "    callq *%r12\n"
        "    ud2\n"
        ".size ash__fiber_first, . - ash__fiber_first\n"
        ".popsection\n");
void ash__fiber_first(void) __attribute__((visibility("hidden")));

static void prepare(fiber *f, char *low, char *top)
{
    (void)low;
    void **const stack = (void **)(void *)top;
    /* from below: r15 r14 r13 r12 rbx rbp, the address to return to; there the stack is at a multiple of 16 */
    stack[-3] = (void *)(uintptr_t)ash__fiber_first;
    stack[-4] = NULL;
    stack[-5] = f;
    stack[-6] = (void *)(uintptr_t)begin;
    f->stack_pointer = &stack[-9];
}

static void jump(fiber *from, fiber *to)
{
    ash__fiber_jump(&from->stack_pointer, to->stack_pointer);
}
#else
static void begin_halves(unsigned high, unsigned low) /* makecontext passes integers */
{
    begin((fiber *)(uintptr_t)((uint64_t)high << 32 | low));
}

static void prepare(fiber *f, char *low, char *top)
{
    const uint64_t address = (uintptr_t)f;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = low;
    f->context.uc_stack.ss_size = (size_t)(top - low);
    f->context.uc_link = NULL;
    makecontext(&f->context, (void (*)(void))(uintptr_t)begin_halves, 2, (unsigned)(address >> 32), (unsigned)address);
}

static void jump(fiber *from, fiber *to)
{
    swapcontext(&from->context, &to->context);
}
#endif

void ash__fiber_start(ash__fiber_set *set, int k, void (*entry)(void *context), void *context)
{
    fiber *const f = &set->fiber[k];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const low = set->stacks + (size_t)k * ASH__FIBER_STACK + page, *const top = low - page + ASH__FIBER_STACK;
    for (; set->ready <= k; set->ready++) { /* the same access is never taken away again */
        char *const stack = set->stacks + (size_t)set->ready * ASH__FIBER_STACK;
        mprotect(stack + page, ASH__FIBER_STACK - page, PROT_READ | PROT_WRITE);
        (void)VALGRIND_STACK_REGISTER(stack + page, stack + ASH__FIBER_STACK - 1); /* else it takes switches for faults */
    }
    f->entry = entry;
    f->argument = context;
    prepare(f, low, top - k % STAGGERED * STAGGER);
#ifdef THREAD_CHECKED
    if (!f->checked)
        f->checked = __tsan_create_fiber(0);
#endif
}

void ash__fiber_switch(ash__fiber_set *set, int from, int to)
{
#ifdef THREAD_CHECKED
    if (from == 0)
        set->fiber[0].checked = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(set->fiber[to].checked, 0);
#endif
    jump(&set->fiber[from], &set->fiber[to]);
}
