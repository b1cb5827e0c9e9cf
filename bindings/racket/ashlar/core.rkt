#lang racket/base
;; core.rkt - devices, resources, errors, versions.
(require "private/errors.rkt" "private/native.rkt" "private/resources.rkt")
(provide (struct-out exn:fail:ashlar)
         ashlar-version
         ashlar-abi
         (rename-out [resources? device-resources?])
         device-resources
         device-count
         device-names
         resources-device
         resources-device-name
         resources-sync!
         current-device-resources
         with-device-resources)
