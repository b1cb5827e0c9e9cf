#lang scribble/manual
@(require scribble/example "common.rkt" (for-label racket racket/flonum (only-in math/array array?) (only-in math/matrix matrix?) ffi/vector ashlar ashlar/compat))
@(define cev (let ([e (make-base-eval #:lang 'racket '(require ashlar ashlar/compat racket/flonum ffi/vector
                                                             (only-in math/array array flarray)
                                                             (only-in math/matrix matrix col-matrix matrix-norm)))]) e))

@title[#:tag "compat"]{Other containers}

@defmodule[ashlar/compat]

The conversions of @racketmodname[ashlar/array], and more by the same rules. This module loads @racketmodname[math/array] and
@racketmodname[math/matrix], which takes a moment.

@section{Vectors and nested data}

@deftogether[(@defproc[(vector->device-vector [xs (vectorof real?)] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(device-vector->vector [v device-vector?]) (vectorof real?)]
              @defproc[(vector*->device-matrix [rows (vectorof (vectorof real?))] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-matrix?]
              @defproc[(device-matrix->vector* [m device-matrix?]) (vectorof (vectorof real?))])]{
Vectors come back mutable.

@examples[#:eval cev
(eval:check (device-vector->vector (vector->device-vector #(1/2 3))) (vector 0.5 3.0))
(eval:check (device-matrix->vector* (vector*->device-matrix #(#(1 2) #(3 4)))) (vector (vector 1 2) (vector 3 4)))
(eval:error (vector*->device-matrix #(#(1.0 2.0) #(3.0))))]}

@deftogether[(@defproc[(list*->device-array [xs list?] [#:dtype dtype (or/c symbol? #f) #f] [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-array?]
              @defproc[(vector*->device-array [xs vector?] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-array?]
              @defproc[(device-array->list* [a device-array?]) list?]
              @defproc[(device-array->vector* [a device-array?]) vector?])]{
Numbers make a vector, rows of numbers a matrix. Rows are lists or vectors, as they come.

@examples[#:eval cev
(eval:check (shape (list*->device-array '(0.5 1.5))) '(2))
(eval:check (shape (list*->device-array '(#(1 2) (3 4)))) '(2 2))
(eval:error (list*->device-array '(1.0 (2.0 3.0))))
(eval:error (list*->device-array '(((1 2) (3 4)))))]}

@section{Numeric vectors and bytes}

@deftogether[(@defproc[(f32vector->device-vector [xs f32vector?] [#:dtype dtype symbol? 'float32]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(f64vector->device-vector [xs f64vector?] [#:dtype dtype symbol? 'float64]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(device-vector->f32vector [v device-vector?]) f32vector?]
              @defproc[(device-vector->f64vector [v device-vector?]) f64vector?])]{
A block of the same element type is copied as it is.

@examples[#:eval cev
(f64vector->device-vector (f64vector 21.5 21.75 22.0 22.5) #:dtype 'float32)
(eval:error (device-vector->f32vector (vector->device-vector #(1e300))))]}

@deftogether[(@defproc[(bytes->device-vector [bs bytes?] [#:dtype dtype symbol?]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(device-vector->bytes [v device-vector?]) bytes?])]{
The bytes of the elements, in the order of this machine.

@examples[#:eval cev
(eval:check (device-vector->bytes (vector->device-vector #(1 2) #:dtype 'int32)) #"\1\0\0\0\2\0\0\0")
(eval:error (bytes->device-vector (make-bytes 6) #:dtype 'float32))]}

@section{Arrays and matrices of the math library}

@deftogether[(@defproc[(matrix->device-matrix [m matrix?] [#:dtype dtype (or/c symbol? #f) #f] [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-matrix?]
              @defproc[(matrix->device-vector [m matrix?] [#:dtype dtype (or/c symbol? #f) #f]
                        [#:resources resources device-resources? (current-device-resources)]) device-vector?]
              @defproc[(array->device-array [a array?] [#:dtype dtype (or/c symbol? #f) #f] [#:layout layout symbol? 'row-major]
                        [#:resources resources device-resources? (current-device-resources)]) device-array?])]{
Arrays of any kind are taken; the data of a flonum array is copied as a block. A vector is made of a row or a column.

@examples[#:eval cev
(matrix->device-matrix (matrix [[1.0 2.0] [3.0 4.0]]))
(matrix->device-vector (col-matrix [1 2 3]))
(eval:error (matrix->device-vector (matrix [[1 2] [3 4]])))
(eval:error (array->device-array (array 5)))]}

@deftogether[(@defproc[(device-matrix->matrix [m device-matrix?]) array?]
              @defproc[(device-array->array [a device-array?]) array?]
              @defproc[(device-vector->col-matrix [v device-vector?]) array?]
              @defproc[(device-vector->row-matrix [v device-vector?]) array?])]{
Float elements give a flonum array, integer elements a mutable array of exact integers. A matrix with an extent of 0 comes back
as an array that @racket[matrix?] says no to.

@examples[#:eval cev
(device-matrix->matrix (matrix->device-matrix (matrix [[1.0 2.0] [3.0 4.0]])))
(eval:check (matrix-norm (device-vector->col-matrix (vector->device-vector #(3.0 4.0)))) 5.0)]}
