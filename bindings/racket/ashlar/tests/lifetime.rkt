#lang racket
;; lifetime.rkt - memory and its end (table K), errors among threads, the end of a program, a library that is not there.
(module+ test
  (require compiler/find-exe ffi/unsafe racket/flonum racket/generator rackunit ashlar ashlar/unsafe "../private/testing.rkt")

  (define (drain)
    (for ([i 3])
      (collect-garbage 'major)
      (sync (system-idle-evt))))
  (define MiB (expt 2 20))

  ;; How much the memory in use grows by an array of n by n while it is held, and what is left of it afterwards.
  (define (growth n)
    (drain)
    (define before (current-memory-use))
    (define m (device-matrix n n))
    (drain)
    (define held (- (current-memory-use) before))
    (numel m)
    (set! m #f)
    (drain)
    (list held (- (current-memory-use) before)))
  (test-case "K1 to K3: an array counts as memory while it is held"
    (growth 16) ; what the first time leaves behind is not the array's
    (match-define (list held after) (growth 4096))
    (check-true (<= (- 67108864 MiB) held (+ 67108864 MiB)))
    (check-true (< after MiB))
    (check-equal? (round (/ (first (growth 1024)) MiB 1.0)) 4.0))

  (define (drops-at-least count n make)
    (define before (count))
    (make)
    (let loop ([tries 50])
      (collect-garbage 'major)
      (sync (system-idle-evt))
      (when (and (< (- (count) before) n) (positive? tries))
        (loop (sub1 tries))))
    (check-true (>= (- (count) before) n)))
  (test-case "K4" (drops-at-least buffer-drop-count 10 (lambda () (for ([i 10]) (device-vector 3)))))
  (test-case "K5" (drops-at-least resources-drop-count 3 (lambda () (for ([i 3]) (device-resources)))))
  (test-case "K6"
    (drops-at-least resources-drop-count 3
                    (lambda ()
                      (for-each thread-wait
                                (for/list ([i 3]) (thread (lambda () (resources-sync! (current-device-resources)))))))))
  (define-syntax-rule (drops body)
    (let ([before (resources-drop-count)])
      body
      (- (resources-drop-count) before)))
  (test-case "K7"
    (drain)
    (check-equal? (drops (with-device-resources ([a (device-resources)]) (void))) 1)
    (check-equal? (drops (with-handlers ([exn:fail? void]) (with-device-resources ([a (device-resources)]) (error "left")))) 1)
    (check-equal? (drops (let/ec k (with-device-resources ([a (device-resources)]) (k (void))))) 1)
    (check-equal? (drops (for/first ([v (in-generator (with-device-resources ([a (device-resources)]) (yield 1)))]) v)) 1)
    (check-equal? (drops (with-device-resources ([a (device-resources)] [b (device-resources)]) (void))) 2)
    (check-equal? (drops (with-handlers ([exn:fail? void]) (with-device-resources ([a (device-resources)] [b (error "none")]) (void))))
                  1)
    (define r (device-resources))
    (check-equal? (drops (with-device-resources ([a r]) (with-device-resources ([b a]) (void)))) 1))
  (test-case "K8"
    (release-array! (device-vector 3)) ; what the first time leaves behind is not the array's
    (define v (device-vector (expt 2 21)))
    (drain)
    (define before (current-memory-use))
    (release-array! v)
    (drain)
    (define fall (- before (current-memory-use)))
    (check-true (>= fall (* 7 MiB)) (format "fell by ~a" fall))
    (check-equal? (numel v) (expt 2 21)))
  (test-case "K9"
    (drain)
    (define before (buffer-drop-count))
    (with-array-views ([v (device-vector 3)])
      (drain)
      (check-equal? (buffer-drop-count) before))
    (drain)
    (check-true (> (buffer-drop-count) before)))
  (test-case "K10"
    (drain)
    (define before (resources-drop-count))
    (with-array-views #:resources [h (device-resources)] ()
      (drain)
      (check-equal? (resources-drop-count) before))
    (drain)
    (check-true (> (resources-drop-count) before)))
  (test-case "a queue lasts as long as an array made with it"
    (define m (with-device-resources ([r (device-resources)])
                (define m (list*->device-matrix '((1 2) (3 4)) #:resources r))
                (drain)
                (check-equal? (drops (void)) 0)
                m))
    (define before (resources-drop-count))
    (check-equal? (device-matrix->list* (contiguous m #:layout 'col-major)) '((1 2) (3 4)))
    (check-equal? (resources-drop-count) before))
  ;; The most memory that this process has had so far, in KiB.
  (define (peak)
    (string->number (second (regexp-match #rx"VmHWM:[ \t]*([0-9]+)" (file->string "/proc/self/status")))))
  (test-case "arrays that are dropped in a loop take the memory of a few"
    (define xs (make-flvector 12500 1.0)) ; 100 kB; all together 1 GB
    (drain)
    (define before (peak))
    (for ([i 10000])
      (flvector->device-vector xs))
    (for ([i 10000])
      (list->device-vector '(1 2 3) #:resources (device-resources)))
    (define grown (- (peak) before))
    (check-true (< grown (* 200 1024)) (format "grew by ~a KiB" grown)))

  (test-case "K12, K13"
    (define (kind thunk)
      (with-handlers ([exn:fail:ashlar? exn:fail:ashlar-kind]) (thunk)))
    (check-equal? (kind (lambda () (device-matrix (expt 2 26) (expt 2 26)))) 'out-of-memory)
    (check-equal? (numel (device-vector 3)) 3)
    (for ([n (list (expt 2 40) (expt 2 62) (expt 2 70))])
      (check-not-false (memq (kind (lambda () (device-matrix n n))) '(logic out-of-memory)))))

  (test-case "each thread reads the error of its own call"
    (define stop? #f)
    (define others
      (for/list ([i 4])
        (thread (lambda ()
                  (let loop ()
                    (unless stop?
                      (with-handlers ([exn:fail:ashlar? void]) (device-matrix (expt 2 (+ 26 i)) (expt 2 26)))
                      (device-vector i)
                      (sleep 0)
                      (loop)))))))
    (for ([i 500])
      (check-exn #rx"^device-vector: .*has no memory for 288230376151711744 bytes$"
                 (lambda () (device-vector (expt 2 55) #:dtype 'int64)))
      (sleep 0))
    (set! stop? #t)
    (for-each thread-wait others))

  (test-case "the waits between two looks at a queue"
    (check-equal? (map pauses '(0 15 16 17 22 23 40)) (list 0.0 0.0 1e-5 2e-5 6.4e-4 1e-3 1e-3)))

  ;; Starts (wait) in a thread while the queue of r is busy; answers how to end the hold, the thread, and where its result comes:
  ;; what wait answers or raises.
  (define (start-waiting r wait)
    (define held (hold-queue! r))
    (define result (make-channel))
    (define waiting
      (thread (lambda () (channel-put result (with-handlers ([exn:break? values] [exn:fail? values]) (wait))))))
    (check-false (sync/timeout 0.05 result) "does not wait")
    (values (lambda () (unhold-queue! held)) waiting result))

  (test-case "whatever needs the elements waits, while others run and memory is collected"
    (define r (device-resources))
    (define v (list->device-vector '(1 2) #:resources r))
    (define m (list*->device-matrix '((1 2) (3 4)) #:resources r))
    (for ([wait (list (lambda () (resources-sync! r))
                      (lambda () (device-vector->list v))
                      (lambda () (device-vector->flvector v))
                      (lambda () (device-matrix->list* m))
                      (lambda () (format "~a" m))
                      (lambda () (with-array-views ([a v]) (cpointer? a))))])
      (define wanted (wait))
      (define-values (resume waiting result) (start-waiting r wait))
      (collect-garbage 'minor)
      (check-equal? (list (shape v) (strides m) (dtype m)) '((2) (2 1) int64)) ; these never wait
      (resume)
      (check-equal? (sync/timeout 10 result) wanted)))
  (test-case "a collection ends during a wait"
    (define r (device-resources))
    (define-values (resume waiting result) (start-waiting r (lambda () (resources-sync! r))))
    (collect-garbage 'major)
    (resume)
    (check-equal? (sync/timeout 10 result) (void)))
  (test-case "a break ends a wait; the resources stay usable"
    (define r (device-resources))
    (define-values (resume waiting result) (start-waiting r (lambda () (resources-sync! r))))
    (break-thread waiting)
    (check-true (exn:break? (sync/timeout 10 result)))
    (resume)
    (check-equal? (resources-sync! r) (void))
    (check-equal? (device-vector->list (list->device-vector '(7) #:resources r)) '(7)))
  (test-case "resources that are released during a wait end it"
    (define r (device-resources))
    (define-values (resume waiting result) (start-waiting r (lambda () (resources-sync! r))))
    (with-device-resources ([x r]) (void))
    (define e (sync/timeout 10 result))
    (check-true (exn:fail:ashlar? e))
    (check-equal? (exn-message e) "resources-sync!: the device resources on device 0 were released")
    (resume))
  (test-case "a cut text reads the cells it shows"
    (for ([shape '((1000 1000) (500 2))] [cells '(36 12)])
      (define reads 0)
      (values-text 'int32 shape (lambda (i j) (set! reads (add1 reads)) 0))
      (check-equal? reads cells)))

  (test-case "storage in either layout"
    (check-equal? (storage (list*->device-matrix '((1 2 3) (4 5 6)) #:layout 'col-major)) '(1 4 2 5 3 6))
    (check-equal? (storage (list*->device-matrix '((1 2 3) (4 5 6)))) '(1 2 3 4 5 6)))

  ;; Status, standard error and nothing else of a program run by another Racket.
  (define (run . program)
    (define error (open-output-string))
    (define status
      (parameterize ([current-error-port error] [current-output-port (open-output-nowhere)])
        (apply system*/exit-code (find-exe) "-l" "racket/base" "-l" "ashlar" program)))
    (list status (get-output-string error)))
  (test-case "K14, K15: the end of a program"
    (check-equal? (run "-e" "(define v (device-vector 100000)) (define r (device-resources))") '(0 ""))
    (check-equal? (run "-l" "ashlar/private/testing" "-e"
                       (~a "(define v (contiguous (device-matrix 1000 1000) #:layout 'col-major))"
                           "(define held (hold-queue! (current-device-resources))) (exit 3)"))
                  '(3 "")))
  (test-case "K16: the end of a place"
    (define place (dynamic-place (collection-file-path "place.rkt" "ashlar/tests") 'main))
    (define keep (list->device-vector '(1 2 3)))
    (check-equal? (sync/timeout 60 place) '(4.0 5.0))
    (check-equal? (place-wait place) 0)
    (check-equal? (device-vector->list keep) '(1 2 3)))
  (test-case "K11" (check-equal? (release-failure-count) 0))
  ;; The same where environment variables have other values.
  (define (run-where settings . program)
    (parameterize ([current-environment-variables (environment-variables-copy (current-environment-variables))])
      (for ([(name value) settings])
        (putenv name value))
      (apply run program)))
  (test-case "a backend without a device"
    (define where (hash "ASHLAR_DEVICE" "opencl" "ASHLAR_OPENCL" "off"))
    (for ([call '("(device-count)" "(device-vector 3)" "(device-resources)")]
          [who '("device-count" "current-device-resources" "device-resources")])
      (check-equal? (run-where where "-e" (format "(with-handlers ([exn:fail:ashlar? (lambda (e) (eprintf \"~~a ~~a\" ~a ~a))]) ~a)"
                                                  "(exn:fail:ashlar-kind e)" "(car (regexp-match #rx\"^.*?: no device\" (exn-message e)))"
                                                  call))
                    (list 0 (format "opencl ~a: no device" who)))))
  (test-case "a default device with an ability taken away"
    (match-define (list status text)
      (run-where (hash "ASHLAR_DEVICE" "cpu:0?f64=off") "-e"
                 "(eprintf \"~a ~a\" (list->device-vector '(1 2) #:dtype 'float32) (resources-device-name (device-resources)))"))
    (check-equal? text "#<device-vector float32[2] cpu:0?f64=off [1.0 2.0]> cpu:0?f64=off"))
  (define (run-with library)
    (second (run-where (hash "ASHLAR_LIBRARY" library))))
  (test-case "a library that is not there, and one that is none"
    (check-regexp-match #rx"ashlar: libashlar was not found\n  looked in: .*missing.so\n  the loader said: no such file"
                        (run-with "missing.so"))
    (check-regexp-match #rx"ashlar: libashlar was found but would not load\n  found in: .*info.rkt\n  the loader said: "
                        (run-with (path->string (collection-file-path "info.rkt" "ashlar")))))
  (define other (getenv "ASHLAR_OTHER_ABI")) ; a library of another ABI, where the tests have made one
  (when other
    (test-case "a library of another ABI"
      (check-regexp-match #rx"ashlar: this package is for ABI 1 of libashlar, but the library has ABI 77" (run-with other)))))
