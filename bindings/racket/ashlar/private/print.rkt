#lang racket/base
;; print.rkt - the text of elements: cells, columns of one width, long axes cut.
(require racket/flonum racket/list racket/math racket/string)
(provide float32->string values-text)

;; ---- cells
;; q rounded to k + 1 significant digits, ties to even.
(define (round-digits q k)
  (define unit (expt 10 (- (order-of-magnitude (abs q)) k)))
  (* unit (round (/ q unit))))

;; The first decimal of 2, 3 ... 10 digits that is the same single again, as number->string writes it.
(define (float32->string x)
  (if (or (fl= x 0.0) (nan? x) (infinite? x))
      (number->string x)
      (let ([exact (inexact->exact x)])
        (let loop ([k 1])
          (define decimal (real->double-flonum (round-digits exact k)))
          (if (or (= k 9) (fl= (flsingle decimal) x))
              (number->string decimal)
              (loop (add1 k)))))))

(define (cell-text dtype v)
  (if (eq? dtype 'float32)
      (float32->string v)
      (number->string v)))

;; ---- which cells are shown
;; Indices along an axis of n in an array of `total` elements; #f stands for those left out.
(define (shown n total)
  (if (and (> n 6) (or (> n 20) (> total 1000)))
      (list 0 1 2 #f (- n 3) (- n 2) (- n 1))
      (range n)))

;; ---- the whole
(define (pad-left text width)
  (string-append (make-string (- width (string-length text)) #\space) text))

(define (row-text cells width)
  (string-append "[" (string-join (for/list ([c (in-list cells)]) (if c (pad-left c width) "...")) " ") "]"))

;; The text of the elements of a vector or matrix, where (ref index ...) reads one; lines but the first begin with a blank.
(define (values-text dtype shape ref)
  (define total (apply * shape))
  (define columns (shown (last shape) total))
  (define (cells . row)
    (for/list ([j (in-list columns)])
      (and j (cell-text dtype (apply ref (append row (list j)))))))
  (define matrix? (= (length shape) 2))
  (define rows
    (if matrix?
        (for/list ([i (in-list (shown (first shape) total))])
          (and i (cells i)))
        (list (cells))))
  (define width
    (for*/fold ([w 0]) ([row (in-list rows)] #:when row [c (in-list row)] #:when c)
      (max w (string-length c))))
  (define lines
    (for/list ([row (in-list rows)])
      (if row (row-text row width) "...")))
  (if matrix?
      (string-append "[" (string-join lines "\n ") "]")
      (car lines)))
