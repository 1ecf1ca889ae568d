"""Wirings: who sends and receives, what chooses where segments go, and their runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_bytes, seconds, texts
from gossamer.errors import UsageError, check_time
from gossamer.machine import Machine, machine_of
from gossamer.trace import Trace, recorder

from .flow import Endpoint, Flow, LinkId, Reduction


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
            except BaseException as error:  # of any kind: it goes to whoever called run()
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
