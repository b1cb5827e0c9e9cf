#lang racket/base
;; resources.rkt - devices, and resources: a device with a queue of work.
(require (for-syntax racket/base) ffi/unsafe racket/list racket/string "errors.rkt" "native.rkt")
(provide device-count
         device-names
         device-resources
         resources?
         resources-device
         resources-device-name
         resources-sync!
         current-device-resources
         with-device-resources
         resources-handle
         wait-until
         pauses)

(define (text r)
  (format "#<device-resources device ~a~a>" (resources-number r) (if (resources-pointer r) "" " released")))

;; pointer: the native resources, #f once released
(struct resources ([pointer #:mutable] number name)
  #:property prop:custom-write (lambda (r port mode) (write-string (text r) port)))

;; ---- devices
(define (names-of backend)
  (for/list ([i (in-range (ash_backend_devices backend))])
    (format "~a:~a" backend i)))

(define (device-names)
  (append* (map (lambda (backend) (names-of (symbol->string backend))) built-in)))

;; The name of the default device, which stays what it was at first use: "cpu:0", or "cpu:0?f64=off".
(define first-default #f)
(define (default-name who)
  (unless first-default
    (set! first-default (ash_device_name (checked who ash_default_device not))))
  first-default)

;; The backend that device numbers count in.
(define (default-backend who)
  (car (string-split (default-name who) ":")))

(define (device-count)
  (ash_backend_devices (default-backend 'device-count)))

;; The device given by number, or by name as "cpu:0".
(struct device (name number))
(define found (make-hash)) ; devices that were asked for, by what they were asked for with

(define (find-device who d)
  (define known (hash-ref found d #f))
  (cond
    [known known]
    [else
     (define new (look-for-device who d))
     (hash-set! found d new)
     new]))

(define (look-for-device who d)
  (cond
    [(exact-integer? d)
     (define backend (default-backend who))
     (define n (ash_backend_devices backend))
     (unless (< -1 d n)
       (refuse who "no device ~a among ~a" d n))
     (define name (format "~a:~a" backend d))
     (define default (default-name who))
     (device (if (string-prefix? default (string-append name "?")) default name) d)]
    [(and (string? d) (regexp-match #px"^(cpu|opencl|cuda):([0-9]+)$" d))
     => (lambda (parts)
          (unless (member d (names-of (second parts)))
            (refuse who "no device ~a among ~a" d (length (device-names))))
          (device d (string->number (third parts))))]
    [else (refuse who "expected a device number, given: ~e" d)]))

;; ---- resources
(define (make-resources who d)
  (resources (checked who (lambda () (new-resources (device-name d))) not) (device-number d) (device-name d)))

(define (device-resources #:device [device 0])
  (make-resources 'device-resources (find-device 'device-resources device)))

(define (check-resources who r)
  (unless (resources? r)
    (refuse who "expected device resources, given: ~e" r)))

;; The native resources; an error when they were released.
(define (resources-handle who r)
  (check-resources who r)
  (or (resources-pointer r)
      (refuse who "the device resources on device ~a were released" (resources-number r))))

(define (resources-device r)
  (check-resources 'resources-device r)
  (resources-number r))

(define (resources-device-name r)
  (check-resources 'resources-device-name r)
  (resources-name r))

(define (release! r)
  (define pointer (resources-pointer r))
  (when pointer
    (set-resources-pointer! r #f)
    (release-resources pointer)))

;; One object per thread and device; new threads start with none.
(define defaults (make-thread-cell #f #f))

(define (current-device-resources [device 0])
  (define d (find-device 'current-device-resources device))
  (unless (thread-cell-ref defaults)
    (thread-cell-set! defaults (make-hash)))
  (define mine (thread-cell-ref defaults))
  (define known (hash-ref mine (device-name d) #f))
  (cond
    [(and known (resources-pointer known)) known]
    [else
     (define made (make-resources 'current-device-resources d))
     (hash-set! mine (device-name d) made)
     made]))

;; ---- waiting
;; Seconds between one look at a queue and the next: 16 times none, then 10 us doubled up to 1 ms.
(define (pauses n)
  (if (< n 16)
      0.0
      (min 1e-3 (* 1e-5 (expt 2 (min 10 (- n 16)))))))

;; Waits until (idle?), letting other threads run and breaks in.
(define (wait-until idle?)
  (let loop ([n 0])
    (unless (idle?)
      (sleep (pauses n))
      (loop (add1 n)))))

(define (resources-sync! r)
  (define (handle) (resources-handle 'resources-sync! r))
  (handle)
  (wait-until (lambda () (ash_query (handle))))
  (checked 'resources-sync! (lambda () (ash_sync (handle))) bad-status?)
  (void))

;; ---- with-device-resources
(define (call-with-resources r body)
  (check-resources 'with-device-resources r)
  (define left? #f)
  (dynamic-wind
   (lambda ()
     (when left?
       (refuse 'with-device-resources "cannot re-enter its body after its resources were released")))
   (lambda () (body r))
   (lambda ()
     (set! left? #t)
     (release! r))))

(define-syntax (with-device-resources stx)
  (syntax-case stx ()
    [(_ ([id expr] ...) body0 body ...)
     (andmap identifier? (syntax->list #'(id ...)))
     (let ([again (check-duplicate-identifier (syntax->list #'(id ...)))])
       (when again
         (raise-syntax-error #f "duplicate binding name" stx again))
       #'(bind-resources ([id expr] ...) (let () body0 body ...)))]))

(define-syntax bind-resources
  (syntax-rules ()
    [(_ () body) body]
    [(_ ([id expr] more ...) body) (call-with-resources expr (lambda (id) (bind-resources (more ...) body)))]))
