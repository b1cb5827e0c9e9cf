#lang scribble/manual
@(require scribble/example "common.rkt" (for-label racket (except-in ffi/unsafe ->) ashlar ashlar/unsafe))

@title[#:tag "unsafe"]{For C code}

@defmodule[ashlar/unsafe #:no-declare]
@declare-exporting[ashlar/unsafe #:use-sources (ashlar/private/native)]

Pointers are not checked: what is done through them can end the process.

@defproc[(ashlar-abi-pointer) cpointer?]{
The static record of the C library that @tt{ash_abi} gives; its first field, a 32-bit integer, is the number of the ABI. C code
compares it with @tt{ASH_ABI} of the headers it was compiled with.

@examples[#:eval ev
(eval:check (= (ptr-ref (ashlar-abi-pointer) _int32 0) (hash-ref (ashlar-abi) 'abi-version)) #t)]}

@defproc[(resources->handle-pointer [resources device-resources?]) cpointer?]{
The library's resources, an @tt{ash_resources *}, the same each time. The pointer is borrowed: it keeps nothing alive.}

@defproc[(status-checker [last-error (-> (or/c bytes? string?))] [last-error-kind (-> (or/c exact-integer? symbol?))]
                         [#:exn constructor (-> string? continuation-mark-set? symbol? exn?) exn:fail:ashlar])
         (-> symbol? (-> any) any)]{
A procedure of a name and a thunk. It calls the thunk once, whose first value is a status. When that is 0, the other values are
returned; otherwise it raises what the two readers say of the failure: its text, and its kind, 0 @racket['generic],
1 @racket['out-of-memory], 2 @racket['cuda], 3 @racket['logic], or a symbol. All of this is one atomic step, so that no other
thread takes the error.

@examples[#:eval ev
(define check (status-checker (lambda () #"X: expected float32") (lambda () 3)))
(eval:check (call-with-values (lambda () (check 'fit (lambda () (values 0 'a 'b)))) list) '(a b))
(eval:error (check 'fit (lambda () 1)))]}

@defform[(with-array-views maybe-resources ([id array-expr] ...) body ...+)
         #:grammar ([maybe-resources (code:line) (code:line #:resources [handle-id resources-expr])])]{
Waits for each array, binds its @racket[id] to a pointer to a view, and @racket[handle-id] to the pointer of the resources. Where
@racket[array-expr] gives @racket[#f], @racket[id] is @racket[#f]. Arrays and resources live until the body is left; then the
views are cleared. Nothing waits for what C code may have queued. The body cannot be entered again.

The view is a struct of 152 bytes, @tt{ashlar_view} in @filepath{view.h} of this collection:

@tabular[#:style 'boxed #:sep @hspace[2] #:row-properties '(bottom-border ())
(list (list @bold{bytes} @bold{type} @bold{field})
      (list "0" @tt{void *} @elem{@tt{data}: the first element})
      (list "8" @tt{int32_t} @elem{@tt{dtype}: 0 float32, 1 float64, 2 int32, 3 int64})
      (list "12" @tt{int32_t} @elem{@tt{memory}: 1, the host reads and writes it; -1 when cleared})
      (list "16" @tt{int32_t} @elem{@tt{device}: its number; -1 when cleared})
      (list "20" @tt{int32_t} @tt{rank})
      (list "24" @tt{int64_t[8]} @elem{@tt{shape}; 0 beyond the rank})
      (list "88" @tt{int64_t[8]} @elem{@tt{strides}, in elements; 0 beyond the rank}))]

An array in private memory of a device that is not the processor has no address, so no view: that is an error. Arrays are in
shared memory unless @envvar{ASHLAR_STORAGE} is @tt{private}.

@examples[#:eval ev
(define m (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'int32 #:layout 'col-major))
(eval:check (with-array-views ([v m])
              (for/list ([i 6]) (ptr-ref (ptr-ref v _pointer) _int32 i)))
            '(1 4 2 5 3 6))]}
