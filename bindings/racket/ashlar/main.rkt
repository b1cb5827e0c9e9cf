#lang racket/base
;; main.rkt - devices and arrays together.
(require "core.rkt" "array.rkt")
(provide (all-from-out "core.rkt" "array.rkt"))
