#lang racket
;; trips.rkt - random numbers there and back: every source and sink, dtype, layout and a range of shapes; among threads; as text.
(module+ test
  (require ffi/vector racket/flonum rackunit ashlar ashlar/compat "../private/testing.rkt"
           (only-in math/array array->flarray array->list* build-array vector->array))
  (random-seed 1)

  (define (converted dtype x)
    (case dtype
      [(float64) (real->double-flonum x)]
      [(float32) (flsingle (real->double-flonum x))]
      [else (truncate (inexact->exact x))]))
  (define (other layout) (if (eq? layout 'row-major) 'col-major 'row-major))
  (define (vectors rows) (list->vector (map list->vector rows)))
  (define (in-memory rows layout)
    (cond
      [(eq? layout 'row-major) (append* rows)]
      [(null? rows) '()]
      [else (append* (apply map list rows))]))

  ;; A way to make numbers: integers, floats, rationals.
  (define (any-kind)
    (list-ref (list (lambda () (- (random 2000) 1000))
                    (lambda () (* 1e3 (- (random) 0.5)))
                    (lambda () (/ (- (random 2000) 1000) (add1 (random 30)))))
              (random 3)))
  (for* ([dtype '(float32 float64 int32 int64)]
         [layout '(row-major col-major)]
         [rows '(0 1 2 3 5)]
         [columns '(0 1 2 3 5)])
    (define number (any-kind))
    (define data (for/list ([i rows]) (for/list ([j columns]) (number))))
    (define wanted (map (curry map (curry converted dtype)) data))
    (define a (vector->array (vector rows columns) (list->vector (append* data))))
    (define (send convert data) (convert data #:dtype dtype #:layout layout))
    (define matrices
      (append (list (send list*->device-matrix data)
                    (send vector*->device-matrix (vectors data)))
              (if (zero? rows)
                  '() ; a vector, or columns are lost
                  (list (send list*->device-array data)
                        (send vector*->device-array (vectors data))))
              (if (zero? (* rows columns))
                  '() ; not a matrix
                  (list (send array->device-array a)
                        (send matrix->device-matrix a)
                        (send array->device-array (build-array (vector rows columns)
                                                               (lambda (js) (list-ref (list-ref data (vector-ref js 0))
                                                                                      (vector-ref js 1)))))))))
    (for ([m matrices])
      (check-equal? (device-matrix->list* m) wanted)
      (check-equal? (storage m) (in-memory wanted layout)))
    (define m (car matrices))
    (check-equal? (device-matrix->vector* m) (vectors wanted))
    (check-equal? (device-array->list* m) wanted)
    (check-equal? (device-array->vector* m) (vectors wanted))
    (check-equal? (device-matrix->list* (contiguous m #:layout (other layout))) wanted)
    (unless (zero? (* rows columns))
      (check-equal? (array->list* (device-matrix->matrix m)) wanted)
      (check-equal? (array->list* (device-array->array m)) wanted)))

  ;; Vectors. Blocks of doubles or singles are what a list of the same numbers is.
  (for* ([dtype '(float32 float64 int32 int64)] [n '(0 1 2 17)])
    (define data (for/list ([i n]) (* 1e3 (- (random) 0.5))))
    (define singles (map flsingle data))
    (define (check-vector v wanted)
      (check-equal? (device-vector->list v) wanted)
      (check-equal? (device-vector->vector v) (list->vector wanted))
      (check-equal? (device-array->list* v) wanted)
      (check-equal? (storage v) wanted)
      (check-equal? (for/list ([x (device-vector->flvector v)]) x) (map real->double-flonum wanted))
      (check-equal? (f64vector->list (device-vector->f64vector v)) (map real->double-flonum wanted))
      (check-equal? (f32vector->list (device-vector->f32vector v)) (map (compose flsingle real->double-flonum) wanted))
      (check-equal? (device-vector->list (bytes->device-vector (device-vector->bytes v) #:dtype dtype)) wanted))
    (define flonums (apply flvector data))
    (for ([v (list (list->device-vector data #:dtype dtype)
                   (vector->device-vector (list->vector data) #:dtype dtype)
                   (flvector->device-vector flonums #:dtype dtype)
                   (f64vector->device-vector (list->f64vector data) #:dtype dtype)
                   (array->device-array (array->flarray (vector->array (list->vector data))) #:dtype dtype))])
      (check-vector v (map (curry converted dtype) data)))
    (check-vector (f32vector->device-vector (list->f32vector data) #:dtype dtype) (map (curry converted dtype) singles)))

  ;; The text of a single reads back as the same single, and has ten digits at most.
  (for ([i 500])
    (define x (floating-point-bytes->real (apply bytes (for/list ([j 4]) (random 256)))))
    (unless (or (nan? x) (infinite? x))
      (define text (float32->string x))
      (check-equal? (flsingle (string->number text)) x)
      (define digits (string-trim (string-replace (car (regexp-match #rx"[0-9.]+" text)) "." "") "0" #:repeat? #t))
      (check-true (<= (string-length digits) 10) text)))

  ;; The bits of any double survive, those of NaNs too.
  (define bits (apply bytes (for/list ([i 8000]) (random 256))))
  (check-equal? (device-vector->bytes (bytes->device-vector bits #:dtype 'float64)) bits)

  (define wrong 0)
  (define (trip)
    (define xs (for/list ([j 500]) (random)))
    (sleep 0)
    (unless (equal? (device-vector->list (list->device-vector xs)) xs)
      (set! wrong (add1 wrong))))
  (for-each thread-wait (for/list ([i 4]) (thread (lambda () (for ([i 100]) (trip))))))
  (check-equal? wrong 0))
