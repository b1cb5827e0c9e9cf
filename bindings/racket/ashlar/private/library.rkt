#lang racket/base
;; library.rkt - finds libashlar and loads it.
(require ffi/unsafe racket/list racket/runtime-path racket/string)
(provide libashlar)

(define-runtime-path collection "..")
(define file (bytes->path (bytes-append #"libashlar" (system-type 'so-suffix))))

;; Where the library may lie beside the collection: in it, or in the build folder of the source tree that holds it.
(define (beside)
  (for/list ([folder (in-list '("." "native" "../../../build"))])
    (simplify-path (build-path collection folder file))))

(define (load-failed path e)
  (raise (exn:fail (format (string-append "ashlar: libashlar was found but would not load\n  found in: ~a\n"
                                          "  the loader said: ~a\n"
                                          "  give the path of one that loads in ASHLAR_LIBRARY")
                           path (exn-message e))
                   (current-continuation-marks))))

(define (not-found looked e)
  (raise (exn:fail (format (string-append "ashlar: libashlar was not found\n  looked in: ~a\n  the loader said: ~a\n"
                                          "  install the library, or give its path in ASHLAR_LIBRARY")
                           (string-join (map path->string looked) ", ") (exn-message e))
                   (current-continuation-marks))))

(define (load-file path)
  (with-handlers ([exn:fail? (lambda (e) (load-failed path e))])
    (ffi-lib path)))

(define (load-from-system looked)
  (with-handlers ([exn:fail? (lambda (e) (not-found looked e))])
    (ffi-lib "libashlar" '("0" #f))))

;; The path in ASHLAR_LIBRARY and no other, else what lies beside the collection, else what the system's loader finds.
(define libashlar
  (let ([given (getenv "ASHLAR_LIBRARY")])
    (cond
      [(and given (non-empty-string? given))
       (define path (path->complete-path given))
       (if (file-exists? path)
           (load-file path)
           (not-found (list path) (exn:fail "no such file" (current-continuation-marks))))]
      [(findf file-exists? (beside)) => load-file]
      [else (load-from-system (append (beside) ((dynamic-require 'setup/dirs 'get-lib-search-dirs))))])))
