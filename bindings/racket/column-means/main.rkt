#lang racket/base
;; main.rkt - the Racket half of a package on ashlar/unsafe: what is passed to the C half, and what its errors become.
;;
;; The C half is built by
;;   cc -std=c17 -O2 -fPIC -shared -I include -I bindings/racket/ashlar column_means.c -o libcolumn_means.so
;; and found by COLUMN_MEANS_LIBRARY, or beside this file.
(require ffi/unsafe racket/list racket/runtime-path ashlar ashlar/unsafe)
(provide column-means (struct-out exn:fail:column-means))

(struct exn:fail:column-means exn:fail:ashlar ())

(define-runtime-path beside "libcolumn_means")
(define library (ffi-lib (or (getenv "COLUMN_MEANS_LIBRARY") beside)))
(define-syntax-rule (define-c name type)
  (define name (get-ffi-obj 'name library type)))
(define-c column_means_error (_fun -> _bytes))
(define-c column_means_error_kind (_fun -> _int))
(define-c column_means_abi (_fun _pointer -> _int))
(define-c column_means (_fun _pointer _pointer _pointer _pointer -> _int))

(define checked (status-checker column_means_error column_means_error_kind #:exn exn:fail:column-means))
(checked 'column-means (lambda () (column_means_abi (ashlar-abi-pointer))))

;; The means of the columns of a matrix, each row counted once or by its weight.
(define (column-means X #:weights [weights #f] #:resources [resources (current-device-resources)])
  (unless (device-matrix? X)
    (raise-argument-error 'column-means "device-matrix?" X))
  (define means (device-vector (second (shape X)) #:dtype (dtype X) #:resources resources))
  (with-array-views #:resources [handle resources] ([x X] [w weights] [out means])
    (checked 'column-means (lambda () (column_means handle x w out))))
  means)

(module+ test
  (require rackunit)
  (define rows '((1 10) (2 20) (6 60)))
  (define (make dtype layout) (list*->device-matrix rows #:dtype dtype #:layout layout))
  (for ([dtype '(float32 float64)])
    (define X (make dtype 'row-major))
    (check-equal? (device-vector->list (column-means X)) '(3.0 30.0))
    (define weights (list->device-vector '(1 1 2) #:dtype dtype))
    (with-device-resources ([r (device-resources)])
      (check-equal? (device-vector->list (column-means X #:weights weights #:resources r)) '(3.75 37.5))))
  (check-equal? (device-vector->list (column-means (device-matrix 0 2))) '(+nan.0 +nan.0))

  (define (refused kind message thunk)
    (define e (with-handlers ([exn:fail:ashlar? values]) (thunk)))
    (check-true (exn:fail:column-means? e))
    (check-equal? (exn-message e) message)
    (check-equal? (exn:fail:ashlar-kind e) kind))
  (define X (make 'float64 'row-major))
  (for ([make-means (list (lambda () (column-means (make 'int32 'row-major)))
                          (lambda () (column-means (make 'float32 'col-major)))
                          (lambda () (column-means X #:weights (device-vector 3 #:dtype 'float32)))
                          (lambda () (column-means X #:weights (device-vector 5 #:dtype 'float64)))
                          (lambda () (column-means X #:weights X)))]
        [cause '("X: expected float32 or float64, got int32"
                 "X: expected row-major, got col-major 3x2"
                 "weights: expected float64, got float32"
                 "weights: expected 3 elements, got 5"
                 "weights: expected a vector, got rank 2")])
    (refused 'logic (format "column-means: ~a" cause) make-means))
  (define cleared (with-array-views ([x X]) x))
  (refused 'logic "column-means: X: not a view bound to device memory"
           (lambda () (checked 'column-means (lambda () (column_means #f cleared #f #f)))))

  ;; The record of a library that is newer: another number, another version.
  (define text #"0.2.0\0")
  (define version (malloc 'raw (bytes-length text)))
  (memcpy version text (bytes-length text))
  (define newer (malloc 'raw 64))
  (memcpy newer (ashlar-abi-pointer) 40)
  (ptr-set! newer _int32 99)
  (ptr-set! newer _pointer 4 version)
  (refused 'logic (format "column-means: ashlar: built against ~a, but libashlar has 0.2.0" (ashlar-version))
           (lambda () (checked 'column-means (lambda () (column_means_abi newer)))))
  (free newer)
  (free version)

  (check-exn #rx"^column-means: the device resources on device 0 were released$|^device-vector: the device resources"
             (lambda () (column-means X #:resources (with-device-resources ([r (device-resources)]) r)))))
