#lang racket
;; rows-b.rkt - table B: strides and layout.

(require racket/flonum racket/generator "support.rkt")

(rows
 [B1 (strides X)
  '(4 1)]
 [B2 (strides Xf)
  '(1 4)]
 [B3 (strides (device-matrix 2 3))
  '(3 1)]
 [B4 (strides (device-matrix 2 3 #:layout 'col-major))
  '(1 2)]
 [B5 (strides (device-matrix 0 4))
  '(0 0)]
 [B6 (let ([m (device-matrix 0 3 #:dtype 'int64 #:layout 'col-major)]) (list (shape m) (strides m) (layout m)))
  '((0 3) (0 0) row-major)]
 [B7 (let ([m (device-matrix 3 0 #:layout 'col-major)]) (list (shape m) (strides m) (layout m) (numel m)))
  '((3 0) (0 0) row-major 0)]
 [B8 (strides (device-vector 0))
  '(0)]
 [B9 (strides (device-vector 5))
  '(1)]
 [B10 (let ([c (device-matrix 5 1 #:layout 'col-major)]) (list (strides c) (layout c)))
  '((1 5) row-major)]
 [B11 (let ([c (device-matrix 5 1)]) (list (strides c) (layout c)))
  '((1 1) row-major)]
 [B12 (let ([c (device-matrix 1 5)]) (list (strides c) (layout c)))
  '((5 1) row-major)]
 [B13 (let ([c (device-matrix 1 5 #:layout 'col-major)]) (list (strides c) (layout c)))
  '((1 1) row-major)]
 [B14 (let ([c (device-matrix 1 1 #:layout 'col-major)]) (list (strides c) (layout c)))
  '((1 1) row-major)]
 [B15 (layout labels)
  'row-major]
 [B16 (let ([a X]) (+ (* 2 (first (strides a))) (* 1 (second (strides a)))))
  9]
 [B17 (let ([a Xf]) (+ (* 2 (first (strides a))) (* 1 (second (strides a)))))
  6]
 [B18 (for*/list ([d '(float32 float64 int32 int64)] [l '(row-major col-major)]) (strides (device-matrix 2 3 #:dtype d #:layout l)))
  '((3 1) (1 2) (3 1) (1 2) (3 1) (1 2) (3 1) (1 2))])
