#lang racket
;; trips.rkt - random numbers there and back: every nested source, dtype, layout and a range of shapes; and among threads.
(module+ test
  (require racket/flonum rackunit ashlar ashlar/compat "../private/testing.rkt")
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

  (for* ([number (list (lambda () (- (random 2000) 1000))
                       (lambda () (* 1e3 (- (random) 0.5)))
                       (lambda () (/ (- (random 2000) 1000) (add1 (random 30)))))]
         [dtype '(float32 float64 int32 int64)]
         [layout '(row-major col-major)]
         [rows '(0 1 2 3 5)]
         [columns '(0 1 2 3 5)])
    (define data (for/list ([i rows]) (for/list ([j columns]) (number))))
    (define wanted (map (curry map (curry converted dtype)) data))
    (for ([m (list (list*->device-matrix data #:dtype dtype #:layout layout)
                   (vector*->device-matrix (vectors data) #:dtype dtype #:layout layout))])
      (check-equal? (device-matrix->list* m) wanted)
      (check-equal? (device-matrix->vector* m) (vectors wanted))
      (check-equal? (storage m) (in-memory wanted layout))
      (check-equal? (device-matrix->list* (contiguous m #:layout (other layout))) wanted)))

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
