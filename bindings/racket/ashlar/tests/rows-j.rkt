#lang racket
;; rows-j.rkt - table J: unsafe.

(require racket/flonum racket/generator ffi/unsafe "../unsafe.rkt" "support.rkt")

(struct exn:fail:canary exn:fail:ashlar ())
(define (chk m k) (status-checker (lambda () m) (lambda () k)))
(define F (contiguous (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'float32) #:layout 'col-major))

(define-namespace-anchor here)
(current-namespace (namespace-anchor->namespace here))

(rows
 [J1 (call-with-values (lambda () ((chk #"unused" 0) 'demo (lambda () (values 0 'a 'b)))) list)
  '(a b)]
 [J2 (call-with-values (lambda () ((chk #"unused" 0) 'demo (lambda () 0))) list)
  '()]
 [J3 ((chk #"X: expected float32" 3) 'kmeans-fit (lambda () 1))
  raises 'logic "kmeans-fit: X: expected float32"]
 [J4 ((chk "pool exhausted" 1) 'fit (lambda () (values 2 'ignored)))
  raises 'out-of-memory "fit: pool exhausted"]
 [J5 ((chk #"odd" 9) 'fit (lambda () 1))
  raises 'generic "fit: odd"]
 [J6 ((chk #"drv" 2) 'fit (lambda () 1))
  raises 'cuda "fit: drv"]
 [J7 ((chk #"bad \377 byte" 'cuda) 'fit (lambda () 1))
  raises 'cuda "fit: bad � byte"]
 [J8 (with-handlers ([exn:fail:canary? (lambda (e) (list (exn-message e) (exn:fail:ashlar-kind e)))]) ((status-checker (lambda () #"refused") (lambda () 3) #:exn exn:fail:canary) 'blobs (lambda () 1)))
  '("blobs: refused" logic)]
 [J9 (cpointer? (resources->handle-pointer (current-device-resources)))
  #t]
 [J10 (let ([r (device-resources)]) (list (ptr-equal? (resources->handle-pointer r) (resources->handle-pointer r)) (ptr-equal? (resources->handle-pointer r) (resources->handle-pointer (device-resources)))))
  '(#t #f)]
 [J11 (resources->handle-pointer dead)
  raises 'logic "resources->handle-pointer: the device resources on device 0 were released"]
 [J12 (with-array-views ([f F]) (list (ptr-ref f _int32 'abs 8) (ptr-ref f _int32 'abs 20) (list (ptr-ref f _int64 'abs 24) (ptr-ref f _int64 'abs 32)) (list (ptr-ref f _int64 'abs 88) (ptr-ref f _int64 'abs 96))))
  '(0 2 (2 3) (1 2))]
 [J13 (with-array-views ([v (device-vector 4 #:dtype 'int64)]) (list (ptr-ref v _int32 'abs 8) (ptr-ref v _int32 'abs 20) (ptr-ref v _int64 'abs 24) (ptr-ref v _int64 'abs 32) (ptr-ref v _int64 'abs 88)))
  '(3 1 4 0 1)]
 [J14 (with-array-views ([m (list*->device-matrix '((1 2 3) (4 5 6)) #:dtype 'int32 #:layout 'col-major)]) (for/list ([i 6]) (ptr-ref (ptr-ref m _pointer) _int32 i)))
  '(1 4 2 5 3 6)]
 [J15 (with-array-views ([w #f] [x (device-vector 3)]) (list w (cpointer? x)))
  '(#f #t)]
 [J16 (call-with-values (lambda () (with-array-views ([x (device-vector 3)]) (values 1 2))) list)
  '(1 2)]
 [J17 (let ([x (with-array-views ([x (device-vector 3)]) x)]) (list (ptr-ref x _pointer) (ptr-ref x _int32 'abs 12) (ptr-ref x _int32 'abs 16)))
  '(#f -1 -1)]
 [J18 (for/list ([v (in-generator (with-array-views ([x (device-vector 2)]) (yield 1) (yield 2)))]) v)
  raises 'logic "with-array-views: cannot re-enter its body after its resources were released"]
 [J19 (let ([a (device-vector 3)]) (release-array! a) (with-array-views ([x a]) x))
  raises 'logic "device-array: used after its release"]
 [J20 (let ([r (device-resources)]) (with-array-views #:resources [h r] ([x (device-vector 2 #:resources r)]) (ptr-equal? h (resources->handle-pointer r))))
  #t]
 [J21 (with-array-views #:resources [h dead] () h)
  raises 'logic "with-array-views: the device resources on device 0 were released"]
 [J22 (with-handlers ([exn:fail:syntax? (lambda (e) (regexp-match? #rx"duplicate binding name" (exn-message e)))]) (eval '(with-array-views ([a #f] [a #f]) a)))
  #t]
 [J23 (with-handlers ([exn:fail:syntax? (lambda (e) (regexp-match? #rx"duplicate binding name" (exn-message e)))]) (eval '(with-array-views #:resources [a (device-resources)] ([a #f]) a)))
  #t])
