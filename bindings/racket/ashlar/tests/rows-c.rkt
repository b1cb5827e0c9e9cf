#lang racket
;; rows-c.rkt - table C: contiguous? and contiguous.

(require racket/flonum racket/generator "support.rkt")

(rows
 [C1 (list (contiguous? X) (contiguous? X #:layout 'col-major) (contiguous? Xf #:layout 'col-major))
  '(#t #f #t)]
 [C2 (list (contiguous? one-feature) (contiguous? one-feature #:layout 'col-major))
  '(#t #t)]
 [C3 (eq? (contiguous one-feature #:layout 'col-major) one-feature)
  #t]
 [C4 (eq? (contiguous Xf #:layout 'col-major) Xf)
  #t]
 [C5 (eq? (contiguous X) X)
  #t]
 [C6 (for/list ([b (list (device-matrix 5 1) (device-matrix 1 5 #:layout 'col-major) (device-matrix 0 3) (device-vector 4))]) (list (contiguous? b) (contiguous? b #:layout 'col-major)))
  '((#t #t) (#t #t) (#t #t) (#t #t))]
 [C7 (eq? (contiguous labels #:layout 'col-major) labels)
  #t]
 [C8 (contiguous? X #:layout 'diagonal)
  #f]
 [C9 (contiguous? labels #:layout 'diagonal)
  #f]
 [C10 (list (layout Xf) (strides Xf) (shape Xf) (dtype Xf))
  '(col-major (1 4) (4 4) float32)]
 [C11 (equal? (device-matrix->list* Xf) (device-matrix->list* X))
  #t]
 [C12 (let ([Xr (contiguous Xf)]) (list (layout Xr) (strides Xr) (eq? Xr X)))
  '(row-major (4 1) #f)]
 [C13 (contiguous (device-matrix 2 2) #:layout 'fortran)
  raises 'logic "contiguous: unsupported layout fortran; expected row-major or col-major"]
 [C14 (p (contiguous (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'int32) #:layout 'col-major))
  "#<device-matrix int32[2×3] col-major cpu:0\n [[1 2 3]\n  [4 5 6]]>"]
 [C15 (let ([m X]) (unless (contiguous? m #:layout 'col-major) (error 'least-squares "expected a col-major matrix, given ~a" (layout m))))
  raises #f "least-squares: expected a col-major matrix, given row-major"]
 [C16 (let-values ([(m c) (with-device-resources ([r (device-resources)]) (define m (list*->device-matrix '((1 2 3) (4 5 6)) #:resources r)) (values m (contiguous m #:layout 'col-major)))]) (list (device-matrix->list* m) (device-matrix->list* c)))
  '(((1 2 3) (4 5 6)) ((1 2 3) (4 5 6)))]
 [C17 (contiguous? (device-matrix 5 1 #:layout 'col-major) #:layout 'col-major)
  #t]
 [C18 (let ([need (lambda (m) (unless (contiguous? m #:layout 'col-major) (error 'least-squares "expected a col-major matrix, given ~a" (layout m))) m)]) (map shape (map need (list Xf one-feature))))
  '((4 4) (3 1))])
