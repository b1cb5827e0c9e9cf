#lang racket/base
;; conversions.rkt - how long conversions take, as Markdown tables. Arguments: none.
;;
;; First lists, vectors, flvectors and bytes at 10^3 to 10^6 elements as float64, as multiples of a plain loop that stores the
;; elements of the same list into an flvector: the least of 15 rounds, in each of which everything runs once. Then every form at
;; 10^6 elements (half-integers 0, 0.5, 1 ...): sent as float64 and as float32, read back from both; milliseconds, the median of
;; 5 runs. Always after a warm-up, and with a minor collection before each run.
(require ffi/vector
         racket/flonum
         racket/list
         racket/math
         (only-in math/array array? array->mutable-array array->flarray build-array vector->array array-shape array->list)
         ashlar
         ashlar/compat)

;; ---- timing
;; Milliseconds of (work) once; short ones are repeated.
(define (time-of work repeat)
  (collect-garbage 'minor)
  (define start (current-inexact-milliseconds))
  (for ([j (in-range repeat)])
    (work))
  (/ (- (current-inexact-milliseconds) start) repeat))

(define (milliseconds work)
  (work)
  (third (sort (for/list ([i 5]) (time-of work 1)) <)))

;; The least time of each of several works, which run in turn.
(define (least-times works repeat)
  (for ([work (in-list works)])
    (work))
  (define rounds
    (for/list ([i 15])
      (for/list ([work (in-list works)])
        (time-of work repeat))))
  (apply map min rounds))

(define (cell x)
  (define places (cond [(< x 1) 2] [(< x 100) 1] [else 0]))
  (define text (number->string (/ (round (* x (expt 10 places))) (expt 10.0 places))))
  (if (zero? places) (car (regexp-match #rx"^[0-9]*" text)) text))

(define (print-row name cells)
  (printf "| ~a |~a\n" name (apply string-append (for/list ([c (in-list cells)]) (format " ~a |" c)))))

(define (print-head . names)
  (print-row (car names) (cdr names))
  (printf "|---|~a\n" (apply string-append (for/list ([n (in-list (cdr names))]) "---:|"))))

;; ---- all forms at 10^6
(define n 1000000)
(define side 1000)
(define (half i) (fl* 0.5 (->fl i)))

;; name, data, (send data dtype), (read array); #f: is not read back so
(define (forms)
  (define xs (build-list n half))
  (define rows (for/list ([i side]) (for/list ([j side]) (half (+ (* side i) j)))))
  (define v (list->vector xs))
  (define fl (for/flvector #:length n ([x (in-list xs)]) x))
  (define f64 (list->f64vector xs))
  (define f32 (list->f32vector xs))
  (define square (vector->array (vector side side) v))
  (define (send-with convert) (lambda (data dtype) (convert data #:dtype dtype)))
  (define array-rows (array->mutable-array square))
  (list
   (list "list" xs (send-with list->device-vector) device-vector->list)
   (list "vector" v (send-with vector->device-vector) device-vector->vector)
   (list "flvector" fl (send-with flvector->device-vector) device-vector->flvector)
   (list "f64vector" f64 (send-with f64vector->device-vector) device-vector->f64vector)
   (list "f32vector" f32 (send-with f32vector->device-vector) device-vector->f32vector)
   (list "bytes" (lambda (dtype) (make-bytes (* n (if (eq? dtype 'float64) 8 4))))
         (lambda (data dtype) (bytes->device-vector data #:dtype dtype)) device-vector->bytes)
   (list "FlArray" (array->flarray (vector->array v)) (send-with array->device-array) device-array->array)
   (list "mutable array" (vector->array v) (send-with array->device-array) #f)
   (list "`build-array` array" (build-array (vector n) (lambda (js) (half (vector-ref js 0)))) (send-with array->device-array) #f)
   (list "list of lists, 1000×1000" rows (send-with list*->device-matrix) device-matrix->list*)
   (list "vector of vectors, 1000×1000" (for/vector ([row (in-list rows)]) (list->vector row)) (send-with vector*->device-matrix)
         device-matrix->vector*)
   (list "FlArray, 1000×1000" (array->flarray square) (send-with matrix->device-matrix) device-matrix->matrix)
   (list "mutable array, 1000×1000" array-rows (send-with matrix->device-matrix) #f)))

(define (data-for data dtype)
  (if (procedure? data) (data dtype) data))

(define (bench-forms)
  (print-head "10^6 elements, ms" "float64" "float32" "back from float64" "back from float32")
  (for ([form (in-list (forms))])
    (define-values (name data send read) (apply values form))
    (define sent
      (for/list ([dtype '(float64 float32)])
        (define given (data-for data dtype))
        (milliseconds (lambda () (send given dtype)))))
    (define back
      (for/list ([dtype '(float64 float32)])
        (define a (send (data-for data dtype) dtype))
        (if read (cell (milliseconds (lambda () (read a)))) "")))
    (print-row name (append (map cell sent) back))))

;; ---- multiples of a plain loop
(define (store xs)
  (define to (make-flvector (length xs)))
  (for ([x (in-list xs)] [i (in-naturals)])
    (flvector-set! to i x))
  to)

(define (bench-ratios)
  (define sizes '(1000 10000 100000 1000000))
  (apply print-head "float64, multiples of the loop" (for*/list ([n (in-list sizes)]) (format "10^~a" (order-of-magnitude n))))
  (define table
    (for/list ([n (in-list sizes)])
      (define xs (build-list n half))
      (define v (list->vector xs))
      (define fl (store xs))
      (define a (list->device-vector xs))
      (define bs (device-vector->bytes a))
      (define times
        (least-times (list (lambda () (store xs))
                           (lambda () (list->device-vector xs))
                           (lambda () (vector->device-vector v))
                           (lambda () (flvector->device-vector fl))
                           (lambda () (bytes->device-vector bs #:dtype 'float64))
                           (lambda () (device-vector->list a))
                           (lambda () (device-vector->vector a))
                           (lambda () (device-vector->flvector a))
                           (lambda () (device-vector->bytes a)))
                     (max 1 (quotient 100000 n))))
      (define loop (first times))
      (cons (string-append (cell (* 1e6 (/ loop n))) " ns")
            (for/list ([time (in-list (rest times))])
              (cell (/ time loop))))))
  (for ([name '("the loop, per element" "from a list" "from a vector" "from an flvector" "from bytes" "to a list" "to a vector"
                "to an flvector" "to bytes")]
        [i (in-naturals)])
    (print-row name (map (lambda (column) (list-ref column i)) table))))

(module+ main
  (bench-ratios)
  (newline)
  (bench-forms))
