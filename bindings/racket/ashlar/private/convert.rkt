#lang racket/base
;; convert.rkt - Racket numbers to arrays and back. Numbers are packed into one block, which the library takes or fills at once.
(require ffi/unsafe racket/fixnum racket/flonum racket/list racket/math "array.rkt" "errors.rkt" "native.rkt" "resources.rkt")
(provide list->device-vector
         device-vector->list
         list*->device-matrix
         device-matrix->list*
         flvector->device-vector
         device-vector->flvector
         walk->array
         float-limit
         block->array
         check-rows
         read-vector
         read-rows
         collect-list
         check-vector
         check-matrix)

;; For each element of what is known to be a list: for-each and in-list make sure of that first, every time.
(define (each f xs)
  (when (pair? xs)
    (f (car xs))
    (each f (cdr xs))))

;; A walk is a procedure that calls its argument with each number of some data, in row-major order.
(define ((walk-list xs) f) (each f xs))
(define ((walk-rows rows) f) (each (lambda (row) (each f row)) rows))
(define ((walk-flvector xs) f) (for ([x (in-flvector xs)]) (f x)))

;; ---- which dtype
(define (infer who walk)
  (define some? #f)
  (define integers? #t)
  (walk (lambda (v)
          (set! some? #t)
          (cond
            [(exact-integer? v) (void)]
            [(real? v) (set! integers? #f)]
            [else (refuse who "cannot infer a dtype: ~e is not a real number" v)])))
  (if (and some? integers?) 'int64 'float64))

;; ---- packing
(define (not-real who v) (refuse who "~e is not a real number" v))
(define (does-not-fit who v dtype) (refuse who "~e does not fit ~a" v dtype))

;; The least double that rounds to an infinity in each type.
(define (float-limit dtype)
  (if (eq? dtype 'float32) 3.4028235677973366e38 +inf.0))

(define (pack-floats who walk count dtype)
  (define limit (float-limit dtype))
  (define to (make-flvector count))
  (define at 0)
  (walk (lambda (v)
          (define x
            (cond
              [(flonum? v) v]
              [(real? v) (real->double-flonum v)]
              [else (not-real who v)]))
          (unless (or (fl< (flabs x) limit) (and (flonum? v) (or (nan? v) (infinite? v))))
            (does-not-fit who v dtype))
          (flvector-set! to at x)
          (set! at (fx+ at 1))))
  to)

(define (truncated who v)
  (cond
    [(exact-integer? v) v]
    [(not (real? v)) (not-real who v)]
    [(and (flonum? v) (or (nan? v) (infinite? v))) (refuse who "~e is not a finite number" v)]
    [else (inexact->exact (truncate v))]))

(define (pack-integers who walk count dtype)
  (define size (dtype-size dtype))
  (define high (sub1 (expt 2 (sub1 (* 8 size)))))
  (define low (- (add1 high)))
  (define to (make-bytes (* size count)))
  (define big? (system-big-endian?))
  (define at 0)
  (walk (lambda (v)
          (define i (if (fixnum? v) v (truncated who v)))
          (unless (<= low i high)
            (does-not-fit who v dtype))
          (integer->integer-bytes i size #t big? to at)
          (set! at (fx+ at size))))
  to)

;; A new array with the numbers of a walk; dtype #f: by inference.
(define (walk->array who walk shape given-dtype layout resources)
  (define dtype (or given-dtype (infer who walk)))
  (check-making who resources dtype layout)
  (define count (apply * shape))
  (if (float-dtype? dtype)
      (host->array who (flvector->cpointer (pack-floats who walk count dtype)) 'float64 shape dtype layout resources)
      (host->array who (pack-integers who walk count dtype) dtype shape dtype layout resources)))

;; A new array with the values of a block of `host-dtype`, which the library converts. Where it refuses one, packing what the walk
;; gives says which.
(define (block->array who data host-dtype walk shape dtype layout resources)
  (check-making who resources dtype layout)
  (define (refused e) (walk->array who walk shape dtype layout resources))
  (with-handlers ([(lambda (e) (and (exn:fail:ashlar? e) (eq? (exn:fail:ashlar-kind e) 'logic))) refused])
    (host->array who data host-dtype shape dtype layout resources)))

;; ---- rows
;; Refuses rows of another length than that of row 0, given (size row); answers the shape.
(define (check-rows who rows size)
  (define columns (if (null? rows) 0 (size (car rows))))
  (for ([row (in-list rows)] [i (in-naturals)])
    (define n (size row))
    (unless (= n columns)
      (refuse who "row ~a has ~a ~a, but row 0 has ~a: ~e" i n (if (= n 1) "element" "elements") columns row)))
  (list (length rows) columns))

;; ---- to arrays
(define (list->device-vector xs #:dtype [dtype #f] #:resources [resources (current-device-resources)])
  (unless (list? xs)
    (raise-argument-error 'list->device-vector "list?" xs))
  (walk->array 'list->device-vector (walk-list xs) (list (length xs)) dtype 'row-major resources))

(define (list*->device-matrix rows #:dtype [dtype #f] #:layout [layout 'row-major]
                              #:resources [resources (current-device-resources)])
  (unless (and (list? rows) (andmap list? rows))
    (raise-argument-error 'list*->device-matrix "(listof list?)" rows))
  (define shape (check-rows 'list*->device-matrix rows length))
  (walk->array 'list*->device-matrix (walk-rows rows) shape dtype layout resources))

(define (flvector->device-vector xs #:dtype [dtype 'float64] #:resources [resources (current-device-resources)])
  (unless (flvector? xs)
    (raise-argument-error 'flvector->device-vector "flvector?" xs))
  (block->array 'flvector->device-vector (flvector->cpointer xs) 'float64 (walk-flvector xs) (list (flvector-length xs)) dtype
                'row-major resources))

;; ---- from arrays
(define (check-vector who v)
  (unless (device-vector? v)
    (raise-argument-error who "device-vector?" v)))

(define (check-matrix who m)
  (unless (device-matrix? m)
    (raise-argument-error who "device-matrix?" m)))

;; A procedure that answers element i in row-major order.
(define (reader who a)
  (cond
    [(float-dtype? (dtype a))
     (define xs (read-floats who a))
     (lambda (i) (flvector-ref xs i))]
    [else
     (define xs (read-integers who a))
     (define big? (system-big-endian?))
     (lambda (i) (integer-bytes->integer xs #t big? (fx* 8 i) (fx+ (fx* 8 i) 8)))]))

;; A list of n elements, made from its end: as build-list, without a stack of n calls.
(define (collect-list n element)
  (let loop ([i (fx- n 1)] [xs '()])
    (if (fx< i 0)
        xs
        (loop (fx- i 1) (cons (element i) xs)))))

;; All elements, as (collect count element) makes of them.
(define (read-vector who a collect)
  (define element (reader who a))
  (collect (numel a) element))

;; The rows, each as `collect` makes it, as `collect` makes of them.
(define (read-rows who a collect)
  (define element (reader who a))
  (define rows (first (shape a)))
  (define columns (second (shape a)))
  (collect rows
           (lambda (i)
             (define start (fx* i columns))
             (collect columns (lambda (j) (element (fx+ start j)))))))

(define (device-vector->list v)
  (check-vector 'device-vector->list v)
  (read-vector 'device-vector->list v collect-list))

(define (device-matrix->list* m)
  (check-matrix 'device-matrix->list* m)
  (read-rows 'device-matrix->list* m collect-list))

(define (device-vector->flvector v)
  (check-vector 'device-vector->flvector v)
  (read-floats 'device-vector->flvector v))
