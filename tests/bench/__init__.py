"""How fast it is, beside other engines and bare views: `make bench`, or `python -m tests.bench engine finder`.

A part is a module of this package with `run(budget) -> list[Line]`, named in `__main__.PARTS`. What is told are
ratios of things measured in the same rounds of one run; the figures of two machines, or of two days, do not compare.
"""
