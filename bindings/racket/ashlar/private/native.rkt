#lang racket/base
;; native.rkt - the functions of libashlar, and calls of them that take the error in the same atomic step.
(require ffi/unsafe ffi/unsafe/alloc ffi/unsafe/atomic "errors.rkt" "library.rkt")
(provide (all-defined-out))

(define-syntax-rule (define-native name type)
  (define name (get-ffi-obj 'name libashlar type)))

;; ---- the library itself
(define-native ash_abi (_fun -> _pointer))
(define expected-abi 1)
(define headers-version "0.1.0")
(define error-size 576)

(define abi-record (ash_abi))
(define abi-number (ptr-ref abi-record _int32 0))
(unless (= abi-number expected-abi)
  (raise (exn:fail (format "ashlar: this package is for ABI ~a of libashlar, but the library has ABI ~a" expected-abi abi-number)
                   (current-continuation-marks))))

(define (ashlar-version)
  (ptr-ref abi-record _string/utf-8 'abs 32))

(define view-size 152)

;; The backends that were built in, in their order.
(define built-in
  (for/list ([name (in-list '(cpu opencl cuda))] [bit (in-naturals)]
             #:when (bitwise-bit-set? (ptr-ref abi-record _int32 3) bit))
    name))

(define (ashlar-abi)
  (hasheq 'abi-version abi-number
          'version headers-version
          'max-rank (ptr-ref abi-record _int32 2)
          'view-size view-size
          'backends built-in))

(define (ashlar-abi-pointer)
  abi-record)

;; ---- errors
(define-native ash_error_take (_fun _pointer _size -> _stdbool))
(define-native ash_error_clear (_fun -> _void))

(struct failure (status cause))
(define memory-status 6)
(define device-status 7)
(define released-status 10)

(define error-place (malloc error-size 'raw)) ; used in atomic mode only

(define (text-at place offset size)
  (define bytes (make-bytes size))
  (memcpy bytes (ptr-add place offset) size)
  (lenient-string (car (regexp-match #rx#"^[^\0]*" bytes))))

(define (lenient-string bytes)
  (bytes->string/utf-8 bytes #\uFFFD))

(define (take-failure)
  (if (ash_error_take error-place error-size)
      (failure (ptr-ref error-place _int32 0) (text-at error-place 64 512))
      (failure 13 "unknown error")))

;; Calls `native` and, where its result is a failure, takes the error before any other thread can run.
(define (attempt native failed?)
  (call-as-atomic
   (lambda ()
     (ash_error_clear)
     (define result (native))
     (if (failed? result) (take-failure) result))))

;; A fault of a device says whose it is: it names the device, or what the driver is called.
(define (status-kind status cause)
  (cond
    [(= status memory-status) 'out-of-memory]
    [(not (= status device-status)) (if (<= status released-status) 'logic 'generic)]
    [(regexp-match? #rx"opencl|OpenCL" cause) 'opencl]
    [(regexp-match? #rx"cuda|CUDA" cause) 'cuda]
    [else 'generic]))

(define (raise-failure who f)
  (if (= (failure-status f) released-status)
      (refuse 'device-array "used after its release")
      (fail (status-kind (failure-status f) (failure-cause f)) who (failure-cause f))))

;; The same; a failure is raised.
(define (checked who native failed?)
  (define result (attempt native failed?))
  (if (failure? result) (raise-failure who result) result))

(define (bad-status? status) (not (eqv? status 0)))

;; ---- devices and resources
(define-native ash_backend_devices (_fun _string/utf-8 -> _int64))
(define-native ash_device_name (_fun _pointer -> _string/utf-8))
(define-native ash_default_device (_fun -> _pointer))
(define-native ash_resources_new (_fun _string/utf-8 -> _pointer))
(define-native ash_resources_release (_fun _pointer -> _void))
(define-native ash_query (_fun _pointer -> _stdbool))
(define-native ash_sync (_fun _pointer -> _int32))

(define release-resources ((deallocator) ash_resources_release))
(define new-resources ((allocator release-resources) ash_resources_new))

;; ---- arrays
(define-cstruct _dims ([size _pointer] [rank _int64]))
(define-native ash_scope_open_barrier (_fun -> _int64))
(define-native ash_scope_close (_fun _int64 -> _void))
(define-native ash_scalar_push (_fun _stdbool -> _int64))
(define-native ash_scalar_pop (_fun _int64 -> _void))
(define-native ash_empty_opt (_fun _dims _pointer -> _pointer))
(define-native ash_from_host_opt (_fun _pointer _int32 _dims _pointer -> _pointer))
(define-native ash_contiguous_opt (_fun _pointer _pointer -> _pointer))
(define-native ash_to_host (_fun _pointer _pointer _size -> _int32))
(define-native ash_to_host_as_opt (_fun _pointer _pointer _size _int32 _pointer -> _int32))
(define-native ash_get_f64_at (_fun _pointer _pointer _int64 -> _double))
(define-native ash_get_i64_at (_fun _pointer _pointer _int64 -> _int64))
(define-native ash_failed (_fun -> _stdbool))
(define-native ash_strides (_fun _pointer -> _pointer))
(define-native ash_layout_of (_fun _pointer -> _int32))
(define-native ash_device_of (_fun _pointer -> _pointer))
(define-native ash_resources_of (_fun _pointer -> _pointer))
(define-native ash_parent (_fun _pointer -> _pointer))
(define-native ash_elements_of (_fun _string/utf-8 _string/utf-8 _pointer _stdbool _pointer _size -> _int32))
(define-native ash_discard (_fun _pointer -> _int32))
(define-native ash_release (_fun _pointer -> _void))

;; Calls what makes an array so that no open scope holds it, and gives it to the collector.
(define new-array
  ((allocator ash_release)
   (lambda (make)
     (define barrier (ash_scope_open_barrier))
     (define handle (make))
     (ash_scope_close barrier)
     handle)))

;; Memory that collections do not move, holding 64-bit integers.
(define (fixed-integers numbers)
  (define place (malloc _int64 (max 1 (length numbers)) 'atomic-interior))
  (for ([n (in-list numbers)] [i (in-naturals)])
    (ptr-set! place _int64 i n))
  place)

;; ---- options: struct_size, resources, dtype, layout, storage, memory - the head of every struct that makes an array
(define options-size 40)

(define (make-options resources dtype layout)
  (define options (malloc options-size 'atomic))
  (memset options 0 options-size)
  (ptr-set! options _size options-size)
  (ptr-set! options _pointer 1 resources)
  (ptr-set! options _int32 4 dtype)
  (ptr-set! options _int32 5 layout)
  options)

;; ash_contiguous_options: struct_size, resources, layout
(define (contiguous-options resources layout)
  (define options (malloc 24 'atomic))
  (memset options 0 24)
  (ptr-set! options _size 24)
  (ptr-set! options _pointer 1 resources)
  (ptr-set! options _int32 4 layout)
  options)
