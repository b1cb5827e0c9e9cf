#lang racket/base
;; array.rkt - arrays: the struct, what it answers, new ones, their elements, other layouts.
(require ffi/unsafe racket/flonum racket/list racket/string "errors.rkt" "native.rkt" "print.rkt" "resources.rkt")
(provide device-array?
         device-matrix?
         device-vector?
         device-matrix
         device-vector
         shape
         strides
         dtype
         layout
         numel
         contiguous?
         contiguous
         dtype-code
         dtype-size
         float-dtype?
         check-making
         host->array
         read-floats
         read-into
         known-dtype?
         read-integers
         array-handle
         device-number
         wait-for
         elements-pointer
         elements-in-memory
         device-array-pointer
         device-array-released?
         release-array!)

;; ---- words
(define dtype-codes (hasheq 'float32 12 'float64 13 'int32 4 'int64 5))
(define layout-codes (hasheq 'row-major 1 'col-major 2))

(define (dtype-code who dtype)
  (hash-ref dtype-codes dtype
            (lambda () (refuse who "unsupported dtype ~a; expected float32, float64, int32 or int64" dtype))))

(define (known-dtype? dtype)
  (hash-has-key? dtype-codes dtype))

(define (layout-code who layout)
  (hash-ref layout-codes layout (lambda () (refuse who "unsupported layout ~a; expected row-major or col-major" layout))))

