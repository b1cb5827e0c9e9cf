#lang racket
;; support.rkt - the definitions that the tables start from, and the form of a table.
(require rackunit "../main.rkt" "../private/testing.rkt")
(provide (all-from-out "../main.rkt" "../private/testing.rkt")
         (all-defined-out))

(define samples '((5.1 3.5 1.4 0.2) (4.9 3.0 1.4 0.2) (7.0 3.2 4.7 1.4) (6.4 3.2 4.5 1.5)))
(define X (list*->device-matrix samples #:dtype 'float32))
(define labels (device-vector (first (shape X)) #:dtype 'int32))
(define out (device-matrix 1000 128))
(define Xf (contiguous X #:layout 'col-major))
(define weights (device-vector 4 #:dtype 'float64))
(define one-feature (list*->device-matrix '((5.1) (4.9) (7.0)) #:dtype 'float32))
(define assigned (list->device-vector '(0 2 1 2) #:dtype 'int32))
(define (p v) (format "~a" v))
(define dead (with-device-resources ([r (device-resources)]) r)) ; released resources

;; Texts with floats that Racket releases spell differently.
(define (refusal who v dtype) (format "~a: ~e does not fit ~a" who v dtype))
(define (vector-text what cells)
  (define texts (map number->string cells))
  (define width (apply max (map string-length texts)))
  (format "#<device-vector ~a cpu:0 [~a]>" what (string-join (map (lambda (t) (~a t #:min-width width #:align 'right)) texts))))

;; Rows name the device cpu:0; they are run on the default one.
(define (here v)
  (if (string? v)
      (string-replace v "cpu:0" (resources-device-name (current-device-resources)))
      v))

;; Kind #f: an error that is not the package's.
(define (check-refused kind message thunk)
  (define e (with-handlers ([exn:fail? values]) (thunk) #f))
  (check-true (exn:fail? e) "raises nothing")
  (when e
    (check-equal? (exn-message e) (here message))
    (check-equal? (and (exn:fail:ashlar? e) (exn:fail:ashlar-kind e)) kind)))

;; Each row is a test: [NAME expression expected], or [NAME expression raises kind message].
(define-syntax raises (syntax-rules ()))
(define-syntax rows
  (syntax-rules ()
    [(_ row ...)
     (module+ test
       (run-row row) ...
       (test-case "K11" (check-equal? (release-failure-count) 0)))]))
(define-syntax run-row
  (syntax-rules (raises)
    [(_ [name expr raises kind message])
     (test-case (symbol->string 'name) (check-refused kind message (lambda () expr)))]
    [(_ [name expr expected])
     (test-case (symbol->string 'name) (check-equal? expr (here expected)))]))
