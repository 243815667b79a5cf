"""`python -m callsheet`."""

from ._command import main

main()
