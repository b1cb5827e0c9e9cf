#lang racket/base
;; modules.rkt - what each module exports and loads, and the versions (table L).
(module+ test
  (require ffi/unsafe racket/list racket/port racket/string racket/system rackunit ashlar/core ashlar/unsafe)

  (define (exports module)
    (dynamic-require module #f)
    (define-values (variables syntaxes) (module->exports module))
    (sort (for*/list ([group (in-list (append variables syntaxes))] #:when (eqv? (car group) 0) [export (in-list (cdr group))])
            (car export))
          symbol<?))
  (define (check-exports module . names)
    (check-equal? (exports module) (sort names symbol<?)))

  (define core
    '(device-resources device-resources? resources-device resources-sync! current-device-resources with-device-resources
      device-count exn:fail:ashlar exn:fail:ashlar? exn:fail:ashlar-kind struct:exn:fail:ashlar ashlar-version ashlar-abi
      resources-device-name device-names))
  (define conversions
    '(list->device-vector device-vector->list list*->device-matrix device-matrix->list* flvector->device-vector
      device-vector->flvector))
  (define array
    (append conversions
            '(device-matrix device-vector device-array? device-matrix? device-vector? shape strides dtype layout numel
              contiguous? contiguous)))
  (apply check-exports 'ashlar/core core)
  (apply check-exports 'ashlar/array array)
  (apply check-exports 'ashlar (append core array))
  (apply check-exports 'ashlar/compat
         (append conversions
                 '(vector->device-vector device-vector->vector vector*->device-matrix device-matrix->vector*
                   list*->device-array vector*->device-array device-array->list* device-array->vector*
                   f32vector->device-vector f64vector->device-vector device-vector->f32vector device-vector->f64vector
                   bytes->device-vector device-vector->bytes matrix->device-matrix array->device-array matrix->device-vector
                   device-matrix->matrix device-array->array device-vector->col-matrix device-vector->row-matrix)))
  (check-exports 'ashlar/unsafe 'ashlar-abi-pointer 'resources->handle-pointer 'status-checker 'with-array-views)

  (define (loads-math? module)
    (parameterize ([current-namespace (make-base-empty-namespace)])
      (dynamic-require module #f)
      (for/or ([name (in-list '(math math/array math/base math/flonum math/matrix))])
        (module-declared? name))))
  (check-false (loads-math? 'ashlar))
  (check-true (loads-math? 'ashlar/compat))

  (check-true (regexp-match? #px"^\\d+\\.\\d+\\.\\d+$" (ashlar-version)))
  (check-equal? (ashlar-abi) (ashlar-abi))
  (check-equal? (ptr-ref (ashlar-abi-pointer) _int32 0) (hash-ref (ashlar-abi) 'abi-version))
  (check-not-false (memq 'cpu (hash-ref (ashlar-abi) 'backends)))
  (check-true (ptr-equal? (ashlar-abi-pointer) (ashlar-abi-pointer)))
  (define part (ptr-ref (ashlar-abi-pointer) _int32 1))
  (check-equal? (ashlar-version)
                (format "~a.~a.~a" (quotient part 10000) (remainder (quotient part 100) 100) (remainder part 100)))

  (define program (getenv "ASHLAR_PROGRAM")) ; the library's own, where the tests know of it
  (when program
    (define told (with-output-to-string (lambda () (system* program "--version"))))
    (check-equal? told (format "ashlar ~a\n" (ashlar-version))))

  (define default (resources-device-name (device-resources)))
  (check-equal? default (format "~a:0" (car (string-split (or (getenv "ASHLAR_DEVICE") "cpu") ":"))))
  (check-not-false (member default (device-names)))
  (check-not-false (member "cpu:0" (device-names)))
  (check-equal? (resources-device (device-resources #:device "cpu:0")) 0)
  (check-eq? (current-device-resources "cpu:0") (current-device-resources "cpu:0"))
  (check-equal? (resources-device-name (current-device-resources "cpu:0")) "cpu:0")
  (check-exn #rx"^device-resources: no device cpu:99 among [0-9]+$" (lambda () (device-resources #:device "cpu:99"))))
