#lang racket
;; rows-e.rkt - table E: conversions.

(require racket/flonum racket/generator "support.rkt")

(rows
 [E1 (device-vector->list (list->device-vector '(1/2 1/4 3)))
  '(0.5 0.25 3.0)]
 [E2 (device-vector->list (list->device-vector '(0.1 0.5) #:dtype 'float32))
  '(0.10000000149011612 0.5)]
 [E3 (device-vector->list (list->device-vector '(1.7 -1.7 5/2) #:dtype 'int64))
  '(1 -1 2)]
 [E4 (device-vector->list (list->device-vector '(0.9 -0.9 -0.0 -5/2) #:dtype 'int32))
  '(0 0 0 -2)]
 [E5 (device-vector->list (flvector->device-vector (flvector 0.7 2.2 -1.5) #:dtype 'int64))
  '(0 2 -1)]
 [E6 (device-vector->list (list->device-vector '(1 2) #:dtype 'float32))
  '(1.0 2.0)]
 [E7 (device-vector->list (list->device-vector '(1.0 2.0) #:dtype 'int32))
  '(1 2)]
 [E8 (device-vector->list (list->device-vector '(9007199254740993) #:dtype 'float64))
  '(9007199254740992.0)]
 [E9 (device-vector->list (list->device-vector '(9007199254740993)))
  '(9007199254740993)]
 [E10 (device-vector->list (list->device-vector '(16777217) #:dtype 'float32))
  '(16777216.0)]
 [E11 (device-vector->list (list->device-vector (list (+ (expt 2 60) (expt 2 36) 1)) #:dtype 'float32))
  '(1152921504606847000.0)]
 [E12 (device-vector->list (list->device-vector (list (expt 2 63)) #:dtype 'float64))
  '(9223372036854776000.0)]
 [E13 (device-vector->list (list->device-vector '(1/3) #:dtype 'float32))
  '(0.3333333432674408)]
 [E14 (device-vector->list (list->device-vector '(1/3)))
  '(0.3333333333333333)]
 [E15 (device-vector->list (list->device-vector (list -0.0 +inf.0 -inf.0 +nan.0 4.9406564584124654e-324)))
  '(-0.0 +inf.0 -inf.0 +nan.0 5e-324)]
 [E16 (device-vector->list (list->device-vector '(+inf.0 -inf.0) #:dtype 'float32))
  '(+inf.0 -inf.0)]
 [E17 (device-vector->list (list->device-vector '(+nan.0 -0.0) #:dtype 'float32))
  '(+nan.0 -0.0)]
 [E18 (device-vector->list (list->device-vector '(3.4028234663852886e38) #:dtype 'float32))
  '(3.4028234663852886e+38)]
 [E19 (device-vector->list (list->device-vector '(3.4028235677973362e38) #:dtype 'float32))
  '(3.4028234663852886e+38)]
 [E20 (list->device-vector '(3.4028235677973366e38) #:dtype 'float32)
  raises 'logic (refusal 'list->device-vector 3.4028235677973366e38 'float32)]
 [E21 (device-vector->list (list->device-vector '(1e-46 1e-45 1.4e-45) #:dtype 'float32))
  '(0.0 1.401298464324817e-45 1.401298464324817e-45)]
 [E22 (list->device-vector '(1e300) #:dtype 'float32)
  raises 'logic (refusal 'list->device-vector 1e300 'float32)]
 [E23 (list->device-vector '(-1e39) #:dtype 'float32)
  raises 'logic (refusal 'list->device-vector -1e39 'float32)]
 [E24 (regexp-match? #rx"^list[*]->device-matrix: 1000+([.][.][.])? does not fit float64$" (with-handlers ([exn:fail:ashlar? exn-message]) (list*->device-matrix (list (list (expt 10 400))) #:dtype 'float64)))
  #t]
 [E25 (list->device-vector '(3000000000) #:dtype 'int32)
  raises 'logic "list->device-vector: 3000000000 does not fit int32"]
 [E26 (list->device-vector (list (expt 2 31)) #:dtype 'int32)
  raises 'logic "list->device-vector: 2147483648 does not fit int32"]
 [E27 (device-vector->list (list->device-vector (list (- (expt 2 31)) (sub1 (expt 2 31))) #:dtype 'int32))
  '(-2147483648 2147483647)]
 [E28 (list->device-vector (list (sub1 (- (expt 2 31)))) #:dtype 'int32)
  raises 'logic "list->device-vector: -2147483649 does not fit int32"]
 [E29 (device-vector->list (list->device-vector '(2147483647.9 -2147483648.9) #:dtype 'int32))
  '(2147483647 -2147483648)]
 [E30 (list->device-vector '(2147483648.0) #:dtype 'int32)
  raises 'logic "list->device-vector: 2147483648.0 does not fit int32"]
 [E31 (list->device-vector '(9.223372036854775807e18) #:dtype 'int64)
  raises 'logic (refusal 'list->device-vector 9.223372036854775807e18 'int64)]
 [E32 (device-vector->list (list->device-vector '(-9.223372036854775808e18) #:dtype 'int64))
  '(-9223372036854775808)]
 [E33 (list->device-vector '(1e300) #:dtype 'int64)
  raises 'logic (refusal 'list->device-vector 1e300 'int64)]
 [E34 (list->device-vector '(+nan.0) #:dtype 'int64)
  raises 'logic "list->device-vector: +nan.0 is not a finite number"]
 [E35 (flvector->device-vector (flvector +inf.0) #:dtype 'int32)
  raises 'logic "flvector->device-vector: +inf.0 is not a finite number"]
 [E36 (list->device-vector '(-inf.0) #:dtype 'int64)
  raises 'logic "list->device-vector: -inf.0 is not a finite number"]
 [E37 (list*->device-matrix '((1 1+2i)) #:dtype 'float64)
  raises 'logic "list*->device-matrix: 1+2i is not a real number"]
 [E38 (list->device-vector '(#t) #:dtype 'int32)
  raises 'logic "list->device-vector: #t is not a real number"]
 [E39 (list->device-vector '("x") #:dtype 'float32)
  raises 'logic "list->device-vector: \"x\" is not a real number"]
 [E40 (device-vector->list assigned)
  '(0 2 1 2)]
 [E41 (device-vector->list (list->device-vector '(1 2 3)))
  '(1 2 3)]
 [E42 (let ([v (device-vector->flvector (list->device-vector '(3.0 4.0)))]) (flsqrt (for/fold ([s 0.0]) ([x (in-flvector v)]) (fl+ s (fl* x x)))))
  5.0]
 [E43 (for/list ([c 3]) (count (lambda (l) (= l c)) (device-vector->list assigned)))
  '(1 1 2)]
 [E44 (device-matrix->list* (list*->device-matrix '((1 2) (3 4))))
  '((1 2) (3 4))]
 [E45 (device-matrix->list* (list*->device-matrix '((1 2) (3 4)) #:layout 'col-major))
  '((1 2) (3 4))]
 [E46 (first (device-matrix->list* X))
  '(5.099999904632568 3.5 1.399999976158142 0.20000000298023224)]
 [E47 (first (device-matrix->list* (list*->device-matrix samples)))
  '(5.1 3.5 1.4 0.2)]
 [E48 (device-vector->flvector (flvector->device-vector (flvector 1.0 2.0)))
  (flvector 1.0 2.0)]
 [E49 (device-vector->flvector (list->device-vector '(0.1) #:dtype 'float32))
  (flvector 0.10000000149011612)]
 [E50 (device-vector->flvector (list->device-vector '(1 2 3)))
  (flvector 1.0 2.0 3.0)]
 [E51 (device-vector->flvector (list->device-vector '(9007199254740993)))
  (flvector 9007199254740992.0)]
 [E52 (device-vector->flvector (flvector->device-vector (flvector)))
  (flvector)]
 [E53 (device-vector->list (flvector->device-vector (flvector 1.5 -2.25 0.0 3.0) #:dtype 'int32))
  '(1 -2 0 3)]
 [E54 (device-vector->list (list->device-vector '()))
  '()]
 [E55 (device-matrix->list* (device-matrix 0 3))
  '()]
 [E56 (device-matrix->list* (list*->device-matrix '(() ())))
  '(() ())]
 [E57 (shape (list*->device-matrix (for/list ([line '("5.1,3.5,1.4,0.2" "7.0,3.2,4.7,1.4")]) (map string->number (string-split line ","))) #:dtype 'float32))
  '(2 4)]
 [E58 (with-output-to-string (lambda () (for ([row (device-matrix->list* (list*->device-matrix '((5.0 3.4) (6.6 3.0)) #:dtype 'float64))] [c (in-naturals)]) (printf "cluster ~a: ~a\n" c (string-join (map ~a row) " ")))))
  "cluster 0: 5.0 3.4\ncluster 1: 6.6 3.0\n"])
