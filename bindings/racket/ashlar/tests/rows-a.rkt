#lang racket
;; rows-a.rkt - table A: arrays.

(require racket/flonum racket/generator "support.rkt")

(rows
 [A1 (list (shape out) (dtype out) (layout out))
  '((1000 128) float32 row-major)]
 [A2 (let ([m (device-matrix 4 2)]) (list (dtype m) (layout m) (strides m) (numel m)))
  '(float32 row-major (2 1) 8)]
 [A3 (let ([v (device-vector 5)]) (list (shape v) (dtype v) (strides v) (numel v)))
  '((5) float32 (1) 5)]
 [A4 (with-device-resources ([r (device-resources)]) (define c (device-matrix 3 2 #:dtype 'float64 #:layout 'col-major #:resources r)) (list (layout c) (strides c)))
  '(col-major (1 3))]
 [A5 (list (numel weights) (dtype weights))
  '(4 float64)]
 [A6 (list (shape labels) (dtype labels) (strides labels))
  '((4) int32 (1))]
 [A7 (shape (device-vector (second (shape X)) #:dtype (dtype X)))
  '(4)]
 [A8 (map device-array? (list X labels samples))
  '(#t #t #f)]
 [A9 (count device-array? (list X labels samples))
  2]
 [A10 (map device-matrix? (list X labels samples))
  '(#t #f #f)]
 [A11 (map device-vector? (list X labels samples))
  '(#f #t #f)]
 [A12 (list (shape X) (shape labels))
  '((4 4) (4))]
 [A13 (map dtype (list X labels))
  '(float32 int32)]
 [A14 (numel X)
  16]
 [A15 (let ([size 4]) (/ (* (numel out) size) (* 1024 1024.0)))
  0.48828125]
 [A16 (numel (device-matrix 0 7))
  0]
 [A17 (shape (device-matrix 0 7))
  '(0 7)]
 [A18 (let ([a X]) (map (lambda (s) (* s 4)) (strides a)))
  '(16 4)]
 [A19 (with-output-to-string (lambda () (for ([a (list X labels)]) (printf "~a ~a ~a\n" (dtype a) (shape a) (layout a)))))
  "float32 (4 4) row-major\nint32 (4) row-major\n"]
 [A20 (shape (let ([data '((1.0 2.0))]) (if (device-array? data) data (list*->device-matrix data #:dtype 'float32))))
  '(1 2)]
 [A21 (let ([v (list->device-vector '())]) (if (zero? (numel v)) +nan.0 0))
  +nan.0]
 [A22 (let ([v (list->device-vector '(1.0 2.0 4.5))]) (/ (apply + (device-vector->list v)) (numel v)))
  2.5]
 [A23 (equal? (list->device-vector '(1)) (list->device-vector '(1)))
  #f]
 [A24 (let ([v (list->device-vector '(1))]) (equal? v v))
  #t]
 [A25 (device-array? #f)
  #f]
 [A26 (let ([d (device-matrix (first (shape X)) 3 #:dtype (dtype X))]) (list (shape d) (dtype d)))
  '((4 3) float32)]
 [A27 (let ([ok? (lambda (v) (and (device-matrix? v) (eq? (layout v) 'row-major) (memq (dtype v) '(float32 float64)) #t))]) (map ok? (list X Xf (contiguous Xf))))
  '(#t #f #t)]
 [A28 (map (lambda (a) (if (device-matrix? a) (first (shape a)) 1)) (list X labels))
  '(4 1)]
 [A29 (let ([fit? (lambda (w m) (and (device-vector? w) (= (first (shape w)) (first (shape m)))))]) (list (fit? weights X) (fit? labels (device-matrix 5 2))))
  '(#t #f)]
 [A30 (match-let ([(list n d) (shape X)]) (list n d (shape (device-matrix 3 d))))
  '(4 4 (3 4))]
 [A31 (map (lambda (b) (equal? (shape X) (shape b))) (list Xf (device-matrix 3 4)))
  '(#t #f)]
 [A32 (dtype (device-matrix 1 2 #:dtype (dtype (list*->device-matrix '((1 2)) #:dtype 'int32))))
  'int32]
 [A33 (list (dtype assigned) (shape assigned))
  '(int32 (4))]
 [A34 (let ([on (lambda (d) (if (device-array? d) d (list*->device-matrix d #:dtype 'float32)))]) (eq? (on X) X))
  #t])
