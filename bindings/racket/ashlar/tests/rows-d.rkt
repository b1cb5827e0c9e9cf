#lang racket
;; rows-d.rkt - table D: dtypes by inference.

(require racket/flonum racket/generator ffi/vector math/matrix "../compat.rkt" "support.rkt")

(rows
 [D1 (map dtype (list (list->device-vector '(1 2 3)) (list->device-vector '(1 2.5)) (list->device-vector '(1/2))))
  '(int64 float64 float64)]
 [D2 (dtype (list->device-vector '()))
  'float64]
 [D3 (dtype (list*->device-matrix '((1 2) (3 4))))
  'int64]
 [D4 (dtype (list*->device-matrix '((1 2) (3 4.0))))
  'float64]
 [D5 (dtype (list->device-vector '(+inf.0)))
  'float64]
 [D6 (dtype (list->device-vector '(1 +nan.0)))
  'float64]
 [D7 (dtype (list*->device-matrix '(() ())))
  'float64]
 [D8 (let ([m (list*->device-matrix '())]) (list (shape m) (dtype m) (device-matrix->list* m)))
  '((0 0) float64 ())]
 [D9 (dtype (list->device-vector (list (expt 2 62))))
  'int64]
 [D10 (list->device-vector (list (expt 2 63)))
  raises 'logic "list->device-vector: 9223372036854775808 does not fit int64"]
 [D11 (dtype (list->device-vector (list (- (expt 2 63)))))
  'int64]
 [D12 (list->device-vector (list (sub1 (- (expt 2 63)))))
  raises 'logic "list->device-vector: -9223372036854775809 does not fit int64"]
 [D13 (dtype (list->device-vector (list (expt 2 63) 0.5)))
  'float64]
 [D14 (list->device-vector '(#t #f))
  raises 'logic "list->device-vector: cannot infer a dtype: #t is not a real number"]
 [D15 (list->device-vector '(1 a))
  raises 'logic "list->device-vector: cannot infer a dtype: 'a is not a real number"]
 [D16 (list->device-vector '(1 "x"))
  raises 'logic "list->device-vector: cannot infer a dtype: \"x\" is not a real number"]
 [D17 (list->device-vector '(1 2+3i))
  raises 'logic "list->device-vector: cannot infer a dtype: 2+3i is not a real number"]
 [D18 (list->device-vector '(1.0+0.0i))
  raises 'logic "list->device-vector: cannot infer a dtype: 1.0+0.0i is not a real number"]
 [D19 (dtype (list->device-vector '(1.0+0i)))
  'float64]
 [D20 (list->device-vector '((1 2)))
  raises 'logic "list->device-vector: cannot infer a dtype: '(1 2) is not a real number"]
 [D21 (list*->device-matrix '((1 2) (+1i 4)))
  raises 'logic "list*->device-matrix: cannot infer a dtype: 0+1i is not a real number"]
 [D22 (dtype (flvector->device-vector (flvector 1.0 2.0)))
  'float64]
 [D23 (dtype (f32vector->device-vector (f32vector 1.0)))
  'float32]
 [D24 (dtype (f64vector->device-vector (f64vector 1.0)))
  'float64]
 [D25 (dtype (vector->device-vector #()))
  'float64]
 [D26 (map dtype (list (vector->device-vector #(1 2 3)) (vector->device-vector #(1 2.5)) (vector*->device-matrix #(#(1 2) #(3 4.0)))))
  '(int64 float64 float64)]
 [D27 (dtype (matrix->device-matrix (matrix [[1/2 1/4] [3 4]])))
  'float64]
 [D28 (dtype (matrix->device-matrix (identity-matrix 3)))
  'int64])
