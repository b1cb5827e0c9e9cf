#lang racket/base
;; testing.rkt - what the tests see of the inside.
(require ffi/unsafe "array.rkt" "native.rkt" "print.rkt" "resources.rkt")
(provide release-array!
         storage
         resources-drop-count
         buffer-drop-count
         release-failure-count
         hold-queue!
         unhold-queue!
         wait-until
         pauses
         float32->string
         values-text)

;; ---- counts of the library
(define-native ash_count_ended (_fun _pointer _size -> _int32))
(define counts-size 24)

(define ((count-at position))
  (define counts (make-bytes counts-size))
  (checked 'ash_count_ended (lambda () (ash_count_ended counts counts-size)) bad-status?)
  (ptr-ref counts _int64 position))
(define buffer-drop-count (count-at 0))
(define resources-drop-count (count-at 1))
(define release-failure-count (count-at 2))

;; ---- queues that look busy
(define-native ash_queue_hold (_fun _pointer -> _int32))
(define-native ash_queue_resume (_fun _pointer -> _void))

;; Answers what ends the hold, also after the resources were released.
(define (hold-queue! r)
  (define handle (resources-handle 'hold-queue! r))
  (checked 'hold-queue! (lambda () (ash_queue_hold handle)) bad-status?)
  handle)

(define (unhold-queue! held)
  (ash_queue_resume held))

;; The elements in the order in which memory has them.
(define (storage a)
  (define type (case (dtype a) [(float32) _float] [(float64) _double] [(int32) _int32] [(int64) _int64]))
  (define data (elements-in-memory 'storage a))
  (for/list ([i (in-range (numel a))])
    (ptr-ref data type i)))
