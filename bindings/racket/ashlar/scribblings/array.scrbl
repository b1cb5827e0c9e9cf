#lang scribble/manual
@(require scribble/example "common.rkt" (for-label racket racket/flonum ashlar ashlar/compat))

@title[#:tag "array"]{Arrays}

@defmodule[ashlar/array #:no-declare]
@declare-exporting[ashlar/array ashlar ashlar/compat #:use-sources (ashlar/private/array ashlar/private/convert)]

The element types are @racket['float32], @racket['float64], @racket['int32] and @racket['int64]; the layouts
@racket['row-major] and @racket['col-major].

@section{Making and looking}

@defproc[(device-matrix [rows exact-nonnegative-integer?] [columns exact-nonnegative-integer?]
                        [#:dtype dtype symbol? 'float32] [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-matrix?]{
A new matrix; its elements are not set.

@examples[#:eval ev
(eval:check (strides (device-matrix 2 3)) '(3 1))
(eval:check (strides (device-matrix 2 3 #:layout 'col-major)) '(1 2))
(eval:error (device-matrix -2 2))]}

@defproc[(device-vector [n exact-nonnegative-integer?] [#:dtype dtype symbol? 'float32]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]{
A new vector; its elements are not set.}

@deftogether[(@defproc[(device-array? [v any/c]) boolean?]
              @defproc[(device-matrix? [v any/c]) boolean?]
              @defproc[(device-vector? [v any/c]) boolean?])]{
Is @racket[v] an array, one with two axes, one with one axis?}

@deftogether[(@defproc[(shape [a device-array?]) (listof exact-nonnegative-integer?)]
              @defproc[(strides [a device-array?]) (listof exact-nonnegative-integer?)]
              @defproc[(dtype [a device-array?]) symbol?]
              @defproc[(layout [a device-array?]) symbol?]
              @defproc[(numel [a device-array?]) exact-nonnegative-integer?])]{
The extents; how many elements it is from one to the next along each axis; the element type; the order in memory; how many
elements there are. None of these waits. An array without elements has strides of 0. One that is in both orders has the
layout @racket['row-major].

@examples[#:eval ev
(define X (list*->device-matrix '((5.1 3.5) (4.9 3.0) (7.0 3.2)) #:dtype 'float32))
(eval:check (list (shape X) (strides X) (dtype X) (layout X) (numel X)) '((3 2) (2 1) float32 row-major 6))
(eval:check (strides (device-matrix 0 4)) '(0 0))]}

@defproc[(contiguous? [a device-array?] [#:layout layout symbol? 'row-major]) boolean?]{
Is the array in this order? A vector, a single row or column, and an array without elements are in both.}

@defproc[(contiguous [a device-array?] [#:layout layout symbol? 'row-major]) device-array?]{
The array in this order: itself if it is, else a copy, made on its own queue.

@examples[#:eval ev
(eval:check (eq? (contiguous X) X) #t)
(contiguous X #:layout 'col-major)
(eval:error (contiguous X #:layout 'fortran))]}

@section{Lists and flvectors}

Elements that are given without @racket[#:dtype] are @racket['int64] when all are exact integers and there is one, else
@racket['float64]. Into @racket['float64] a number is rounded to the nearest double, into @racket['float32] that double once more;
a finite one must stay finite. Integer types take the part before the point, which must be in their range. Float elements come back
as flonums, integer elements as exact integers.

@deftogether[(@defproc[(list->device-vector [xs (listof real?)] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(device-vector->list [v device-vector?]) (listof real?)])]{
@examples[#:eval ev
(eval:check (device-vector->list (list->device-vector '(1.7 -1.7 5/2) #:dtype 'int64)) '(1 -1 2))
(list->device-vector (range 2000))
(eval:error (list->device-vector '(1 2+3i)))
(eval:error (list->device-vector '(+nan.0) #:dtype 'int64))]}

@deftogether[(@defproc[(list*->device-matrix [rows (listof (listof real?))] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-matrix?]
              @defproc[(device-matrix->list* [m device-matrix?]) (listof (listof real?))])]{
Rows of equal lengths; they come back as rows whatever the layout.

@examples[#:eval ev
(eval:check (device-matrix->list* (list*->device-matrix '((1 2) (3 4)) #:layout 'col-major)) '((1 2) (3 4)))
(eval:check (shape (list*->device-matrix '(() ()))) '(2 0))]}

@deftogether[(@defproc[(flvector->device-vector [xs flvector?] [#:dtype dtype symbol? 'float64]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(device-vector->flvector [v device-vector?]) flvector?])]{
@examples[#:eval ev
(flvector->device-vector (for/flvector ([i 5]) (flsqrt (->fl i))) #:dtype 'float32)
(eval:check (device-vector->flvector (list->device-vector '(1 2 3))) (flvector 1.0 2.0 3.0))]}

@section{Printing}

An array prints with its kind, element type, extents, layout, device and elements; an axis of more than 20, or of more than 6 in an
array of more than 1000 elements, shows its first and last three, and only those are read. Floats are the shortest decimals that
are the same element again, but of two digits at least. Printing never raises: what could not be read is said in its place.

@examples[#:eval ev
(list*->device-matrix (for/list ([i 40]) (for/list ([j 30]) (+ (* 100 i) j))) #:layout 'col-major)
(list->device-vector '(1/3 100000 1e-10) #:dtype 'float32)]
