#lang scribble/manual
@(require (for-label ashlar ashlar/compat ashlar/unsafe))

@title{Ashlar: arrays on devices}

@defmodule[ashlar]

Arrays of one or two axes and one of four element types, which live in the memory of a device: the processor, or what OpenCL
knows. They are made from Racket's own numbers, looked at, turned from one order in memory into the other, and read back, exactly.
C code works on them through @racketmodname[ashlar/unsafe]. Everything stands on the C library @tt{libashlar}.

The module @racketmodname[ashlar] is @racketmodname[ashlar/core] and @racketmodname[ashlar/array] together.
@racketmodname[ashlar/compat] adds other containers, @racketmodname[ashlar/unsafe] pointers.

@local-table-of-contents[]

@include-section["guide.scrbl"]
@include-section["core.scrbl"]
@include-section["array.scrbl"]
@include-section["compat.scrbl"]
@include-section["unsafe.scrbl"]
