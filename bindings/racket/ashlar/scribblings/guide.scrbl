#lang scribble/manual
@(require scribble/example "common.rkt" (for-label racket racket/flonum ashlar ashlar/compat ashlar/unsafe))

@title[#:tag "guide"]{Guide}

@section{Fisher's irises in three clusters}

The module @racketmodfont{ashlar/examples/kmeans} reads a CSV file into a matrix and clusters its rows. It is all of this:

@(typeset-code #:context #'here kmeans-text)

The measurements of 150 flowers are a matrix; the centres come back as another one and the labels as a vector.

@examples[#:eval ev #:label #f
(define X (read-measurements iris.csv))
X
(define-values (centres labels inertia) (k-means X 3))
centres
inertia
(eval:check (for/list ([c 3]) (count (lambda (l) (= l c)) (device-vector->list labels))) '(50 62 38))]

The same as a program: @exec{racket -l ashlar/examples/kmeans}.

@section{Making arrays, and what they are}

@racket[device-matrix] and @racket[device-vector] make arrays whose elements are not yet anything. An array knows its shape, its
element type, its order in memory, and how many elements lie between one and the next along each axis.

@examples[#:eval ev #:label #f
(define m (device-matrix 1000 4 #:dtype 'float64 #:layout 'col-major))
(eval:check (list (shape m) (dtype m) (layout m) (strides m) (numel m)) '((1000 4) float64 col-major (1 1000) 4000))
(eval:check (device-vector? (device-vector 5)) #t)]

An array that counts as both, such as a column, says @racket['row-major]; @racket[contiguous?] asks about either order, and
@racket[contiguous] copies only what has to be.

@examples[#:eval ev #:label #f
(define column (device-matrix 5 1 #:layout 'col-major))
(eval:check (list (layout column) (contiguous? column #:layout 'col-major)) '(row-major #t))
(eval:check (eq? (contiguous column) column) #t)
(contiguous (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'int32) #:layout 'col-major)]

@section{Racket's numbers there and back}

Without @racket[#:dtype] exact integers give @racket['int64] and everything else @racket['float64]. Floats are rounded to nearest;
integer types take the part before the point. What a type cannot hold is an error that names the value.

@examples[#:eval ev #:label #f
(eval:check (dtype (list->device-vector '(1 2 3))) 'int64)
(eval:check (device-vector->list (list->device-vector '(1/2 1/4 3))) '(0.5 0.25 3.0))
(eval:check (device-vector->list (list->device-vector '(0.7 -1.5) #:dtype 'int32)) '(0 -1))
(eval:error (list->device-vector '(3000000000) #:dtype 'int32))
(eval:error (list*->device-matrix '((1 2 3) (4 5 6) (7 8))))
(eval:check (device-vector->list (list->device-vector '(0.1) #:dtype 'float32)) '(0.10000000149011612))]

Blocks of numbers that already lie in memory as the array wants them, flvectors as @racket['float64] and the numeric vectors and
byte strings of @racketmodname[ashlar/compat], are copied at once; lists and vectors are packed first, which takes some fifty
times as long.

@section{Devices and resources}

A @deftech{device} is the processor, @racket["cpu:0"], or another one that the library found, such as @racket["opencl:0"].
@deftech{Resources} are a device with a queue of work. Each thread has default ones, and arrays are made with them unless others
are given. The environment variable @envvar{ASHLAR_DEVICE} chooses the backend that devices are numbered in.

@examples[#:eval ev #:label #f
(eval:check (and (member "cpu:0" (device-names)) #t) #t)
(current-device-resources)
(with-device-resources ([r (device-resources #:device "cpu:0")])
  (define v (list->device-vector '(1 2) #:resources r))
  (resources-sync! r)
  (device-vector->list v))]

@racket[with-device-resources] gives resources back when its body is left, however that happens. Arrays made with them stay
good. Arrays themselves are given back by the collector, which counts the memory that they hold: a program that drops arrays
in a loop stays as small as one that drops vectors.

What reads elements waits for the queue: reading back, printing, @racket[resources-sync!] and @racket[with-array-views]. A wait
looks at the queue now and then, lets other threads run meanwhile, and ends with a break.

@section{Errors}

Every error has the name of the procedure that was called and says what was met and what was wanted.
@racket[exn:fail:ashlar-kind] tells kinds apart: @|kinds|.

@examples[#:eval ev #:label #f
(eval:error (device-matrix 2 2 #:dtype 'float16))
(eval:check (with-handlers ([exn:fail:ashlar? exn:fail:ashlar-kind])
              (device-matrix (expt 2 26) (expt 2 26)))
            'out-of-memory)]

@section[#:tag "native"]{C code of one's own}

The collection @tt{column-means} beside this one, in the library's sources, is a package of one procedure on a C library of one
function. It shows all that such a package needs: a check of the ABI when it is loaded, views of arrays, an array that may be
left out, errors taken in the same atomic step, and an exception of its own.
