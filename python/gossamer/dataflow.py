"""Links and routers between the ranks of a machine: Groute's model (paper C).

    import gossamer as gs

    w = gs.dataflow.Wiring("cpu:3")
    host = w.endpoint(0, "host")
    router = w.router(1, 3, "any_device", "to ranks")
    feed = w.connect(host, router)
    inputs = [w.connect(router, w.rank(r), packet="64K", buffers=2) for r in range(3)]

    def program(flow):                       # called once for each rank, in its own thread
        if flow.rank == 0:
            flow[feed].send(np.arange(1 << 20))
            flow[feed].shutdown()
        for segment in flow[inputs[flow.rank]]:
            work_on(segment.array("int64"))

    w.run(program)

A wiring is a graph of endpoints (who sends and receives), routers (which choose where a segment
goes) and links, checked before it runs. Programs, policies and callbacks are Python functions;
ranks wait without the interpreter's lock, and compute in turns as its threads do, but for what
NumPy, CuPy and others do without it.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_bytes, number, seconds, texts
from gossamer.arrays import Array, gpu_array
from gossamer.errors import UsageError, check_time
from gossamer.machine import Machine, machine_of
from gossamer.trace import Trace, recorder

#: Sources that a GPU rank keeps before it waits for the oldest; a link's queue holds as many.
_MOST_KEPT = 64


@dataclass(frozen=True, eq=False)
class Endpoint:
    """Who can send and receive, or a router."""

    index: int
    name: str
    #: None: a router.
    rank: int | None

    def __repr__(self) -> str:
        where = "router" if self.rank is None else f"rank {self.rank}"
        return f"<{self.name}: {where}>"


@dataclass(frozen=True)
class LinkId:
    """A link of a wiring; ``flow[link]`` is what sends and receives on it."""

    index: int
    #: ``source -> target``.
    name: str


@dataclass(frozen=True)
class Reduction:
    """Router and links of a reduction (`Wiring.reduction`)."""

    root: int
    #: By rank, to whom it hands its result; -1 for the root.
    parents: tuple[int, ...]
    #: By rank, links into the router and out of it, where the rank needs one.
    up: dict[int, LinkId]
    down: dict[int, LinkId]


class Segment:
    """What has arrived and was not given back: it occupies a receive buffer until it is released.

    A context manager, which releases it. ``for segment in flow[link]`` and callbacks do so, too.
    """

    def __init__(self, handle: _gossamer.Segment, ends: list[Endpoint]) -> None:
        self._handle = handle
        self._ends = ends

    @property
    def tag(self) -> int:
        """What the sender gave as `tag`."""
        return self._handle.tag

    @property
    def number(self) -> int:
        """Of the message among those of its link, from 0."""
        return self._handle.number

    @property
    def offset(self) -> int:
        """Where the segment begins in its message, bytes."""
        return self._handle.offset

    @property
    def bytes(self) -> int:
        """Of the segment."""
        return self._handle.bytes

    @property
    def total(self) -> int:
        """Of the whole message, bytes."""
        return self._handle.total

    @property
    def source(self) -> Endpoint:
        """Who sent it; routers in between do not show."""
        return self._ends[self._handle.source]

    @property
    def released(self) -> bool:
        """Whether the buffer was given back."""
        return self._handle.released

    def array(self, dtype: Any) -> Any:
        """The receive buffer as elements of a type, without a copy, to be read and written until
        the segment is released: a NumPy array, on a GPU rank an `Array` for CuPy, Torch and others.

        UsageError once the segment was released. Arrays got before stay readable, but what they
        hold changes as the sender uses the buffer again: copy what must last.
        """
        kind = _dtype(dtype)
        if self.bytes % kind.itemsize != 0:
            raise UsageError(
                f"Segment.array: {self.bytes} bytes are no whole number of {kind} "
                f"({kind.itemsize} bytes each)"
            )
        if self._handle.ordinal < 0:
            return self._handle.view(0, 8).view(kind)
        if kind.kind not in "iuf":
            raise UsageError(f"Segment.array: {kind} on a GPU; view the bytes (uint8) as that")
        view, address = self._handle.view("iuf".index(kind.kind), 8 * kind.itemsize)
        length, size = self.bytes // kind.itemsize, kind.itemsize
        return Array(view, address, length, size, self._handle.ordinal, kind.kind)

    def release(self, stream: int | None = None) -> None:
        """Gives the buffer back to the sender. UsageError when that was done before.

        stream: on a GPU rank, of the work that still uses it, as a number (CuPy's ``stream.ptr``,
        Torch's ``cuda_stream``); default: the legacy default stream.
        """
        self._handle.release(_stream(stream))

    def __enter__(self) -> Segment:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle.usable:  # else the run has ended, or this is a collector in another thread
            self.release()

    def __repr__(self) -> str:
        state = ", released" if self.released else ""
        return (
            f"Segment({self.bytes} bytes at {self.offset} of {self.total}, tag {self.tag}{state})"
        )


class SendFuture:
    """A message on its way."""

    def __init__(self, handle: _gossamer.Sending) -> None:
        self._handle = handle

    def done(self) -> bool:
        """Whether all of it has left: on a CPU rank the array may be changed then."""
        return self._handle.done()

    def wait(self) -> None:
        """Waits for that; on a GPU rank, too, the array may be changed afterwards."""
        self._handle.wait()


class Link:
    """One end, or both, of a link that an endpoint of this rank has."""

    def __init__(self, flow: Flow, which: LinkId) -> None:
        self._flow = flow
        self._raw = flow._handle
        self._index = which.index
        self.name: str = which.name

    def send(
        self, array: Any, *, tag: int = 0, to: Endpoint | None = None, stream: int | None = None
    ) -> SendFuture:
        """Queues a message: a C-contiguous NumPy array of any shape and type, or an array on the
        rank's own GPU (``__cuda_array_interface__`` or DLPack).

        It must not change until the future is done; it is kept alive as long. tag: handed to
        policies and receivers. to: for policies that let the sender name a destination. stream: of
        the work that makes a GPU array, where the array does not say it.
        UsageError for other arrays, after `shutdown`, where the link does not begin at this rank,
        and where an element does not fit a packet.
        """
        address, size, element, made_by = self._source(array)
        if to is not None:
            to = self._flow._known(to)
        after = _stream(stream) if stream is not None else made_by
        tag = integer(tag, "Link.send: tag", 1 << 65)
        if not 0 <= tag < 1 << 64:
            raise UsageError(f"Link.send: tag: {tag} is not in 0 … 2^64 - 1")
        whom = -1 if to is None else to.index
        try:
            sending = self._raw.send(self._index, address, size, element, tag, whom, after)
        except BaseException:
            self._flow._unsure.append(array)  # some of it may be on its way
            raise
        self._flow._keep(self._index, sending, array)
        return SendFuture(sending)

    def shutdown(self) -> None:
        """Nothing further will be sent: receivers find the end behind what is queued."""
        self._raw.shutdown(self._index)

    def ready(self) -> bool:
        """Whether `receive` would not wait."""
        return self._raw.ready(self._index)

    def receive(self) -> Segment | None:
        """Waits for the next segment, which is the caller's to release; None: the stream has ended.
        UsageError when the link does not end at this rank, or has a callback."""
        got = self._raw.receive(self._index)
        return None if got is None else Segment(got, self._flow._ends)

    def __iter__(self) -> Iterator[Segment]:
        """Segments until the stream ends, each released before the next one is taken."""
        while (segment := self.receive()) is not None:
            with segment:
                yield segment

    def on_receive(self, callback: Callable[[Segment], Any]) -> None:
        """``callback(segment)`` is called for every segment from now on, whenever this rank waits
        for anything, and the segment is then released. It may send, and wait."""
        if not callable(callback):
            raise UsageError("Link.on_receive: expected a function")
        ends = self._flow._ends

        def each(got: _gossamer.Segment) -> None:
            callback(Segment(got, ends))

        self._flow._callbacks.append(each)  # whose address the bindings have
        self._raw.on_receive(self._index, each)

    def _source(self, array: Any) -> tuple[int, int, int, int | None]:
        """Address, bytes, bytes of an element, and a stream to wait for."""
        if isinstance(array, np.ndarray):
            if array.dtype.hasobject:
                raise UsageError("Link.send: an array of Python objects cannot leave its process")
            if not array.flags.c_contiguous:
                raise UsageError("Link.send: the array is not C-contiguous; copy it first")
            if array.dtype.itemsize == 0:
                raise UsageError(f"Link.send: elements of {array.dtype} have no bytes")
            return array.ctypes.data, array.nbytes, array.dtype.itemsize, None
        face = getattr(array, "__cuda_array_interface__", None)
        if face is not None:
            kind, shape = np.dtype(face["typestr"]), face["shape"]
            found = (face["data"][0], int(np.prod(shape, dtype=np.int64)), kind.itemsize)
            if not _contiguous(shape, face.get("strides"), kind.itemsize):
                raise UsageError("Link.send: the array is not C-contiguous; copy it first")
            where, stream = _gossamer.home_of(found[0]) if found[1] else None, face.get("stream")
        elif (on_gpu := gpu_array(array, "iuf")) is not None:
            found = (on_gpu.address, on_gpu.length, int(on_gpu.type[2:]))
            where, stream = on_gpu.ordinal, on_gpu.stream
        else:
            raise UsageError(
                "Link.send: expected a NumPy array, or one on the rank's GPU, "
                f"got {type(array).__name__}"
            )
        own = self._raw.ordinal
        if where is not None and where != own:
            here = "on the host" if own < 0 else f"on cuda:{own}"
            raise UsageError(
                f"Link.send: the array is on cuda:{where}, rank {self._raw.rank} {here}"
            )
        address, count, element = found
        return address, count * element, element, stream


class Flow:
    """A wiring at work on one rank. For the thread of its program alone, until the run ends.

    ``flow[link]`` is a `Link`; UsageError unless an endpoint of this rank is at one of its ends.
    """

    def __init__(self, handle: _gossamer.Flow, ends: list[Endpoint]) -> None:
        self._handle = handle
        self._ends = ends
        #: This rank, and the number of ranks.
        self.rank: int = handle.rank
        self.ranks: int = handle.ranks
        self._callbacks: list[Any] = []
        self._unsure: list[Any] = []
        self._sent: dict[int, deque[tuple[_gossamer.Sending, Any]]] = {}

    def __getitem__(self, link: LinkId) -> Link:
        self._handle.check(instance(link, LinkId, "flow", "a link of the wiring").index)
        return Link(self, link)

    def progress(self) -> None:
        """Sends what can leave and calls callbacks, without waiting; for long computations."""
        self._handle.progress()

    def serve(self) -> None:
        """Waits until the streams of all links with callbacks have ended; the run does so behind
        the program."""
        self._handle.serve()

    def clock(self) -> float:
        """Seconds on the rank's clock: virtual on a modelled machine."""
        return self._handle.clock()

    def charge(self, seconds: float) -> None:
        """Accounts work of the program on a modelled machine, where it takes no time otherwise."""
        self._handle.charge(number(seconds, "Flow.charge"))

    def reduce(self, through: Reduction, array: npt.NDArray[Any], merge: Any = np.add) -> None:
        """Merges `array` of every rank into the root's, in place, as segments arrive; every rank
        calls it, once in a run for a reduction.

        merge: a NumPy ufunc, or ``merge(mine, theirs, out=mine)``. All ranks give as many elements
        of one type; what other ranks than the root have afterwards is part of the result. Sums of
        floats depend on the order of arrival in their last bits. CPU ranks only.
        """
        instance(through, Reduction, "Flow.reduce", "a Reduction of the wiring")
        instance(array, np.ndarray, "Flow.reduce: array", "a NumPy array")
        if self._handle.ordinal >= 0:
            raise UsageError("Flow.reduce: merges on CPU ranks only")
        if not (array.flags.c_contiguous and array.flags.writeable):
            raise UsageError("Flow.reduce: array: must be C-contiguous, and writable")
        mine = array.reshape(-1)
        left = through.parents.count(self.rank) * mine.nbytes
        while left > 0:
            segment = self[through.down[self.rank]].receive()
            if segment is None:
                raise UsageError("Flow.reduce: a child sent less than all of its values")
            with segment:
                theirs = segment.array(mine.dtype)
                first = segment.offset // mine.itemsize
                if segment.total != mine.nbytes:
                    raise UsageError(
                        f"Flow.reduce: {segment.source.name} sends {segment.total} bytes, "
                        f"rank {self.rank} has {mine.nbytes}"
                    )
                part = mine[first : first + theirs.size]
                merge(part, theirs, out=part)
                left -= segment.bytes
        if through.parents[self.rank] < 0:
            return
        up = self[through.up[self.rank]]
        if mine.size:
            up.send(mine).wait()
        up.shutdown()

    def _known(self, end: Any) -> Endpoint:
        instance(end, Endpoint, "Link.send: to", "an endpoint of the wiring")
        if end.index >= len(self._ends) or self._ends[end.index] is not end:
            raise UsageError(f"Link.send: to: '{end.name}' is of another wiring")
        found: Endpoint = end
        return found

    def _keep(self, link: int, sending: _gossamer.Sending, array: Any) -> None:
        """Keeps what is sent until it has left: what its memory is used for afterwards is not the
        receiver's business. On a GPU rank only a wait says that it has."""
        kept = self._sent.setdefault(link, deque())
        kept.append((sending, array))
        if self._handle.ordinal >= 0:
            if len(kept) <= _MOST_KEPT:
                return
            kept[0][0].wait()
        while kept and kept[0][0].done():
            kept.popleft()


def _dtype(dtype: Any) -> np.dtype[Any]:
    try:
        kind: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError):
        raise UsageError(f"Segment.array: {dtype!r} is no type of elements") from None
    if kind.hasobject or kind.itemsize == 0:
        raise UsageError(f"Segment.array: {kind} is no type of elements that arrive")
    return kind


