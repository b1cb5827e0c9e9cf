#lang racket
;; rows-f.rkt - table F: errors.

(require racket/flonum racket/generator "support.rkt")

(rows
 [F1 (device-matrix 2 2 #:dtype 'float16)
  raises 'logic "device-matrix: unsupported dtype float16; expected float32, float64, int32 or int64"]
 [F2 (device-vector 2 #:dtype 'complex64)
  raises 'logic "device-vector: unsupported dtype complex64; expected float32, float64, int32 or int64"]
 [F3 (device-matrix 2 2 #:layout 'diagonal)
  raises 'logic "device-matrix: unsupported layout diagonal; expected row-major or col-major"]
 [F4 (device-matrix -2 2)
  raises 'logic "device-matrix: negative extent -2"]
 [F5 (device-vector -1)
  raises 'logic "device-vector: negative extent -1"]
 [F6 (list*->device-matrix '((1 2 3) (4 5 6)) #:layout 'fortran)
  raises 'logic "list*->device-matrix: unsupported layout fortran; expected row-major or col-major"]
 [F7 (flvector->device-vector (flvector 1.0) #:dtype 'float16)
  raises 'logic "flvector->device-vector: unsupported dtype float16; expected float32, float64, int32 or int64"]
 [F8 (list->device-vector '(1) #:dtype 'uint8)
  raises 'logic "list->device-vector: unsupported dtype uint8; expected float32, float64, int32 or int64"]
 [F9 (list*->device-matrix '((1 2 3) (4 5 6) (7 8)))
  raises 'logic "list*->device-matrix: row 2 has 2 elements, but row 0 has 3: '(7 8)"]
 [F10 (list*->device-matrix '((1 2) (3 4) (5)))
  raises 'logic "list*->device-matrix: row 2 has 1 element, but row 0 has 2: '(5)"]
 [F11 (list*->device-matrix '((1 2) (3 4 5)))
  raises 'logic "list*->device-matrix: row 1 has 3 elements, but row 0 has 2: '(3 4 5)"]
 [F12 (list*->device-matrix '((1) ()))
  raises 'logic "list*->device-matrix: row 1 has 0 elements, but row 0 has 1: '()"]
 [F13 (shape (list*->device-matrix '(())))
  '(1 0)]
 [F14 (list*->device-matrix '((1 2) (a)))
  raises 'logic "list*->device-matrix: row 1 has 1 element, but row 0 has 2: '(a)"]
 [F15 (device-matrix 2 2 #:resources dead)
  raises 'logic "device-matrix: the device resources on device 0 were released"]
 [F16 (list->device-vector '(1) #:resources dead)
  raises 'logic "list->device-vector: the device resources on device 0 were released"]
 [F17 (device-matrix 2 2 #:resources 5)
  raises 'logic "device-matrix: expected device resources, given: 5"]
 [F18 (device-matrix 2 2 #:dtype 'float16 #:resources dead)
  raises 'logic "device-matrix: the device resources on device 0 were released"]
 [F19 (list->device-vector '(1 x) #:resources dead)
  raises 'logic "list->device-vector: cannot infer a dtype: 'x is not a real number"]
 [F20 (list->device-vector '(x) #:dtype 'int32 #:resources dead)
  raises 'logic "list->device-vector: the device resources on device 0 were released"])