(define (dtype-size dtype)
  (if (memq dtype '(float32 int32)) 4 8))

(define (float-dtype? dtype)
  (and (memq dtype '(float32 float64)) #t))

;; ---- the struct
;; pointer: the native array; phantom: tells the collector how much memory it holds; the rest does not change
(struct device-array (pointer phantom shape strides dtype layout device [released? #:mutable])
  #:property prop:custom-write (lambda (a port mode) (write-string (array-text a) port)))

(define (device-matrix? v)
  (and (device-array? v) (= (length (device-array-shape v)) 2)))

(define (device-vector? v)
  (and (device-array? v) (= (length (device-array-shape v)) 1)))

(define (check-array who a)
  (unless (device-array? a)
    (raise-argument-error who "device-array?" a)))

(define-syntax-rule (define-property name field)
  (define (name a)
    (check-array 'name a)
    (field a)))
(define-property shape device-array-shape)
(define-property strides device-array-strides)
(define-property dtype device-array-dtype)
(define-property layout device-array-layout)

(define (numel a)
  (check-array 'numel a)
  (apply * (device-array-shape a)))

;; The native array; an error when its storage was given back.
(define (array-handle a)
  (when (device-array-released? a)
    (refuse 'device-array "used after its release"))
  (device-array-pointer a))

;; Gives the storage back now.
(define (release-array! a)
  (unless (device-array-released? a)
    (set-device-array-released?! a #t)
    (checked 'device-array (lambda () (ash_discard (device-array-pointer a))) bad-status?)
    (set-phantom-bytes! (device-array-phantom a) 0)))

;; ---- new arrays
;; Checks resources, dtype and layout in that order; answers the native ones.
(define (check-making who resources dtype layout)
  (define handle (resources-handle who resources))
  (values handle (dtype-code who dtype) (layout-code who layout)))

(define largest-extent (sub1 (expt 2 63)))

(define (check-extent who n)
  (unless (exact-integer? n)
    (raise-argument-error who "exact-nonnegative-integer?" n))
  (when (negative? n)
    (refuse who "negative extent ~a" n))
  (when (> n largest-extent)
    (fail 'out-of-memory who (format "no memory for an extent of ~a" n))))

;; The array that (make dims options) gives.
(define (make-array who shape dtype layout resources make)
  (define-values (handle dtype-code layout-code) (check-making who resources dtype layout))
  (for ([n (in-list shape)])
    (check-extent who n))
  (define sizes (fixed-integers shape))
  (define dims (make-dims sizes (length shape)))
  (define options (make-options handle dtype-code layout-code))
  (define pointer (checked who (lambda () (new-array (lambda () (make dims options)))) not))
  (void/reference-sink sizes)
  (wrap who pointer shape dtype))

;; The struct around a native array.
(define (wrap who pointer shape dtype)
  (define steps (checked who (lambda () (ash_strides pointer)) not))
  (define device (checked who (lambda () (ash_device_of pointer)) not))
  (device-array pointer
                (make-phantom-bytes (* (apply * shape) (dtype-size dtype)))
                shape
                (for/list ([i (in-range (length shape))]) (ptr-ref steps _int64 i))
                dtype
                (if (= (ash_layout_of pointer) 1) 'row-major 'col-major)
                (ash_device_name device)
                #f))

(define (device-matrix rows columns #:dtype [dtype 'float32] #:layout [layout 'row-major]
                       #:resources [resources (current-device-resources)])
  (make-array 'device-matrix (list rows columns) dtype layout resources ash_empty_opt))

(define (device-vector n #:dtype [dtype 'float32] #:resources [resources (current-device-resources)])
  (make-array 'device-vector (list n) dtype 'row-major resources ash_empty_opt))

;; A new array with the values of row-major host data, which are of `host-dtype`.
(define (host->array who data host-dtype shape dtype layout resources)
  (define host-code (dtype-code who host-dtype))
  (make-array who shape dtype layout resources
              (lambda (dims options) (ash_from_host_opt data host-code dims options))))

;; ---- elements
;; Waits until the elements can be read.
(define (wait-for a)
  (define queue (checked 'device-array (lambda () (ash_resources_of (array-handle a))) not))
  (wait-until (lambda () (ash_query queue))))

;; All elements in row-major order, converted, to host memory.
(define (read-into who a data nbytes dtype)
  (array-handle a)
  (unless (zero? nbytes)
    (wait-for a)
    (checked who (lambda () (ash_to_host_as_opt (array-handle a) data nbytes (dtype-code who dtype) #f)) bad-status?)))

;; All elements in row-major order, as an flvector.
(define (read-floats who a)
  (define n (numel a))
  (define to (make-flvector n))
  (read-into who a (flvector->cpointer to) (* 8 n) 'float64)
  to)

;; All elements in row-major order, as the bytes of 64-bit integers.
(define (read-integers who a)
  (define nbytes (* 8 (numel a)))
  (define to (make-bytes nbytes))
  (read-into who a to nbytes 'int64)
  to)

;; All elements in the order in which memory has them, as bytes.
(define (elements-in-memory who a)
  (define nbytes (* (dtype-size (dtype a)) (numel a)))
  (define to (make-bytes nbytes))
  (define handle (array-handle a))
  (unless (zero? nbytes)
    (wait-for a)
    (define flat (checked who (lambda () (ash_parent handle)) not)) ; borrowed: the whole buffer as a vector
    (checked who (lambda () (ash_to_host flat to nbytes)) bad-status?))
  (void/reference-sink a)
  to)

;; ash_elements: the address of the first element at 0, ash_storage at 44
(define elements-size 56)
(define private-storage 2)

;; Where the first element is in the host's memory, to be read and written; waits. An error where the host has no address for it.
(define (elements-pointer who a)
  (define place (make-bytes elements-size))
  (define handle (array-handle a))
  (wait-for a)
  (checked who (lambda () (ash_elements_of "ash_elements_of" "a" handle #t place elements-size)) bad-status?)
  (void/reference-sink a)
  (define first (ptr-ref place _pointer))
  (unless (or first (not (= (ptr-ref place _int32 'abs 44) private-storage)))
    (refuse who "private memory of ~a has no address; make the array in shared storage" (device-array-device a)))
  first)

(define (read-one a index)
  (define get (if (float-dtype? (dtype a)) ash_get_f64_at ash_get_i64_at))
  (define at (fixed-integers index))
  (checked 'device-array
           (lambda ()
             (define mark (ash_scalar_push #t))
             (define v (get (array-handle a) at (length index)))
             (ash_scalar_pop mark)
             (if (ash_failed) #f v))
           not))

;; The number in the name of the device.
(define (device-number a)
  (string->number (cadr (regexp-match #rx":([0-9]+)" (device-array-device a)))))

;; ---- printing
(define (shape-text shape)
  (string-join (map number->string shape) "×"))

(define (header a)
  (define what (format "~a[~a]" (dtype a) (shape-text (shape a))))
  (if (device-vector? a)
      (format "device-vector ~a ~a" what (device-array-device a))
      (format "device-matrix ~a ~a ~a" what (layout a) (device-array-device a))))

(define (elements-text a)
  (with-handlers ([exn:fail? (lambda (e) (format "<values unavailable: ~a>" (exn-message e)))])
    (wait-for a)
    (values-text (dtype a) (shape a) (lambda index (read-one a index)))))

(define (array-text a)
  (define elements (if (device-array-released? a) "<released>" (elements-text a)))
  (define lines (string-split elements "\n" #:trim? #f))
  (if (null? (cdr lines))
      (format "#<~a ~a>" (header a) elements)
      (format "#<~a\n ~a>" (header a) (string-join lines "\n "))))

;; ---- layouts
;; Steps of a dense array of this shape.
(define (dense-strides shape layout)
  (define (running sizes)
    (for/fold ([steps '()] [step 1] #:result (reverse steps)) ([n (in-list sizes)])
      (values (cons step steps) (* step n))))
  (if (eq? layout 'col-major)
      (running shape)
      (reverse (running (reverse shape)))))

(define (contiguous? a #:layout [layout 'row-major])
  (check-array 'contiguous? a)
  (and (hash-has-key? layout-codes layout)
       (or (zero? (numel a))
           (for/and ([n (in-list (shape a))] [have (in-list (strides a))] [want (in-list (dense-strides (shape a) layout))])
             (or (= n 1) (= have want))))))

(define (contiguous a #:layout [layout 'row-major])
  (check-array 'contiguous a)
  (define code (layout-code 'contiguous layout))
  (if (contiguous? a #:layout layout)
      a
      (wrap 'contiguous (copy-in-layout a code) (shape a) (dtype a))))

;; A copy made on the queue of a.
(define (copy-in-layout a code)
  (define queue (checked 'contiguous (lambda () (ash_resources_of (array-handle a))) not))
  (define options (contiguous-options queue code))
  (checked 'contiguous (lambda () (new-array (lambda () (ash_contiguous_opt (array-handle a) options)))) not))
