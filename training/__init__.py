"""Self-play training and its league."""

import os as _os

# Waiting threads of torch must sleep, not spin: spinning costs a factor of seven
# where other processes share the cores. Read when torch loads its runtime, hence here.
_os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
