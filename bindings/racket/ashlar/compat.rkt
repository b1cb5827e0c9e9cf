#lang racket/base
;; compat.rkt - arrays from and to Racket's other sequences of numbers: vectors, nested data, numeric vectors, bytes, math/array.
(require (only-in ffi/unsafe flvector->cpointer)
         ffi/vector
         racket/fixnum
         racket/flonum
         racket/list
         racket/math
         (only-in math/array
                  array? array-dims array-shape array->vector flarray-data mutable-array? mutable-array-data unsafe-flarray
                  vector->array)
         (only-in math/matrix matrix?)
         "array.rkt"
         "private/array.rkt"
         "private/convert.rkt"
         "private/errors.rkt"
         "private/resources.rkt")
(provide list->device-vector
         device-vector->list
         list*->device-matrix
         device-matrix->list*
         flvector->device-vector
         device-vector->flvector
         vector->device-vector
         device-vector->vector
         vector*->device-matrix
         device-matrix->vector*
         list*->device-array
         vector*->device-array
         device-array->list*
         device-array->vector*
         f32vector->device-vector
         f64vector->device-vector
         device-vector->f32vector
         device-vector->f64vector
         bytes->device-vector
         device-vector->bytes
         matrix->device-matrix
         array->device-array
         matrix->device-vector
         device-matrix->matrix
         device-array->array
         device-vector->col-matrix
         device-vector->row-matrix)

(define (check who ok? what v)
  (unless ok?
    (raise-argument-error who what v)))

;; ---- vectors
(define ((walk-vector xs) f) (for ([x (in-vector xs)]) (f x)))

