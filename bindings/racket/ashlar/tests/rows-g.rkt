#lang racket
;; rows-g.rkt - table G: printing.

(require racket/flonum racket/generator (only-in "../compat.rkt" vector->device-vector) "support.rkt")

(rows
 [G1 (p (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'float32))
  "#<device-matrix float32[2×3] row-major cpu:0\n [[1.0 2.0 3.0]\n  [4.0 5.0 6.0]]>"]
 [G2 (p (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'float32 #:layout 'col-major))
  "#<device-matrix float32[2×3] col-major cpu:0\n [[1.0 2.0 3.0]\n  [4.0 5.0 6.0]]>"]
 [G3 (p (list*->device-matrix '((1 2) (3 4))))
  "#<device-matrix int64[2×2] row-major cpu:0\n [[1 2]\n  [3 4]]>"]
 [G4 (p X)
  "#<device-matrix float32[4×4] row-major cpu:0\n [[5.1 3.5 1.4 0.2]\n  [4.9 3.0 1.4 0.2]\n  [7.0 3.2 4.7 1.4]\n  [6.4 3.2 4.5 1.5]]>"]
 [G5 (p Xf)
  "#<device-matrix float32[4×4] col-major cpu:0\n [[5.1 3.5 1.4 0.2]\n  [4.9 3.0 1.4 0.2]\n  [7.0 3.2 4.7 1.4]\n  [6.4 3.2 4.5 1.5]]>"]
 [G6 (p (list->device-vector '(3 1 4 1 5)))
  "#<device-vector int64[5] cpu:0 [3 1 4 1 5]>"]
 [G7 (p (list->device-vector '(3 1 4) #:dtype 'int32))
  "#<device-vector int32[3] cpu:0 [3 1 4]>"]
 [G8 (p (list->device-vector '(0.25 0.5) #:dtype 'float32))
  "#<device-vector float32[2] cpu:0 [0.25  0.5]>"]
 [G9 (p (list->device-vector '(0.1 0.25) #:dtype 'float32))
  "#<device-vector float32[2] cpu:0 [ 0.1 0.25]>"]
 [G10 (p (list->device-vector '(1.5 -2.25 0.0)))
  "#<device-vector float64[3] cpu:0 [  1.5 -2.25   0.0]>"]
 [G11 (p (flvector->device-vector (flvector 0.5 1.5 2.5)))
  "#<device-vector float64[3] cpu:0 [0.5 1.5 2.5]>"]
 [G12 (p (flvector->device-vector (for/flvector ([i 5]) (flsqrt (->fl i))) #:dtype 'float32))
  "#<device-vector float32[5] cpu:0 [      0.0       1.0 1.4142135 1.7320508       2.0]>"]
 [G13 (p (vector->device-vector (for/vector ([i 6]) (/ 1.0 (add1 i))) #:dtype 'float32))
  "#<device-vector float32[6] cpu:0 [       1.0        0.5 0.33333334       0.25        0.2 0.16666667]>"]
 [G14 (p (contiguous (list*->device-matrix '((1 -20)) #:dtype 'int32) #:layout 'col-major))
  "#<device-matrix int32[1×2] row-major cpu:0 [[  1 -20]]>"]
 [G15 (p (device-matrix 0 3 #:dtype 'int64))
  "#<device-matrix int64[0×3] row-major cpu:0 []>"]
 [G16 (p (device-vector 0 #:dtype 'int32))
  "#<device-vector int32[0] cpu:0 []>"]
 [G17 (p (device-matrix 2 0))
  "#<device-matrix float32[2×0] row-major cpu:0\n [[]\n  []]>"]
 [G18 (p (device-matrix 1 0 #:dtype 'int32))
  "#<device-matrix int32[1×0] row-major cpu:0 [[]]>"]
 [G19 (p (device-matrix 0 0 #:dtype 'float64 #:layout 'col-major))
  "#<device-matrix float64[0×0] row-major cpu:0 []>"]
 [G20 (p (list*->device-matrix '((1) (-22) (333)) #:dtype 'int64 #:layout 'col-major))
  "#<device-matrix int64[3×1] row-major cpu:0\n [[  1]\n  [-22]\n  [333]]>"]
 [G21 (p (list->device-vector '(+inf.0 -inf.0 +nan.0 -0.0 1.0)))
  "#<device-vector float64[5] cpu:0 [+inf.0 -inf.0 +nan.0   -0.0    1.0]>"]
 [G22 (p (list->device-vector '(+inf.0 -inf.0 +nan.0 -0.0 0.1) #:dtype 'float32))
  "#<device-vector float32[5] cpu:0 [+inf.0 -inf.0 +nan.0   -0.0    0.1]>"]
 [G23 (p (list*->device-matrix '((1.0 -10.5) (+nan.0 100.25))))
  "#<device-matrix float64[2×2] row-major cpu:0\n [[   1.0  -10.5]\n  [+nan.0 100.25]]>"]
 [G24 (p (list->device-vector '(0.1 0.2)))
  "#<device-vector float64[2] cpu:0 [0.1 0.2]>"]
 [G25 (p (list->device-vector '(1/3 2/3)))
  "#<device-vector float64[2] cpu:0 [0.3333333333333333 0.6666666666666666]>"]
 [G26 (p (list->device-vector '(1/3 2/3) #:dtype 'float32))
  "#<device-vector float32[2] cpu:0 [0.33333334  0.6666667]>"]
 [G27 (p (list->device-vector '(1e-4 1e-5 123456.789 1e10)))
  (vector-text "float64[4]" '(1e-4 1e-5 123456.789 1e10))]
 [G28 (p (list->device-vector '(1e13 1e14 1e20 1e21)))
  (vector-text "float64[4]" '(1e13 1e14 1e20 1e21))]
 [G29 (p (list->device-vector '(16777216 3.4028234663852886e38 1e-5 1e-45) #:dtype 'float32))
  (vector-text "float32[4]" '(16777216.0 3.4028235e38 1e-5 1.4e-45))]
 [G30 (p (list->device-vector '(123456789 0.3 100000.0) #:dtype 'float32))
  "#<device-vector float32[3] cpu:0 [123456790.0         0.3    100000.0]>"]
 [G31 (p (list->device-vector (list (- (expt 2 63)) (sub1 (expt 2 63)))))
  "#<device-vector int64[2] cpu:0 [-9223372036854775808  9223372036854775807]>"]
 [G32 (p (list->device-vector (range 20) #:dtype 'int32))
  "#<device-vector int32[20] cpu:0 [ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19]>"]
 [G33 (p (list->device-vector (range 21) #:dtype 'int32))
  "#<device-vector int32[21] cpu:0 [ 0  1  2 ... 18 19 20]>"]
 [G34 (p (list->device-vector (range 1000)))
  "#<device-vector int64[1000] cpu:0 [  0   1   2 ... 997 998 999]>"]
 [G35 (p (list->device-vector (range 1001) #:dtype 'int32))
  "#<device-vector int32[1001] cpu:0 [   0    1    2 ...  998  999 1000]>"]
 [G36 (p (list->device-vector (range 2000)))
  "#<device-vector int64[2000] cpu:0 [   0    1    2 ... 1997 1998 1999]>"]
 [G37 (p (list*->device-matrix (for/list ([i 40]) (for/list ([j 30]) (+ (* 100 i) j))) #:layout 'col-major))
  "#<device-matrix int64[40×30] col-major cpu:0\n [[   0    1    2 ...   27   28   29]\n  [ 100  101  102 ...  127  128  129]\n  [ 200  201  202 ...  227  228  229]\n  ...\n  [3700 3701 3702 ... 3727 3728 3729]\n  [3800 3801 3802 ... 3827 3828 3829]\n  [3900 3901 3902 ... 3927 3928 3929]]>"]
 [G38 (p (list*->device-matrix (for/list ([i 500]) (for/list ([j 2]) (+ i j))) #:dtype 'int32))
  "#<device-matrix int32[500×2] row-major cpu:0\n [[  0   1]\n  [  1   2]\n  [  2   3]\n  ...\n  [497 498]\n  [498 499]\n  [499 500]]>"]
 [G39 (p (list*->device-matrix (for/list ([i 2]) (for/list ([j 500]) (+ i j))) #:dtype 'int32))
  "#<device-matrix int32[2×500] row-major cpu:0\n [[  0   1   2 ... 497 498 499]\n  [  1   2   3 ... 498 499 500]]>"]
 [G40 (p (list*->device-matrix (for/list ([i 7]) (for/list ([j 100]) (+ i j))) #:dtype 'int32))
  "#<device-matrix int32[7×100] row-major cpu:0\n [[  0   1   2 ...  97  98  99]\n  [  1   2   3 ...  98  99 100]\n  [  2   3   4 ...  99 100 101]\n  [  3   4   5 ... 100 101 102]\n  [  4   5   6 ... 101 102 103]\n  [  5   6   7 ... 102 103 104]\n  [  6   7   8 ... 103 104 105]]>"]
 [G41 (p (list*->device-matrix (for/list ([i 7]) (for/list ([j 200]) (+ i j))) #:dtype 'int32))
  "#<device-matrix int32[7×200] row-major cpu:0\n [[  0   1   2 ... 197 198 199]\n  [  1   2   3 ... 198 199 200]\n  [  2   3   4 ... 199 200 201]\n  ...\n  [  4   5   6 ... 201 202 203]\n  [  5   6   7 ... 202 203 204]\n  [  6   7   8 ... 203 204 205]]>"]
 [G42 (p (list*->device-matrix (for/list ([i 6]) (for/list ([j 200]) (+ i j))) #:dtype 'int32))
  "#<device-matrix int32[6×200] row-major cpu:0\n [[  0   1   2 ... 197 198 199]\n  [  1   2   3 ... 198 199 200]\n  [  2   3   4 ... 199 200 201]\n  [  3   4   5 ... 200 201 202]\n  [  4   5   6 ... 201 202 203]\n  [  5   6   7 ... 202 203 204]]>"]
 [G43 (p (list*->device-matrix (for/list ([i 25]) '())))
  "#<device-matrix float64[25×0] row-major cpu:0\n [[]\n  []\n  []\n  ...\n  []\n  []\n  []]>"]
 [G44 (format "~s ~v" (list->device-vector '(1)) (list->device-vector '(1)))
  "#<device-vector int64[1] cpu:0 [1]> #<device-vector int64[1] cpu:0 [1]>"]
 [G45 (format "~a" (list 1 (list->device-vector '(7))))
  "(1 #<device-vector int64[1] cpu:0 [7]>)"]
 [G46 (let ([v (list->device-vector '(1 2 3))]) (release-array! v) (p v))
  "#<device-vector int64[3] cpu:0 <released>>"]
 [G47 (let ([m (device-matrix 2 2)]) (release-array! m) (p m))
  "#<device-matrix float32[2×2] row-major cpu:0 <released>>"]
 [G48 (let ([v (list->device-vector '(1))]) (release-array! v) (device-vector->list v))
  raises 'logic "device-array: used after its release"]
 [G49 (p (list*->device-matrix '((0.001 1000.5) (-3.25 0.0)) #:dtype 'float32))
  "#<device-matrix float32[2×2] row-major cpu:0\n [[ 0.001 1000.5]\n  [ -3.25    0.0]]>"]
 [G50 (p (flvector->device-vector (flvector 0.2 0.2 1.4 1.5 2.5 1.9) #:dtype 'float32))
  "#<device-vector float32[6] cpu:0 [0.2 0.2 1.4 1.5 2.5 1.9]>"]
 [G51 (device-vector->flvector (flvector->device-vector (flvector 0.2 1.4 1.9) #:dtype 'float32))
  (flvector 0.20000000298023224 1.399999976158142 1.899999976158142)]
 [G52 (p (list->device-vector '(1.0 -1.0) #:dtype 'int32))
  "#<device-vector int32[2] cpu:0 [ 1 -1]>"]
 [G53 (p (list->device-vector (list (expt 2.0 -96) (expt 2.0 90)) #:dtype 'float32))
  (vector-text "float32[2]" '(1.26217745e-29 1.23794004e27))]
 [G54 (p (list->device-vector '(8388608.5 0.1 1e-10) #:dtype 'float32))
  (vector-text "float32[3]" '(8388608.0 0.1 1e-10))]
 [G55 (p (list->device-vector (for/list ([i 25]) (/ i 8.0))))
  "#<device-vector float64[25] cpu:0 [  0.0 0.125  0.25 ...  2.75 2.875   3.0]>"]
 [G56 (p (list*->device-matrix (for/list ([i 150]) (list (/ i 10.0) (- i)))))
  "#<device-matrix float64[150×2] row-major cpu:0\n [[   0.0    0.0]\n  [   0.1   -1.0]\n  [   0.2   -2.0]\n  ...\n  [  14.7 -147.0]\n  [  14.8 -148.0]\n  [  14.9 -149.0]]>"])
