#lang racket/base
;; testing.rkt - what the tests see of the inside.
(require ffi/unsafe "array.rkt" "native.rkt" "print.rkt" "resources.rkt")
(provide release-array! storage resources-drop-count buffer-drop-count wait-until pauses float32->string values-text)

(define (resources-drop-count) resources-drops)
(define (buffer-drop-count) buffer-drops)

;; The elements in the order in which memory has them.
(define (storage a)
  (define type (case (dtype a) [(float32) _float] [(float64) _double] [(int32) _int32] [(int64) _int64]))
  (define data (checked 'storage (lambda () (ash_map_host (array-handle a))) not))
  (for/list ([i (in-range (numel a))])
    (ptr-ref data type i)))