(define (vector->device-vector xs #:dtype [dtype #f] #:resources [resources (current-device-resources)])
  (check 'vector->device-vector (vector? xs) "vector?" xs)
  (walk->array 'vector->device-vector (walk-vector xs) (list (vector-length xs)) dtype 'row-major resources))

(define (device-vector->vector v)
  (check-vector 'device-vector->vector v)
  (read-vector 'device-vector->vector v build-vector))

(define (vector*->device-matrix rows #:dtype [dtype #f] #:layout [layout 'row-major]
                                #:resources [resources (current-device-resources)])
  (check 'vector*->device-matrix (and (vector? rows) (for/and ([row (in-vector rows)]) (vector? row))) "(vectorof vector?)" rows)
  (define shape (check-rows 'vector*->device-matrix (vector->list rows) vector-length))
  (define (walk f)
    (for* ([row (in-vector rows)] [x (in-vector row)])
      (f x)))
  (walk->array 'vector*->device-matrix walk shape dtype layout resources))

(define (device-matrix->vector* m)
  (check-matrix 'device-matrix->vector* m)
  (read-rows 'device-matrix->vector* m build-vector))

;; ---- nested data, of lists and vectors alike
(define (row? v) (or (list? v) (vector? v)))
(define (row-size row) (if (list? row) (length row) (vector-length row)))
(define (row-kind row) (if (list? row) "list" "vector"))
(define (first-of row) (if (list? row) (car row) (vector-ref row 0)))
(define (elements row) (if (list? row) row (vector->list row)))

;; How deep the first elements nest.
(define (rank-of v)
  (cond
    [(not (row? v)) 0]
    [(zero? (row-size v)) 1]
    [else (add1 (rank-of (first-of v)))]))

(define (check-rank who n)
  (unless (<= 1 n 2)
    (refuse who "rank ~a is not supported; rank 1 and 2 convert" n)))

(define (nested->array who data dtype layout resources)
  (define rank (rank-of data))
  (check-rank who rank)
  (define xs (elements data))
  (define shape (if (= rank 1) (vector-shape who xs) (matrix-shape who xs)))
  (define (walk f)
    (if (= rank 1)
        (for-each f xs)
        (for ([row (in-list xs)])
          (if (list? row) (for-each f row) (for ([x (in-vector row)]) (f x))))))
  (walk->array who walk shape dtype layout resources))

(define (vector-shape who xs)
  (for ([x (in-list xs)] [i (in-naturals)] #:when (row? x))
    (refuse who "element ~a is a ~a, but element 0 is not: ~e" i (row-kind x) x))
  (list (length xs)))

(define (matrix-shape who rows)
  (for ([row (in-list rows)] [i (in-naturals)] #:unless (row? row))
    (refuse who "row ~a is not a ~a, but row 0 is: ~e" i (row-kind (car rows)) row))
  (check-rows who rows row-size))

(define (list*->device-array xs #:dtype [dtype #f] #:layout [layout 'row-major]
                             #:resources [resources (current-device-resources)])
  (check 'list*->device-array (list? xs) "list?" xs)
  (nested->array 'list*->device-array xs dtype layout resources))

(define (vector*->device-array xs #:dtype [dtype #f] #:layout [layout 'row-major]
                               #:resources [resources (current-device-resources)])
  (check 'vector*->device-array (vector? xs) "vector?" xs)
  (nested->array 'vector*->device-array xs dtype layout resources))

(define (read-nested who a collect)
  (check who (device-array? a) "device-array?" a)
  ((if (device-vector? a) read-vector read-rows) who a collect))

(define (device-array->list* a) (read-nested 'device-array->list* a collect-list))
(define (device-array->vector* a) (read-nested 'device-array->vector* a build-vector))

;; ---- numeric vectors and bytes: blocks
(define (f32vector->device-vector xs #:dtype [dtype 'float32] #:resources [resources (current-device-resources)])
  (check 'f32vector->device-vector (f32vector? xs) "f32vector?" xs)
  (define n (f32vector-length xs))
  (define (walk f) (for ([i (in-range n)]) (f (f32vector-ref xs i))))
  (block->array 'f32vector->device-vector (f32vector->cpointer xs) 'float32 walk (list n) dtype 'row-major resources))

(define (f64vector->device-vector xs #:dtype [dtype 'float64] #:resources [resources (current-device-resources)])
  (check 'f64vector->device-vector (f64vector? xs) "f64vector?" xs)
  (define n (f64vector-length xs))
  (define (walk f) (for ([i (in-range n)]) (f (f64vector-ref xs i))))
  (block->array 'f64vector->device-vector (f64vector->cpointer xs) 'float64 walk (list n) dtype 'row-major resources))

;; Floats are read as a block; where one does not fit, or for integers, which become doubles first so that they are rounded twice
;; as on the way in, one by one.
(define (device-vector->f32vector v)
  (define who 'device-vector->f32vector)
  (check-vector who v)
  (define n (numel v))
  (define to (make-f32vector n))
  (define (one-by-one)
    (for ([x (in-flvector (read-floats who v))] [i (in-naturals)])
      (when (and (fl>= (flabs x) (float-limit 'float32)) (not (infinite? x)))
        (refuse who "~e does not fit float32" x))
      (f32vector-set! to i x)))
  (define (refused? e)
    (and (exn:fail:ashlar? e) (not (device-array-released? v)) (eq? (exn:fail:ashlar-kind e) 'logic)))
  (if (float-dtype? (dtype v))
      (with-handlers ([refused? (lambda (e) (one-by-one))])
        (read-into who v (f32vector->cpointer to) (fx* 4 n) 'float32))
      (one-by-one))
  to)

(define (device-vector->f64vector v)
  (define who 'device-vector->f64vector)
  (check-vector who v)
  (define to (make-f64vector (numel v)))
  (read-into who v (f64vector->cpointer to) (fx* 8 (numel v)) 'float64)
  to)

(define (bytes->device-vector bs #:dtype dtype #:resources [resources (current-device-resources)])
  (define who 'bytes->device-vector)
  (check who (bytes? bs) "bytes?" bs)
  (define size (if (known-dtype? dtype) (dtype-size dtype) 1))
  (define-values (n rest) (quotient/remainder (bytes-length bs) size))
  (unless (zero? rest)
    (refuse who "~a bytes do not hold a whole number of ~a-byte ~a elements" (bytes-length bs) size dtype))
  (check-making who resources dtype 'row-major)
  (host->array who bs dtype (list n) dtype 'row-major resources))

(define (device-vector->bytes v)
  (define who 'device-vector->bytes)
  (check-vector who v)
  (define to (make-bytes (fx* (dtype-size (dtype v)) (numel v))))
  (read-into who v to (bytes-length to) (dtype v))
  to)

;; ---- math/array and math/matrix
;; The data of a flonum array, for which there is no predicate; #f for another one, which the error must not print.
(define (flonums-of a)
  (with-handlers ([exn:fail:contract? (lambda (e) #f)])
    (parameterize ([error-value->string-handler (lambda (v width) "")])
      (flarray-data a))))

(define (math->array who a shape dtype layout resources)
  (define xs (flonums-of a))
  (cond
    [xs
     (define (walk f) (for ([x (in-flvector xs)]) (f x)))
     (block->array who (flvector->cpointer xs) 'float64 walk shape (or dtype 'float64) layout resources)]
    [else
     (define elements (if (mutable-array? a) (mutable-array-data a) (array->vector a)))
     (walk->array who (walk-vector elements) shape dtype layout resources)]))

(define (shape-of a) (vector->list (array-shape a)))

(define (array->device-array a #:dtype [dtype #f] #:layout [layout 'row-major]
                             #:resources [resources (current-device-resources)])
  (check 'array->device-array (array? a) "array?" a)
  (check-rank 'array->device-array (array-dims a))
  (math->array 'array->device-array a (shape-of a) dtype layout resources))

(define (matrix->device-matrix m #:dtype [dtype #f] #:layout [layout 'row-major]
                               #:resources [resources (current-device-resources)])
  (check 'matrix->device-matrix (matrix? m) "matrix?" m)
  (math->array 'matrix->device-matrix m (shape-of m) dtype layout resources))

(define (matrix->device-vector m #:dtype [dtype #f] #:resources [resources (current-device-resources)])
  (check 'matrix->device-vector (matrix? m) "matrix?" m)
  (define sizes (shape-of m))
  (unless (memv 1 sizes)
    (refuse 'matrix->device-vector "a ~a×~a matrix is neither a row nor a column matrix" (first sizes) (second sizes)))
  (math->array 'matrix->device-vector m (list (apply * sizes)) dtype 'row-major resources))

;; A flonum array of floats, a mutable array of exact integers.
(define (array->math who a shape)
  (define sizes (list->vector shape))
  (if (float-dtype? (dtype a))
      (unsafe-flarray sizes (read-floats who a))
      (vector->array sizes (read-vector who a build-vector))))

(define (device-array->array a)
  (check 'device-array->array (device-array? a) "device-array?" a)
  (array->math 'device-array->array a (shape a)))

(define (device-matrix->matrix m)
  (check-matrix 'device-matrix->matrix m)
  (array->math 'device-matrix->matrix m (shape m)))

(define (device-vector->col-matrix v)
  (check-vector 'device-vector->col-matrix v)
  (array->math 'device-vector->col-matrix v (list (numel v) 1)))

(define (device-vector->row-matrix v)
  (check-vector 'device-vector->row-matrix v)
  (array->math 'device-vector->row-matrix v (list 1 (numel v))))
