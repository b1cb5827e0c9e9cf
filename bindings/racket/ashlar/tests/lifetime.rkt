#lang racket
;; lifetime.rkt - memory and its end (table K), errors among threads, the end of a program, a library that is not there.
(module+ test
  (require compiler/find-exe rackunit ashlar ashlar/unsafe "../private/testing.rkt")

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
  (test-case "K7"
    (define before (resources-drop-count))
    (with-device-resources ([a (device-resources)] [b (device-resources)]) (void))
    (check-equal? (- (resources-drop-count) before) 2)
    (define r (device-resources))
    (with-device-resources ([a r]) (with-device-resources ([b a]) (void)))
    (check-equal? (- (resources-drop-count) before) 3))
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

  (test-case "others run during a wait, and a break ends it"
    (define idle? #f)
    (define waiting (thread (lambda () (wait-until (lambda () idle?)))))
    (check-false (sync/timeout 0.05 waiting))
    (set! idle? #t)
    (check-equal? (sync/timeout 10 waiting) waiting)
    (define result (make-channel))
    (define broken
      (thread (lambda ()
                (channel-put result (with-handlers ([exn:break? (lambda (e) 'broken)]) (wait-until (lambda () #f)))))))
    (check-false (sync/timeout 0.05 broken))
    (break-thread broken)
    (check-equal? (sync/timeout 10 result) 'broken))
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
    (check-equal? (run "-e" "(define v (contiguous (device-matrix 1000 1000) #:layout 'col-major)) (exit 3)") '(3 "")))
  (define (run-with library)
    (parameterize ([current-environment-variables (environment-variables-copy (current-environment-variables))])
      (putenv "ASHLAR_LIBRARY" library)
      (second (run))))
  (test-case "a library that is not there, and one that is none"
    (check-regexp-match #rx"ashlar: libashlar was not found\n  looked in: .*missing.so\n  the loader said: no such file"
                        (run-with "missing.so"))
    (check-regexp-match #rx"ashlar: libashlar was found but would not load\n  found in: .*info.rkt\n  the loader said: "
                        (run-with (path->string (collection-file-path "info.rkt" "ashlar"))))))
