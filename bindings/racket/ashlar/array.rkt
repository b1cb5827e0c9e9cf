#lang racket/base
;; array.rkt - arrays: making them, what they are, lists and flvectors.
(require "private/array.rkt" "private/convert.rkt")
(provide device-matrix
         device-vector
         device-array?
         device-matrix?
         device-vector?
         shape
         strides
         dtype
         layout
         numel
         contiguous?
         contiguous
         list->device-vector
         device-vector->list
         list*->device-matrix
         device-matrix->list*
         flvector->device-vector
         device-vector->flvector)
