#lang at-exp racket/base
;; common.rkt - what the parts of the manual share: the evaluator of their examples, the text of the first one, a list.
(require (for-syntax racket/base)
         (for-label racket/base)
         racket/file racket/runtime-path racket/string scribble/example scribble/manual)
(provide ev kmeans-text kinds)

(define ev
  (make-base-eval #:lang 'racket
                  '(require ashlar ashlar/compat ashlar/unsafe ashlar/examples/kmeans racket/flonum ffi/vector
                            (except-in ffi/unsafe ->))))
(ev '(random-seed 1))

;; The example's text before its main program.
(define-runtime-path kmeans "../examples/kmeans.rkt")
(define kmeans-text
  (car (string-split (file->string kmeans) "\n(module+ main")))

(define kinds
  @elem{@racket['logic] (the call was refused), @racket['out-of-memory], @racket['opencl], @racket['cuda], or @racket['generic]})