def _contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> bool:
    if strides is None or 0 in shape:
        return True
    expected = size
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent > 1 and stride != expected:
            return False
        expected *= extent
    return True


def _stream(stream: Any) -> int | None:
    return None if stream is None else integer(stream, "stream") or 1  # 0: the legacy one


class Message(NamedTuple):
    """What a routing policy knows of a segment."""

    #: Of the send among those of its link, from 0.
    number: int
    #: Where the segment begins in the message, bytes.
    offset: int
    #: All that is left to send of the message, bytes.
    bytes: int
    #: Of the whole message, bytes.
    total: int
    tag: int
    #: Bytes of an element, which is never cut in two.
    element: int
    #: Whom the sender named; None: nobody.
    to: Endpoint | None


#: The endpoints that a segment may go to, or nothing: not now.
Policy = Callable[[Message, Endpoint, tuple[Endpoint, ...]], Endpoint | Iterable[Endpoint] | None]


class Wiring:
    """A graph of endpoints, routers and links over the ranks of a machine.

    Every process of an MPI machine makes the same one. UsageError, by name, for what cannot work:
    self loops, two links between a pair, routers that lack links, endpoints without any.
    """

    def __init__(self, machine: Machine | str | None = None) -> None:
        self.machine: Machine = machine_of(machine)
        self._handle = _gossamer.Wiring(self.machine._handle)
        self._ends: list[Endpoint] = []
        self._ranks: dict[int, Endpoint] = {}
        self._links: list[LinkId] = []
        self._policies: list[Any] = []  # whose addresses the bindings have

    # --- the graph ---------------------------------------------------------------------------

    def rank(self, rank: int) -> Endpoint:
        """The rank's own endpoint, ``rank N``; made at the first call."""
        rank = integer(rank, "Wiring.rank: rank", 1 << 31)
        if rank not in self._ranks:
            self._ranks[rank] = self._added(self._handle.device(rank), f"rank {rank}", rank)
        return self._ranks[rank]

    def endpoint(self, rank: int, name: str) -> Endpoint:
        """A further endpoint of a rank. UsageError when there is no such rank, or the name is
        taken."""
        texts("Wiring.endpoint", name=name)
        rank = integer(rank, "Wiring.endpoint: rank", 1 << 31)
        return self._added(self._handle.add_endpoint(rank, name), name, rank)

    def router(
        self,
        inputs: int,
        outputs: int,
        policy: str | Policy,
        name: str | None = None,
        *,
        to_all: bool = False,
    ) -> Endpoint:
        """A router with so many links into it and out of it.

        policy: ``any_device`` (whoever has a free buffer), ``ring`` (who follows the sender),
        ``broadcast`` (all but the sender), ``scatter`` (equal parts), ``gather`` (the one output),
        ``peer_to_peer`` (whom the send names), or a function ``policy(message, source,
        destinations)`` that gives an endpoint or several, of which the first with a free buffer
        gets the segment; with `to_all` each gets a copy. None or an empty list means "not now":
        it is asked again when something has changed. It runs in the sender's thread, any number
        of times for a segment, and must not send or receive.
        """
        flags("Wiring.router", to_all=to_all)
        if name is None:
            name = f"router {sum(e.rank is None for e in self._ends) + 1}"
        texts("Wiring.router", name=name)
        choose = None
        if not isinstance(policy, str):
            if not callable(policy):
                raise UsageError("Wiring.router: policy: expected a name or a function")
            choose = self._chooser(policy, name)
            policy = str(getattr(policy, "__name__", type(policy).__name__))
        inputs = integer(inputs, "Wiring.router: inputs", 1 << 31)
        outputs = integer(outputs, "Wiring.router: outputs", 1 << 31)
        made = self._handle.add_router(inputs, outputs, policy, choose, to_all, name)
        self._policies.append(choose)
        return self._added(made, name, None)

    def connect(
        self,
        source: Endpoint,
        target: Endpoint,
        *,
        packet: int | str | None = None,
        buffers: int | None = None,
        one_at_a_time: bool = False,
    ) -> LinkId:
        """A link from one endpoint or router to another.

        packet: bytes of the largest segment; over a router the smaller of its two links' counts.
        buffers: for each sender at the link's end, 1 to 64; a link into a router has none. Both are
        chosen when not given. one_at_a_time: a promise that each segment is given back before the
        next is taken, as ``for segment in flow[link]`` does; slow ranks then get few ahead.
        """
        flags("Wiring.connect", one_at_a_time=one_at_a_time)
        begin, end = (self._known(e, "Wiring.connect") for e in (source, target))
        size = memory_bytes(packet, "Wiring.connect: packet")
        count = 0 if buffers is None else integer(buffers, "Wiring.connect: buffers", 1 << 31)
        if buffers is not None and count < 1:
            raise UsageError(f"Wiring.connect: buffers: {count}; 1 to 64 are possible")
        index = self._handle.connect(begin, end, size, count, one_at_a_time)
        link = LinkId(index, f"{source.name} -> {target.name}")
        self._links.append(link)
        return link

    def reduction(
        self,
        root: int = 0,
        *,
        shape: str = "automatic",
        packet: int | str | None = None,
        buffers: int | None = None,
        name: str = "reduction",
    ) -> Reduction:
        """Router and links that bring values of all ranks together at one; see `Flow.reduce`.

        shape: ``many_to_one``, ``tree`` (ranks that reach each other best first) or ``automatic``
        (many to one up to four ranks that the root reaches alike).
        """
        texts("Wiring.reduction", shape=shape, name=name)
        root = integer(root, "Wiring.reduction: root", 1 << 31)
        parents = self._handle.reduction_parents(root, shape)
        alone = len(parents) == 1
        senders = [r for r, parent in enumerate(parents) if parent >= 0 or alone]
        receivers = [r for r in range(len(parents)) if r in parents or alone]
        ends = [self.rank(r) for r in range(len(parents))]
        router = self._added(
            self._handle.add_reduction(
                len(senders), len(receivers), [e.index for e in ends], parents, name
            ),
            name,
            None,
        )
        options: dict[str, Any] = {"packet": packet, "buffers": buffers}
        up = {r: self.connect(ends[r], router, **options) for r in senders}
        down = {r: self.connect(router, ends[r], **options) for r in receivers}
        return Reduction(root, tuple(parents), up, down)

    def link(self, source: Endpoint | str, target: Endpoint | str) -> LinkId:
        """The link between two that are linked, given as endpoints or by name."""
        names = [e.name if isinstance(e, Endpoint) else e for e in (source, target)]
        for link in self._links:
            if link.name == " -> ".join(map(str, names)):
                return link
        raise UsageError(f"dataflow: '{names[0]}' and '{names[1]}' are not linked")

    # --- what it is --------------------------------------------------------------------------

    def check(self) -> None:
        """UsageError for the first router that lacks links, or endpoint that has none."""
        self._handle.check()

    def dot(self) -> str:
        """The graph in Graphviz's language: a cluster for each rank, links by packet, buffers."""
        return self._handle.dot()

    def json(self) -> dict[str, Any]:
        """The graph as `nodes` (name, rank, None for a router, and its policy) and `links` (from
        and to by position in `nodes`, bytes of a packet, and buffers; None: no bound is set)."""
        found: dict[str, Any] = json.loads(self._handle.json())
        return found

    def __str__(self) -> str:
        return wiring_text(self.json())

    def __repr__(self) -> str:
        routers = sum(e.rank is None for e in self._ends)
        return (
            f"Wiring({self.machine.spec!r}, {len(self._ends) - routers} endpoints, "
            f"{routers} routers, {len(self._links)} links)"
        )

    # --- its run -----------------------------------------------------------------------------

    def run(
        self,
        program: Callable[[Flow], Any],
        *,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Calls ``program(flow)`` once for each rank that is here, in that rank's thread, and waits
        until all have ended and all that was sent has left.

        What a program, a policy or a callback raises ends the run for all ranks (their calls raise
        RankError) and is raised here. timeout: seconds of the run, and of a wait without any
        progress of another rank (default of that: 60 s, scaled by GOSSAMER_TIMEOUT); the Timeout
        says who waited for what. A program must run nothing else on the machine, and, where GPUs
        are several ranks, take no GPU memory by other functions of this package.
        """
        if not callable(program):
            raise UsageError("Wiring.run: program: expected a function")
        flows: list[Flow] = []  # what was sent lives until the run has ended for all

        def body(handle: _gossamer.Flow) -> tuple[BaseException, str] | None:
            try:
                flow = Flow(handle, self._ends)
                flows.append(flow)
                program(flow)
                handle.finish()
            except BaseException as error:  # noqa: BLE001  # it goes to whoever called run()
                text = (str(error).splitlines() or [""])[0]
                return error, f"{type(error).__name__}: {text}".removesuffix(": ")
            return None

        begun = time.monotonic()
        self._handle.run(body, seconds(timeout, "dataflow"), recorder(trace))
        if not self.machine.virtual:
            check_time("dataflow", time.monotonic() - begun, timeout)

    # --- within ------------------------------------------------------------------------------

    def _added(self, index: int, name: str, rank: int | None) -> Endpoint:
        made = Endpoint(index, name, rank)
        self._ends.append(made)
        return made

    def _known(self, end: Any, what: str) -> int:
        instance(end, Endpoint, what, "an endpoint or a router of this wiring")
        if end.index >= len(self._ends) or self._ends[end.index] is not end:
            raise UsageError(f"{what}: '{end.name}' is of another wiring")
        return int(end.index)

    def _chooser(self, policy: Policy, name: str) -> Callable[..., list[int]]:
        """The policy as the bindings call it, in positions of nodes."""
        ends = self._ends

        def choose(
            number: int, offset: int, left: int, total: int, tag: int, element: int,
            to: int, source: int, destinations: list[int],
        ) -> list[int]:  # fmt: skip
            named = ends[to] if to >= 0 else None
            what = Message(number, offset, left, total, tag, element, named)
            chosen = policy(what, ends[source], tuple(ends[d] for d in destinations))
            if chosen is None:
                return []
            several = chosen if isinstance(chosen, Iterable) else [chosen]
            where = f"the policy of router '{name}'"
            return [self._known(one, where) for one in several]

        return choose


def wiring_text(graph: dict[str, Any]) -> str:
    """A graph of :meth:`Wiring.json` for people: endpoints by rank, routers, links."""
    nodes, links = graph["nodes"], graph["links"]
    ranks = sorted({node["rank"] for node in nodes if node["rank"] is not None})
    lines = []
    for rank in ranks:
        names = [f"'{node['name']}'" for node in nodes if node["rank"] == rank]
        lines.append(f"rank {rank}: {', '.join(names)}")
    for i, node in enumerate(nodes):
        if node["rank"] is None:
            into, out = (sum(link[end] == i for link in links) for end in ("to", "from"))
            lines.append(f"router '{node['name']}': {node['policy']}, {into} in, {out} out")
    titles = [f"'{nodes[x['from']]['name']}' -> '{nodes[x['to']]['name']}'" for x in links]
    width = max(map(len, titles), default=0)
    for link, title in zip(links, titles, strict=True):
        size = "" if link["packet"] is None else _gossamer.format_bytes(link["packet"])
        count = link["buffers"]
        bound = f"{count} x {size}" if count else f"at most {size}" if size else ""
        lines.append(f"link {title:{width}}  {bound}".rstrip())
    return "\n".join(lines)
