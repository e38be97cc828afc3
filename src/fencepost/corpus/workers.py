"""Many documents at once: worker processes, results in order, a bounded number in flight."""

from __future__ import annotations

import pickle
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final, TypeAlias

from fencepost.corpus.outcome import RUN_ERRORS, Outcome, chunk_one
from fencepost.corpus.walk import STANDARD_INPUT, Found
from fencepost.errors import FencepostError, OptionsError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from fencepost.pipeline import Chunker

Task: TypeAlias = tuple[int, Found]
"""A document and its place in the order."""

_AHEAD: Final = 2
"""Documents that a worker has at hand: one in work, one to go on with."""
_WINDOW: Final = 4
"""Documents per worker that may wait for an earlier one to be finished."""
_READY: Final = "ready"
_GRACE: Final = 5.0
"""Seconds that a worker has to end before it is killed."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    tasks: deque[Task] = field(default_factory=deque)
    ready: bool = False


def in_workers(
    chunker: Chunker, found: Sequence[Found], jobs: int
) -> Generator[Outcome, None, None]:
    """Yield the outcome of each document, in order; end every worker when the reader stops.

    A worker that dies takes only the document down that it was at: a new one goes on.
    """
    try:
        pickle.dumps(chunker)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        valid = "what can be sent to a worker process (no lambda), or jobs=1"
        raise OptionsError("tokenizer", chunker.options.tokenizer, valid) from error
    waiting = deque(enumerate(found))
    done: dict[int, Outcome] = {}
    workers: list[_Worker] = []
    try:
        for index in range(len(found)):
            _collect(workers, waiting, done, block=False)
            while True:
                _hand_out(chunker, workers, waiting, done, index, jobs)
                if index in done:
                    break
                _collect(workers, waiting, done, block=True)
            yield done.pop(index)
    finally:
        for worker in workers:
            _end(worker)


def _hand_out(
    chunker: Chunker,
    workers: list[_Worker],
    waiting: deque[Task],
    done: dict[int, Outcome],
    index: int,
    jobs: int,
) -> None:
    """Give documents to the least busy workers; start workers while there are too few."""
    while waiting and waiting[0][0] < index + jobs * _WINDOW:
        place, found = waiting[0]
        if found.path == STANDARD_INPUT or found.skipped is not None or found.error is not None:
            done[place] = chunk_one(chunker, found)  # a worker has no standard input
            waiting.popleft()
            continue
        worker = min(workers, key=lambda one: len(one.tasks), default=None)
        if len(workers) < jobs and (worker is None or worker.tasks):
            worker = _start(chunker)
            workers.append(worker)
        if worker is None or len(worker.tasks) >= _AHEAD:
            return
        with suppress(BrokenPipeError):  # it has just died: `_collect` will see it
            worker.pipe.send((place, found))
        worker.tasks.append(waiting.popleft())


def _collect(
    workers: list[_Worker],
    waiting: deque[Task],
    done: dict[int, Outcome],
    *,
    block: bool,
) -> None:
    """Take what the workers have finished."""
    busy = {worker.pipe: worker for worker in workers if worker.tasks}
    for pipe in wait(list(busy), None if block else 0):
        worker = busy[pipe]  # type: ignore[index]
        try:
            message = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            workers.remove(worker)
            place, outcome = _died(worker)
            done[place] = outcome
            waiting.extendleft(reversed(worker.tasks))
            continue
        if isinstance(message, RUN_ERRORS):
            raise message
        if message == _READY:
            worker.ready = True
        else:
            done[worker.tasks.popleft()[0]] = message


def _died(worker: _Worker) -> tuple[int, Outcome]:
    """Return the document that a dead worker was at, as failed."""
    _end(worker)
    if not worker.ready:
        msg = (
            "worker processes cannot start: call chunk_files(jobs=...) from a module that can be "
            "imported, its own work under  if __name__ == '__main__':"
        )
        raise FencepostError(msg)
    place, found = worker.tasks.popleft()
    error = FencepostError(f"its worker process died (exit code {worker.process.exitcode})")
    return place, Outcome(found.path, found.name, error=error)


def _start(chunker: Chunker) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, chunker), daemon=True)
    with _interrupts_held():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C from children that start: only the parent answers it, and ends them.

    A blocked signal stays blocked in the child from its first instruction on; a handler set there
    would come too late for one that is still importing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # unblocks the signal when it starts first in between
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, chunker: Chunker) -> None:
    """Chunk what comes through the pipe until it closes; runs in the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        pipe.send(_READY)
        while True:
            _, found = pipe.recv()
            try:
                answer: Outcome | FencepostError = chunk_one(chunker, found)
            except RUN_ERRORS as error:
                answer = error
            pipe.send(answer)


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.terminate()
    worker.process.join(_GRACE)
    if worker.process.exitcode is None:
        worker.process.kill()
        worker.process.join()
