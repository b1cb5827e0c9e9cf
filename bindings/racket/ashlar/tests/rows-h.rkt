#lang racket
;; rows-h.rkt - table H: devices and resources.

(require racket/flonum racket/generator "support.rkt")

(define-namespace-anchor here)
(current-namespace (namespace-anchor->namespace here))

(rows
 [H1 (p (device-resources))
  "#<device-resources device 0>"]
 [H2 (p dead)
  "#<device-resources device 0 released>"]
 [H3 (resources-device (device-resources))
  0]
 [H4 (map resources-device (list (device-resources #:device 0) (current-device-resources)))
  '(0 0)]
 [H5 (eq? (device-resources) (device-resources))
  #f]
 [H6 (map device-resources? (list (current-device-resources) dead 0))
  '(#t #t #f)]
 [H7 (resources-device dead)
  0]
 [H8 (resources-device 5)
  raises 'logic "resources-device: expected device resources, given: 5"]
 [H9 (resources-sync! dead)
  raises 'logic "resources-sync!: the device resources on device 0 were released"]
 [H10 (resources-sync! 5)
  raises 'logic "resources-sync!: expected device resources, given: 5"]
 [H11 (void? (resources-sync! (current-device-resources)))
  #t]
 [H12 (eq? (current-device-resources) (current-device-resources))
  #t]
 [H13 (eq? (current-device-resources) (current-device-resources 0))
  #t]
 [H14 (let ([c (make-channel)]) (thread (lambda () (channel-put c (current-device-resources)))) (eq? (channel-get c) (current-device-resources)))
  #f]
 [H15 (let ([c (make-channel)]) (thread (lambda () (channel-put c (list (current-device-resources) (current-device-resources))))) (apply eq? (channel-get c)))
  #t]
 [H16 (let ([before (current-device-resources)]) (with-device-resources ([r before]) (resources-sync! r)) (list (p before) (eq? before (current-device-resources))))
  '("#<device-resources device 0 released>" #f)]
 [H17 (eq? (device-resources) (current-device-resources))
  #f]
 [H18 (with-device-resources ([r (device-resources)]) (resources-sync! r) (resources-device r))
  0]
 [H19 (with-device-resources ([a (device-resources)] [b (device-resources #:device (resources-device a))]) (eq? a b))
  #f]
 [H20 (let ([r (device-resources)]) (with-device-resources ([r r]) (void)) (p r))
  "#<device-resources device 0 released>"]
 [H21 (let ([r (device-resources)]) (with-handlers ([exn:fail? void]) (with-device-resources ([x r]) (error 'job "boom"))) (p r))
  "#<device-resources device 0 released>"]
 [H22 (let ([r (device-resources)]) (list (let/ec k (with-device-resources ([x r]) (k 'left))) (p r)))
  '(left "#<device-resources device 0 released>")]
 [H23 (let ([o (device-resources)]) (with-device-resources ([a o]) (with-device-resources ([b a]) (void))) (p o))
  "#<device-resources device 0 released>"]
 [H24 (with-device-resources () 'no-bindings)
  'no-bindings]
 [H25 (call-with-values (lambda () (with-device-resources ([r (device-resources)]) (values 1 2))) list)
  '(1 2)]
 [H26 (with-device-resources ([r 5]) r)
  raises 'logic "with-device-resources: expected device resources, given: 5"]
 [H27 (for/list ([v (in-generator (with-device-resources ([r (device-resources)]) (yield 1) (yield 2)))]) v)
  raises 'logic "with-device-resources: cannot re-enter its body after its resources were released"]
 [H28 (with-handlers ([exn:fail:syntax? (lambda (e) (regexp-match? #rx"duplicate binding name" (exn-message e)))]) (eval '(with-device-resources ([a 1] [a 2]) a)))
  #t]
 [H29 (exact-positive-integer? (device-count))
  #t]
 [H30 (device-resources #:device 4096)
  raises 'logic (format "device-resources: no device 4096 among ~a" (device-count))]
 [H31 (device-resources #:device -1)
  raises 'logic (format "device-resources: no device -1 among ~a" (device-count))]
 [H32 (current-device-resources 4)
  raises 'logic (format "current-device-resources: no device 4 among ~a" (device-count))]
 [H33 (device-resources #:device (expt 2 40))
  raises 'logic (format "device-resources: no device 1099511627776 among ~a" (device-count))]
 [H34 (device-resources #:device "gpu")
  raises 'logic "device-resources: expected a device number, given: \"gpu\""]
 [H35 (device-resources #:device 1.0)
  raises 'logic "device-resources: expected a device number, given: 1.0"]
 [H36 (current-device-resources 'a)
  raises 'logic "current-device-resources: expected a device number, given: 'a"]
 [H37 (let ([e (with-handlers ([exn:fail:ashlar? values]) (device-resources #:device 99))]) (list (exn:fail:ashlar-kind e) (exn:fail? e)))
  '(logic #t)]
 [H38 (first (string-split (with-handlers ([exn:fail:ashlar? exn-message]) (resources-sync! dead)) ": "))
  "resources-sync!"]
 [H39 (exn:fail:ashlar-kind (exn:fail:ashlar "m" (current-continuation-marks) 'generic))
  'generic])
