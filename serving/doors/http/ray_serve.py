"""The stateless bot endpoint on Ray Serve: replicas on many machines, as many as there is work for.

A replica runs the same application as ``gangland serve-bots`` on one machine, so that requests,
answers, limits and batches are the same: questions that arrive while a bot decides are decided
together. Ray Serve's proxies listen, and spread requests over the replicas.
"""

from __future__ import annotations

import time
from typing import Any

import ray
from fastapi import FastAPI
from ray import serve
from ray.serve.config import HTTPOptions

from ....envs.core.errors import GanglandError
from ...settings import Settings
from .app import create_bots_app

NAME = "gangland-bots"
"""Name of the application in the cluster."""

ONGOING = 256
"""Requests that a replica takes at a time; above that they wait at the proxies."""


def application(
    settings: Settings, least: int = 1, most: int = 1, *, cpus: float = 1.0, busy: float = 32.0
) -> Any:
    """The endpoint as an application for ``serve.run`` or a configuration of Ray Serve.

    Args:
        settings: Settings of the servers; the database is not used.
        least: Minimum number of replicas.
        most: Maximum number of replicas.
        cpus: CPUs that Ray reserves for a replica.
        busy: Requests in progress per replica above which replicas are added.
    """

    def build() -> FastAPI:
        return create_bots_app(settings)

    options: dict[str, Any] = {
        "name": NAME,
        "max_ongoing_requests": ONGOING,
        "ray_actor_options": {"num_cpus": cpus},
    }
    if least == most:
        options["num_replicas"] = least
    else:
        options["autoscaling_config"] = {
            "min_replicas": least,
            "max_replicas": most,
            "target_ongoing_requests": busy,
        }
    return serve.deployment(**options)(serve.ingress(build)()).bind()


def run(
    settings: Settings,
    address: str | None,
    host: str,
    port: int,
    least: int,
    most: int,
    cpus: float = 1.0,
) -> None:
    """Start the application in a cluster, and return when it answers.

    Args:
        settings: Settings of the servers.
        address: Address of the cluster; ``None`` starts one on this machine.
        host: Address on which the proxies listen.
        port: Their port.
        least: Minimum number of replicas.
        most: Maximum number of replicas.
        cpus: CPUs that Ray reserves for a replica.

    Raises:
        GanglandError: If the replicas do not start.
    """
    if not ray.is_initialized():
        # Without an address Ray would join whatever cluster it finds on this machine.
        ray.init(address or "local", log_to_driver=False, configure_logging=False)
    serve.start(http_options=HTTPOptions(host=host, port=port))
    try:
        serve.run(application(settings, least, most, cpus=cpus), name=NAME, route_prefix="/")
    except RuntimeError as error:
        raise GanglandError(f"the replicas do not start: {error}") from error


def run_forever() -> None:
    """Wait for Ctrl-C, then stop the application; a cluster that was there before stays."""
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        serve.delete(NAME)
