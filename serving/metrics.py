"""What a server counts and measures, for Prometheus.

Labels have few values, none of which a client can invent: names of games and routes, codes of
errors. With ``gangland serve --workers`` all processes write to the files of one folder
(``PROMETHEUS_MULTIPROC_DIR``), and any of them answers for all.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TypeVar

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

CONTENT_TYPE = CONTENT_TYPE_LATEST

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable that names the folder of processes that are measured together."""

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

REGISTRY = CollectorRegistry()

Metric = TypeVar("Metric", Counter, Gauge, Histogram)


@cache
def of(metric: Metric, *labels: str) -> Metric:
    """The part of a metric that has these labels; remembered, as looking it up takes longer than
    counting. For requests by the thousand."""
    return metric.labels(*labels)


MATCHES = Counter(
    "gangland_matches_created", "Matches that were created.", ["game"], registry=REGISTRY
)
FINISHED = Counter(
    "gangland_matches_finished", "Matches that were played to the end.", ["game"], registry=REGISTRY
)
DECISIONS = Counter(
    "gangland_decisions",
    "Decisions in matches; by a person (human), a bot, or for a person who was late (clock).",
    ["game", "by"],
    registry=REGISTRY,
)
BOT_REPLIES = Counter(
    "gangland_bot_replies", "Decisions in posted positions.", ["game"], registry=REGISTRY
)
OVERTAKEN = Counter(
    "gangland_overtaken",
    "Entries that were checked again, since another process had changed the match.",
    registry=REGISTRY,
)
TAKEN_OVER = Counter(
    "gangland_taken_over",
    "Matches whose bots and clocks this server has taken over from another one, or from nobody.",
    registry=REGISTRY,
)
ERRORS = Counter(
    "gangland_errors", "Errors that were sent to clients, by code.", ["code"], registry=REGISTRY
)
REQUESTS = Histogram(
    "gangland_request_seconds",
    "Time to answer an HTTP request; those that wait for changes (wait=...) are counted apart.",
    ["route", "method", "status", "waits"],
    buckets=LATENCIES,
    registry=REGISTRY,
)
COMMITS = Histogram(
    "gangland_commit_seconds",
    "Time until an entry is stored, waiting included.",
    buckets=LATENCIES,
    registry=REGISTRY,
)
COMMIT_SIZES = Histogram(
    "gangland_commit_entries",
    "Entries that are stored in one transaction.",
    buckets=SIZES,
    registry=REGISTRY,
)
BOT_SECONDS = Histogram(
    "gangland_bot_seconds",
    "Time until a bot has decided, waiting included.",
    ["game"],
    buckets=LATENCIES,
    registry=REGISTRY,
)
BOT_SIZES = Histogram(
    "gangland_bot_batch",
    "Decisions that a bot makes together.",
    ["game"],
    buckets=SIZES,
    registry=REGISTRY,
)
IN_MEMORY = Gauge(
    "gangland_matches_in_memory",
    "Matches in memory.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
UNFINISHED = Gauge(
    "gangland_matches_unfinished",
    "Matches in the database that are neither finished nor expired.",
    multiprocess_mode="livemax",
    registry=REGISTRY,
)
SOCKETS = Gauge(
    "gangland_websockets", "Open WebSockets.", multiprocess_mode="livesum", registry=REGISTRY
)


def forget(process: int | None) -> None:
    """Stop counting what a process that has ended held open; what it has done stays counted."""
    multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]


def exposition() -> bytes:
    """All metrics in Prometheus' text format."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    everything = CollectorRegistry()
    multiprocess.MultiProcessCollector(everything)  # type: ignore[no-untyped-call]
    return generate_latest(everything)
