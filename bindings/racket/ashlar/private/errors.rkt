#lang racket/base
;; errors.rkt - the one exception of the package.
(provide (struct-out exn:fail:ashlar) fail refuse)

;; kind: 'logic, 'out-of-memory, 'opencl, 'cuda or 'generic
(struct exn:fail:ashlar exn:fail (kind))

;; Raises an error of a kind; the message is "WHO: CAUSE".
(define (fail kind who cause)
  (raise (exn:fail:ashlar (string-append (format "~a: " who) cause) (current-continuation-marks) kind)))

;; Raises the refusal of a call; values are shown with ~e.
(define (refuse who form . values)
  (fail 'logic who (apply format form values)))
