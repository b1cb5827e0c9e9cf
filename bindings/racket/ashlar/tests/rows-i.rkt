#lang racket
;; rows-i.rkt - table I: compat.

(require racket/flonum racket/generator ffi/vector math/matrix math/array json "../compat.rkt" "support.rkt")

(define rows6 '((5.1 3.5 1.4 0.2) (4.9 3.0 1.4 0.2) (7.0 3.2 4.7 1.4) (6.4 3.2 4.5 1.5) (6.3 3.3 6.0 2.5) (5.8 2.7 5.1 1.9)))
(define M6 (list*->matrix rows6))
(define cov (let* ([means (matrix-scale (matrix* (make-matrix 1 6 1) M6) (/ 1.0 6))]
                   [c (matrix- M6 (matrix* (make-matrix 6 1 1) means))])
              (matrix-scale (matrix* (matrix-transpose c) c) (/ 1.0 5))))
(define A (matrix [[1.0 2.0] [3.0 4.0] [5.0 6.0]]))
(define gram (matrix* (matrix-transpose A) A))
(define G (vector*->device-matrix (for/vector ([x 3]) (for/vector ([y 2]) (+ (* 0.5 x) y))) #:dtype 'float32 #:layout 'col-major))

(rows
 [I1 (p (vector->device-vector #(0.5 1.5 2.5) #:dtype 'float32))
  "#<device-vector float32[3] cpu:0 [0.5 1.5 2.5]>"]
 [I2 (device-vector->vector (vector->device-vector #(2 7 1 8)))
  '#(2 7 1 8)]
 [I3 (immutable? (device-vector->vector (vector->device-vector #(1))))
  #f]
 [I4 (device-vector->vector (vector->device-vector #(1/2 3)))
  '#(0.5 3.0)]
 [I5 (device-vector->vector (vector->device-vector #(1.7 -1.7) #:dtype 'int32))
  '#(1 -1)]
 [I6 (vector->device-vector (vector "setosa" "versicolor"))
  raises 'logic "vector->device-vector: cannot infer a dtype: \"setosa\" is not a real number"]
 [I7 (vector->device-vector #(1 2+1i))
  raises 'logic "vector->device-vector: cannot infer a dtype: 2+1i is not a real number"]
 [I8 (vector->device-vector #(3000000000) #:dtype 'int32)
  raises 'logic "vector->device-vector: 3000000000 does not fit int32"]
 [I9 (vector->device-vector #(1.0 1e300) #:dtype 'float32)
  raises 'logic (refusal 'vector->device-vector 1e300 'float32)]
 [I10 (p (vector*->device-matrix #(#(1 2 3) #(4 5 6))))
  "#<device-matrix int64[2×3] row-major cpu:0\n [[1 2 3]\n  [4 5 6]]>"]
 [I11 (list (shape G) (layout G) (strides G))
  '((3 2) col-major (1 3))]
 [I12 (device-matrix->vector* G)
  '#(#(0.0 1.0) #(0.5 1.5) #(1.0 2.0))]
 [I13 (vector*->device-matrix #(#(1.0 2.0) #(3.0)))
  raises 'logic "vector*->device-matrix: row 1 has 1 element, but row 0 has 2: '#(3.0)"]
 [I14 (list (shape (vector*->device-matrix #())) (shape (vector*->device-matrix #(#() #()))))
  '((0 0) (2 0))]
 [I15 (device-matrix->vector* (vector*->device-matrix #()))
  '#()]
 [I16 (map shape (list (list*->device-array '(0.5 1.5)) (list*->device-array '((0.5 1.5) (2.5 3.5) (4.5 5.5))) (list*->device-array '()) (list*->device-array '(() ()))))
  '((2) (3 2) (0) (2 0))]
 [I17 (p (list*->device-array '(1.0 2.0 3.0)))
  "#<device-vector float64[3] cpu:0 [1.0 2.0 3.0]>"]
 [I18 (p (list*->device-array '((1 2) (3 4))))
  "#<device-matrix int64[2×2] row-major cpu:0\n [[1 2]\n  [3 4]]>"]
 [I19 (shape (vector*->device-array #(#(1 2 3))))
  '(1 3)]
 [I20 (shape (list*->device-array '(#(1 2) (3 4))))
  '(2 2)]
 [I21 (device-array->list* (vector*->device-array (vector '(1 2) '#(3 4))))
  '((1 2) (3 4))]
 [I22 (layout (list*->device-array '(1 2) #:layout 'col-major))
  'row-major]
 [I23 (list*->device-array '(((1 2) (3 4))))
  raises 'logic "list*->device-array: rank 3 is not supported; rank 1 and 2 convert"]
 [I24 (vector*->device-array #(#(#(#(1)))))
  raises 'logic "vector*->device-array: rank 4 is not supported; rank 1 and 2 convert"]
 [I25 (list*->device-array '(1.0 (2.0 3.0)))
  raises 'logic "list*->device-array: element 1 is a list, but element 0 is not: '(2.0 3.0)"]
 [I26 (list*->device-array '((1 2) 3))
  raises 'logic "list*->device-array: row 1 is not a list, but row 0 is: 3"]
 [I27 (vector*->device-array (vector #(1 2) 3))
  raises 'logic "vector*->device-array: row 1 is not a vector, but row 0 is: 3"]
 [I28 (list*->device-array '((1 2) (3)))
  raises 'logic "list*->device-array: row 1 has 1 element, but row 0 has 2: '(3)"]
 [I29 (list*->device-array '((1 2) ((3) 4)))
  raises 'logic "list*->device-array: cannot infer a dtype: '(3) is not a real number"]
 [I30 (device-array->list* (list*->device-array '((1 2) (3 4)) #:layout 'col-major))
  '((1 2) (3 4))]
 [I31 (device-array->list* (list*->device-array '(1 2 3)))
  '(1 2 3)]
 [I32 (device-array->vector* (vector*->device-array #(#(1 2) #(3 4))))
  '#(#(1 2) #(3 4))]
 [I33 (device-array->vector* (vector*->device-array #(1 2 3)))
  '#(1 2 3)]
 [I34 (jsexpr->string (hasheq 'values (device-array->list* (list*->device-array '((1 2) (3 4)) #:dtype 'int32))))
  "{\"values\":[[1,2],[3,4]]}"]
 [I35 (device-vector->list (f32vector->device-vector (f32vector 0.1 2.7) #:dtype 'float64))
  '(0.10000000149011612 2.700000047683716)]
 [I36 (device-vector->list (f32vector->device-vector (f32vector 0.1 2.7) #:dtype 'int32))
  '(0 2)]
 [I37 (p (f64vector->device-vector (f64vector 21.5 21.75 22.0 22.5) #:dtype 'float32))
  "#<device-vector float32[4] cpu:0 [ 21.5 21.75  22.0  22.5]>"]
 [I38 (f64vector->device-vector (f64vector 1e300) #:dtype 'float32)
  raises 'logic (refusal 'f64vector->device-vector 1e300 'float32)]
 [I39 (f64vector->device-vector (f64vector +nan.0) #:dtype 'int64)
  raises 'logic "f64vector->device-vector: +nan.0 is not a finite number"]
 [I40 (f32vector->list (device-vector->f32vector (vector->device-vector #(0.1 0.2))))
  '(0.10000000149011612 0.20000000298023224)]
 [I41 (device-vector->f32vector (vector->device-vector #(1e300)))
  raises 'logic (refusal 'device-vector->f32vector 1e300 'float32)]
 [I42 (f32vector->list (device-vector->f32vector (vector->device-vector #(+inf.0 -inf.0))))
  '(+inf.0 -inf.0)]
 [I43 (f32vector->list (device-vector->f32vector (list->device-vector '(0 2 1) #:dtype 'int32)))
  '(0.0 2.0 1.0)]
 [I44 (f32vector->list (device-vector->f32vector (list->device-vector '(16777217))))
  '(16777216.0)]
 [I45 (f64vector->list (device-vector->f64vector (vector->device-vector #(0.1) #:dtype 'float32)))
  '(0.10000000149011612)]
 [I46 (f64vector->list (device-vector->f64vector (list->device-vector '(1 2) #:dtype 'int64)))
  '(1.0 2.0)]
 [I47 (p (bytes->device-vector (bytes-append (real->floating-point-bytes 0.5 4) (real->floating-point-bytes 1.5 4)) #:dtype 'float32))
  "#<device-vector float32[2] cpu:0 [0.5 1.5]>"]
 [I48 (bytes->device-vector (make-bytes 6) #:dtype 'float32)
  raises 'logic "bytes->device-vector: 6 bytes do not hold a whole number of 4-byte float32 elements"]
 [I49 (bytes->device-vector (make-bytes 12) #:dtype 'int64)
  raises 'logic "bytes->device-vector: 12 bytes do not hold a whole number of 8-byte int64 elements"]
 [I50 (bytes->device-vector (make-bytes 4) #:dtype 'float16)
  raises 'logic "bytes->device-vector: unsupported dtype float16; expected float32, float64, int32 or int64"]
 [I51 (device-vector->bytes (bytes->device-vector #"" #:dtype 'int64))
  #""]
 [I52 (device-vector->bytes (vector->device-vector #(1 2) #:dtype 'int32))
  #"\1\0\0\0\2\0\0\0"]
 [I53 (device-vector->bytes (list->device-vector '(1 -2) #:dtype 'int32))
  #"\1\0\0\0\376\377\377\377"]
 [I54 (device-vector->list (bytes->device-vector (device-vector->bytes (vector->device-vector #(1.0) #:dtype 'float32)) #:dtype 'int32))
  '(1065353216)]
 [I55 (p (matrix->device-matrix (matrix [[1.0 2.0] [3.0 4.0]])))
  "#<device-matrix float64[2×2] row-major cpu:0\n [[1.0 2.0]\n  [3.0 4.0]]>"]
 [I56 (p (matrix->device-matrix gram #:dtype 'float32))
  "#<device-matrix float32[2×2] row-major cpu:0\n [[35.0 44.0]\n  [44.0 56.0]]>"]
 [I57 (let ([I (matrix->device-matrix (identity-matrix 3) #:dtype 'float64 #:layout 'col-major)]) (list (dtype I) (layout I)))
  '(float64 col-major)]
 [I58 (p (device-matrix->matrix (matrix->device-matrix (matrix [[1.0 2.0] [3.0 4.0]]))))
  "(flarray #[#[1.0 2.0] #[3.0 4.0]])"]
 [I59 (let ([b (device-matrix->matrix (matrix->device-matrix gram))]) (list (matrix-trace b) (matrix-determinant b)))
  '(91.0 24.0)]
 [I60 (array->list* (device-matrix->matrix (matrix->device-matrix (matrix [[1/3 2]]) #:dtype 'float32 #:layout 'col-major)))
  '((0.3333333432674408 2.0))]
 [I61 (array->list* (matrix-inverse (device-matrix->matrix (list*->device-matrix '((2 1) (1 3)) #:dtype 'int32))))
  '((3/5 -1/5) (-1/5 2/5))]
 [I62 (let ([e (device-matrix->matrix (device-matrix 0 3))]) (list (array? e) (matrix? e) (array-shape e)))
  '(#t #f #(0 3))]
 [I63 (p (matrix->device-vector (col-matrix [1 2 3])))
  "#<device-vector int64[3] cpu:0 [1 2 3]>"]
 [I64 (p (matrix->device-vector (row-matrix [0.5 1.5])))
  "#<device-vector float64[2] cpu:0 [0.5 1.5]>"]
 [I65 (device-vector->list (matrix->device-vector (matrix [[7]]) #:dtype 'int32))
  '(7)]
 [I66 (matrix->device-vector gram)
  raises 'logic "matrix->device-vector: a 2×2 matrix is neither a row nor a column matrix"]
 [I67 (matrix->device-matrix (matrix [[1 +1i]]))
  raises 'logic "matrix->device-matrix: cannot infer a dtype: 0+1i is not a real number"]
 [I68 (matrix->device-matrix (matrix [[1 +1i]]) #:dtype 'float32)
  raises 'logic "matrix->device-matrix: 0+1i is not a real number"]
 [I69 (matrix->device-matrix (matrix [[1e300 2.0]]) #:dtype 'float32)
  raises 'logic (refusal 'matrix->device-matrix 1e300 'float32)]
 [I70 (p (device-vector->col-matrix (vector->device-vector #(1.0 2.0 3.0))))
  "(flarray #[#[1.0] #[2.0] #[3.0]])"]
 [I71 (p (device-vector->row-matrix (vector->device-vector #(1 2 3))))
  "(mutable-array #[#[1 2 3]])"]
 [I72 (matrix-norm (device-vector->col-matrix (vector->device-vector #(3.0 4.0))))
  5.0]
 [I73 (array-shape (device-vector->col-matrix (device-vector 0 #:dtype 'int32)))
  '#(0 1)]
 [I74 (p (array->device-array (flarray #[#[1.0 2.0] #[3.0 4.0]])))
  "#<device-matrix float64[2×2] row-major cpu:0\n [[1.0 2.0]\n  [3.0 4.0]]>"]
 [I75 (p (array->device-array (array #[1 2 3])))
  "#<device-vector int64[3] cpu:0 [1 2 3]>"]
 [I76 (device-vector->bytes (array->device-array (flarray #[1.0])))
  #"\0\0\0\0\0\0\360?"]
 [I77 (device-matrix->list* (array->device-array (build-array #(3 3) (lambda (js) (abs (- (vector-ref js 0) (vector-ref js 1))))) #:dtype 'float32))
  '((0.0 1.0 2.0) (1.0 0.0 1.0) (2.0 1.0 0.0))]
 [I78 (array->device-array (array #[#[#[1 2]]]))
  raises 'logic "array->device-array: rank 3 is not supported; rank 1 and 2 convert"]
 [I79 (array->device-array (array 5))
  raises 'logic "array->device-array: rank 0 is not supported; rank 1 and 2 convert"]
 [I80 (array->device-array (flarray #[1.0 +inf.0]) #:dtype 'int32)
  raises 'logic "array->device-array: +inf.0 is not a finite number"]
 [I81 (p (device-array->array (vector->device-vector #(1.5 2.5))))
  "(flarray #[1.5 2.5])"]
 [I82 (p (device-array->array (list*->device-matrix '((1 2) (3 4)) #:dtype 'int32)))
  "(mutable-array #[#[1 2] #[3 4]])"]
 [I83 (mutable-array? (device-array->array (array->device-array (array #[5 6 7]))))
  #t]
 [I84 (flarray-data (device-array->array (array->device-array (flarray #[#[1.0 2.0] #[3.0 4.0]]) #:layout 'col-major)))
  (flvector 1.0 2.0 3.0 4.0)]
 [I85 (p (matrix->device-matrix cov #:dtype 'float32))
  "#<device-matrix float32[4×4] row-major cpu:0\n [[ 0.6536667      0.011      1.281  0.5223333]\n  [     0.011      0.075     -0.131     -0.059]\n  [     1.281     -0.131      3.867      1.787]\n  [ 0.5223333     -0.059      1.787 0.85366666]]>"]
 [I86 (p (list*->device-array rows6 #:dtype 'float32))
  "#<device-matrix float32[6×4] row-major cpu:0\n [[5.1 3.5 1.4 0.2]\n  [4.9 3.0 1.4 0.2]\n  [7.0 3.2 4.7 1.4]\n  [6.4 3.2 4.5 1.5]\n  [6.3 3.3 6.0 2.5]\n  [5.8 2.7 5.1 1.9]]>"]
 [I87 (device-array->list* (list*->device-matrix (list (car rows6)) #:dtype 'float32))
  '((5.099999904632568 3.5 1.399999976158142 0.20000000298023224))]
 [I88 (equal? (device-array->list* (list*->device-array rows6 #:dtype 'float32 #:layout 'col-major)) (device-array->list* (matrix->device-matrix M6 #:dtype 'float32 #:layout 'col-major)))
  #t]
 [I89 (device-vector->list (array->device-array (array-scale (device-array->array (vector->device-vector #(1.0 2.0 3.0))) 10.0)))
  '(10.0 20.0 30.0)]
 [I90 (list*->device-matrix (list '(1 2) '(3 4)) #:layout 'diagonal)
  raises 'logic "list*->device-matrix: unsupported layout diagonal; expected row-major or col-major"]
 [I91 (vector->device-vector #(1) #:resources dead)
  raises 'logic "vector->device-vector: the device resources on device 0 were released"]
 [I92 (bytes->device-vector (make-bytes 8) #:dtype 'float64 #:resources dead)
  raises 'logic "bytes->device-vector: the device resources on device 0 were released"])
