#lang scribble/manual
@(require scribble/example "common.rkt" (for-label racket ashlar ashlar/unsafe))

@title[#:tag "core"]{Devices and resources}

@defmodule[ashlar/core #:no-declare]
@declare-exporting[ashlar/core ashlar #:use-sources (ashlar/private/errors ashlar/private/native ashlar/private/resources)]

@defproc[(device-count) exact-positive-integer?]{
How many devices the default backend has. That is @tt{cpu} unless @envvar{ASHLAR_DEVICE} names another one, which is looked at
once, at first use.}

@defproc[(device-names) (listof string?)]{
The names of the devices of all backends.

@examples[#:eval ev (eval:check (first (device-names)) "cpu:0")]}

@defproc[(device-resources [#:device device (or/c exact-nonnegative-integer? string?) 0]) device-resources?]{
New resources on a device, given by its number or by name.

@examples[#:eval ev
(device-resources)
(eval:check (eq? (device-resources) (device-resources)) #f)
(eval:error (device-resources #:device -1))
(eval:error (device-resources #:device "gpu"))]}

@defproc[(device-resources? [v any/c]) boolean?]{
Is @racket[v] resources, released or not?}

@defproc[(resources-device [resources device-resources?]) exact-nonnegative-integer?]{
The number of their device; of released resources too.}

@defproc[(resources-device-name [resources device-resources?]) string?]{
The name of their device, @racket["cpu:0"]; of released resources too.}

@defproc[(resources-sync! [resources device-resources?]) void?]{
Waits until all work on their queue is done. The queue is looked at 16 times in a row, then every 10 µs, 20 µs and so on up to
every millisecond; other threads run meanwhile. A break ends the wait, and so does another thread that releases the resources.}

@defproc[(current-device-resources [device (or/c exact-nonnegative-integer? string?) 0]) device-resources?]{
The default resources of this thread on a device, made when they are first asked for. A new thread has none of its
creator's.

@examples[#:eval ev
(eval:check (eq? (current-device-resources) (current-device-resources 0)) #t)
(define channel (make-channel))
(void (thread (lambda () (channel-put channel (current-device-resources)))))
(eval:check (eq? (channel-get channel) (current-device-resources)) #f)]}

@defform[(with-device-resources ([id expr] ...) body ...+)]{
Binds each @racket[id] to the resources that its @racket[expr] gives, in order as @racket[let*] does, and releases them, the last
first, when the body is left: by returning, an error, an escape, a break. Resources are released once, however often they were
bound. The body cannot be entered again.

Arrays made with released resources stay good and keep the queue.

@examples[#:eval ev
(define-values (m c)
  (with-device-resources ([r (device-resources)])
    (define m (list*->device-matrix '((1 2) (3 4)) #:resources r))
    (values m (contiguous m #:layout 'col-major))))
(eval:check (device-matrix->list* c) '((1 2) (3 4)))
(define released (with-device-resources ([r (device-resources)]) r))
released
(eval:error (device-vector 3 #:resources released))]}

@defstruct*[(exn:fail:ashlar exn:fail) ([kind symbol?])]{
What the procedures of this package raise. The message is the procedure's name, a colon and the cause; @racket[kind] is
@|kinds|. Arguments of another kind altogether, a list where an array belongs, raise @racket[exn:fail:contract].}

@section{Versions}

@defproc[(ashlar-version) string?]{
The version of the C library that was loaded.}

@defproc[(ashlar-abi) hash?]{
What this package and the library agreed on: @racket['abi-version], @racket['version] (of the headers that the package was written
for), @racket['max-rank] (of the library), @racket['view-size] (bytes), @racket['backends] (those that were built in).

@examples[#:eval ev
(ashlar-abi)]}

The library is the file that @envvar{ASHLAR_LIBRARY} gives the path of; else @tt{libashlar.so} in the folder of this collection,
in @tt{native} there, or in the build folder of the sources around it; else what the system's loader finds. When there is none,
the error says where it was looked for.
