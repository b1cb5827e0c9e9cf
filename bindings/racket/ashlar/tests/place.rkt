#lang racket/base
;; place.rkt - a place that makes arrays and resources, tells what is in one, and ends with all of them alive.
(require racket/place ashlar)
(provide main)

(define (main channel)
  (define r (device-resources))
  (define v (list->device-vector '(4 5) #:dtype 'float32 #:resources r))
  (define m (contiguous (device-matrix 300 200 #:resources r) #:layout 'col-major))
  (place-channel-put channel (device-vector->list v))
  (void (resources-sync! r) (numel m)))
