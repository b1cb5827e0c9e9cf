#lang info
(define collection "ashlar")
(define pkg-desc "Typed arrays on the CPU and on GPUs, over the C library libashlar")
(define version "0.1")
(define license 'Apache-2.0)
(define deps '(("base" #:version "8.7") "math-lib"))
(define build-deps '("at-exp-lib" "rackunit-lib" "sandbox-lib" "scribble-lib"))
(define scribblings '(("scribblings/ashlar.scrbl" (multi-page))))
(define test-omit-paths '("scribblings" "tests/support.rkt" "tests/place.rkt"))
