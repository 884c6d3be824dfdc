"""`python -m ui --socket S --language ko`: the dealer console."""

import sys

from ui.app import main

sys.exit(main())
