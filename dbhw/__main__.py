"""`python -m dbhw` is the command line."""

import sys

from dbhw.cli import main

sys.exit(main())
