#lang racket/base
;; unsafe.rkt - for C code of one's own on arrays and resources of this package. Pointers are not checked.
(require (for-syntax racket/base)
         ffi/unsafe
         ffi/unsafe/atomic
         "array.rkt"
         "private/array.rkt"
         "private/errors.rkt"
         "private/native.rkt"
         "private/resources.rkt")
(provide ashlar-abi-pointer resources->handle-pointer status-checker with-array-views)

(define (resources->handle-pointer r)
  (resources-handle 'resources->handle-pointer r))

;; ---- statuses
(define kinds (hasheqv 0 'generic 1 'out-of-memory 2 'cuda 3 'logic))

;; A procedure (check who thunk): calls thunk once, whose first value is a status, and answers the other values; where the
;; status is not 0, raises what the two readers say, in the same atomic step.
(define ((status-checker last-error last-error-kind #:exn [constructor exn:fail:ashlar]) who thunk)
  (define-values (text kind results)
    (call-as-atomic
     (lambda ()
       (define results (call-with-values thunk list))
       (if (eqv? (car results) 0)
           (values #f #f (cdr results))
           (values (last-error) (last-error-kind) #f)))))
  (cond
    [results (apply values results)]
    [else
     (define message (format "~a: ~a" who (if (bytes? text) (lenient-string text) text)))
     (raise (constructor message (current-continuation-marks) (if (symbol? kind) kind (hash-ref kinds kind 'generic))))]))

;; ---- views: data at 0; dtype, memory, device, rank: int32 at 8, 12, 16, 20; shape[8], strides[8]: int64 at 24 and 88
(define view-dtypes (hasheq 'float32 0 'float64 1 'int32 2 'int64 3))
(define host-memory 1)

(define (fill-view! view a)
  (define data (elements-pointer 'with-array-views a))
  (ptr-set! view _pointer data)
  (ptr-set! view _int32 2 (hash-ref view-dtypes (dtype a)))
  (ptr-set! view _int32 3 host-memory)
  (ptr-set! view _int32 4 (device-number a))
  (ptr-set! view _int32 5 (length (shape a)))
  (for ([n (in-list (shape a))] [step (in-list (strides a))] [i (in-naturals)])
    (ptr-set! view _int64 (+ 3 i) n)
    (ptr-set! view _int64 (+ 11 i) step)))

(define (clear-view! view)
  (memset view 0 view-size)
  (ptr-set! view _int32 3 -1)
  (ptr-set! view _int32 4 -1))

(define (new-view)
  (define view (malloc view-size 'atomic-interior))
  (memset view 0 view-size)
  view)

;; Calls body with the handle of r, if there is one, and a view of each array.
(define (call-with-views r arrays body)
  (define who 'with-array-views)
  (define handle (if r (list (resources-handle who (car r))) '()))
  (define views (for/list ([a (in-list arrays)]) (and a (new-view))))
  (for ([view (in-list views)] [a (in-list arrays)] #:when a)
    (unless (device-array? a)
      (raise-argument-error who "(or/c device-array? #f)" a))
    (fill-view! view a))
  (define left? #f)
  (dynamic-wind
   (lambda ()
     (when left?
       (refuse who "cannot re-enter its body after its resources were released")))
   (lambda () (apply body (append handle views)))
   (lambda ()
     (set! left? #t)
     (for ([view (in-list views)] #:when view)
       (clear-view! view))
     (void/reference-sink r arrays))))

(define-for-syntax (check-names stx ids)
  (define again (check-duplicate-identifier ids))
  (when again
    (raise-syntax-error #f "duplicate binding name" stx again)))

(define-syntax (with-array-views stx)
  (syntax-case stx ()
    [(_ #:resources [handle r] ([id array] ...) body0 body ...)
     (begin
       (check-names stx (syntax->list #'(handle id ...)))
       #'(call-with-views (list r) (list array ...) (lambda (handle id ...) body0 body ...)))]
    [(_ ([id array] ...) body0 body ...)
     (begin
       (check-names stx (syntax->list #'(id ...)))
       #'(call-with-views #f (list array ...) (lambda (id ...) body0 body ...)))]))
