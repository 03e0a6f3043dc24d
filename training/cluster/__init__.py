"""Training on a Ray cluster: one process for each worker; their gradients are added up.

Ray Train starts the workers, joins them in one process group of torch's, and starts all of them
again when one dies: they go on from the last checkpoint. Each plays its share of the tables. What
the first worker logs, reports and saves reaches the driver through an actor, so that the folder of
the run, TensorBoard and the progress bar are those of a training without Ray.
"""

from ...arena.workers.on_ray import LOCAL, ClusterError
from .driver import train_on_ray

__all__ = ["LOCAL", "ClusterError", "train_on_ray"]
