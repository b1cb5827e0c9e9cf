#lang racket
;; kmeans.rkt - Fisher's irises in three clusters.
;;
;; Lloyd's algorithm (Least squares quantization in PCM, IEEE Trans. Inf. Theory 28, 1982) from the starting points of k-means++
;; (D. Arthur, S. Vassilvitskii, SODA 2007), the best of ten runs. Arrays come in and go out; the arithmetic is Racket's.
(require ashlar racket/flonum racket/runtime-path)
(provide iris.csv read-measurements k-means)

(define-runtime-path iris.csv "iris.csv")

;; The numbers of a CSV file with a header: a matrix of the first four columns.
(define (read-measurements path)
  (list*->device-matrix
   (for/list ([line (rest (file->lines path))])
     (map string->number (take (string-split line ",") 4)))
   #:dtype 'float64))

(define (distance p q)
  (for/fold ([sum 0.0]) ([x (in-flvector p)] [y (in-flvector q)])
    (fl+ sum (fl* (fl- x y) (fl- x y)))))

;; For each point, which centre is nearest; and the squared distance to it.
(define (nearest points centres)
  (for/lists (labels distances) ([p points])
    (define all (map (lambda (c) (distance p c)) centres))
    (define least (apply min all))
    (values (index-of all least) least)))

;; Each next centre is a point, drawn in proportion to its squared distance to the nearest centre so far.
(define (starting-points points k)
  (for/fold ([centres (list (list-ref points (random (length points))))]) ([j (sub1 k)])
    (define-values (labels distances) (nearest points centres))
    (define target (* (random) (apply + distances)))
    (define next
      (for/fold ([running 0.0] [chosen #f] #:result (or chosen (last points))) ([p points] [d distances])
        (define more (+ running d))
        (values more (or chosen (and (> more target) p)))))
    (cons next centres)))

(define (mean points)
  (define n (->fl (length points)))
  (for/flvector ([j (flvector-length (first points))])
    (fl/ (for/fold ([sum 0.0]) ([p points]) (fl+ sum (flvector-ref p j))) n)))

;; The mean of the points with each label; a centre that no point is near stays where it is.
(define (means points labels centres)
  (for/list ([centre centres] [c (in-naturals)])
    (define near (for/list ([p points] [l labels] #:when (= l c)) p))
    (if (null? near) centre (mean near))))

;; Moves the centres until no label changes.
(define (lloyd points start)
  (let loop ([centres start] [before #f])
    (define-values (labels distances) (nearest points centres))
    (if (equal? labels before)
        centres
        (loop (means points labels centres) labels))))

;; The centres as a matrix like X, in order of their first column; the labels as an int32 vector; the sum of squared distances.
(define (k-means X k #:runs [runs 10])
  (define points (map (curry apply flvector) (device-matrix->list* X)))
  (define (inertia centres)
    (define-values (labels distances) (nearest points centres))
    (apply + distances))
  (define found
    (argmin inertia (for/list ([run runs]) (lloyd points (starting-points points k)))))
  (define centres (sort found < #:key (lambda (c) (flvector-ref c 0))))
  (define-values (labels distances) (nearest points centres))
  (values (list*->device-matrix (map (lambda (c) (for/list ([x (in-flvector c)]) x)) centres) #:dtype (dtype X))
          (list->device-vector labels #:dtype 'int32)
          (apply + distances)))

(module+ main
  (random-seed 1)
  (define X (read-measurements iris.csv))
  (define-values (centres labels inertia) (k-means X 3))
  (define (cell v) (~r v #:precision '(= 4) #:min-width 12))
  (printf "~a flowers, k = 3, best of 10 runs\n\n" (first (shape X)))
  (printf "cluster  size  sepal length   sepal width  petal length   petal width\n")
  (for ([row (device-matrix->list* centres)] [c (in-naturals)])
    (define size (count (lambda (l) (= l c)) (device-vector->list labels)))
    (printf "~a  ~a  ~a\n" (~r (add1 c) #:min-width 7) (~r size #:min-width 4) (string-join (map cell row) "  ")))
  (printf "\ninertia ~a\n" (~r inertia #:precision '(= 4))))

(module+ test
  (require rackunit)
  (random-seed 1)
  (define-values (centres labels inertia) (k-means (read-measurements iris.csv) 3))
  ;; R: kmeans(iris[, 1:4], 3, nstart = 10): sizes 50, 62, 38; tot.withinss 78.85144
  (check-= inertia 78.85144 1e-5)
  (check-equal? (for/list ([c 3]) (count (lambda (l) (= l c)) (device-vector->list labels))) '(50 62 38))
  (for* ([pair (map cons (device-matrix->list* centres)
                    '((5.006 3.428 1.462 0.246) (5.901613 2.748387 4.393548 1.433871) (6.85 3.073684 5.742105 2.071053)))]
         [xs (list (map cons (car pair) (cdr pair)))]
         [x xs])
    (check-= (car x) (cdr x) 1e-6)))
