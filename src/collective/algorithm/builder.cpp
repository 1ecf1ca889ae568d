// What every algorithm has in common after its own steps.
//
// Staging. If peers write a rank's output and it is not symmetric memory (or the request is not
// `direct`), output becomes a second piece of scratch, copied to the caller's at the end.
//
// Host memory. A request that goes through it stages inputs as well, on every rank.
//
// Flow control. A writer must not reach a reader's buffer before the reader is done with its
// earlier content.
//   * Rotating scratch, operations in which every rank's result depends on every rank: a rank that
//     has finished epoch e - 1 knows that all have entered e - 1, so all have finished e - 2, whose
//     buffer epoch e uses. Nothing is needed.
//   * Rotating scratch, rooted operations: a root may run ahead of its leaves. At the end of an
//     epoch each reader grants every writer one more use; the writer waits for the grant of two
//     epochs ago, which is normally long there.
//   * Direct output: there is one, and the caller reads it between epochs. The reader grants when
//     it enters an epoch, and the writer waits for the grant of this epoch. (Not where what is
//     written needs a contribution of every rank in this epoch.)
// Credit counters of a rank are numbered behind the algorithm's: one per peer it writes to.
#include "collective/algorithm/builder.hpp"

#include <algorithm>

namespace gossamer {

builder::builder(const layout& where, int r)
    : shape(where),
      p(where.p()),
      rank(r),
      me(where.position_of(r)),
      in_place_(where.request().in_place && (!where.request().via_host || stages_overlap())),
      all_hear_all_(!where.rooted()) {
  part_.rank = r;
}

int builder::segments() const {
  const auto& q = shape.request();
  // 64 KiB a piece: an NVLink or a memory copy takes as long for it as a signal takes to arrive.
  const std::size_t wanted =
      q.segments > 0 ? static_cast<std::size_t>(q.segments) : q.count * q.element / 65536;
  return static_cast<int>(std::clamp<std::size_t>(wanted, 1, 64));
}

void builder::put(int position, place from, place to, std::size_t n, int signal) {
  step s;
  s.peer = at(position);
  s.signal = signal;
  s.round = round_;
  s.from = from;
  s.to = to;
  s.count = n;
  if (n != 0 || signal >= 0) part_.steps.push_back(s);
}

void builder::wait(int signal, int position) {
  step s;
  s.kind = step_kind::wait;
  s.peer = at(position);
  s.signal = signal;
  s.round = round_;
  part_.steps.push_back(s);
}

void builder::wait_for_all(int first) {
  for (int i = 1; i < p; ++i) {
    const int v = pattern::shifted(me, -i, p);
    wait(first + v, v);
  }
}

void builder::copy(place from, place to, std::size_t n) {
  if (n == 0 || from == to) return;
  step s;
  s.kind = step_kind::copy;
  s.round = round_;
  s.from = from;
  s.to = to;
  s.count = n;
  part_.steps.push_back(s);
}

void builder::reduce(place a, place b, place to, std::size_t n) {
  fold(b, 0, 2, 0, a, to, n);
}

void builder::fold(place from, std::size_t stride, int parts, int own_part, place own, place to,
                   std::size_t n) {
  if (n == 0) return;
  if (parts == 1) return copy(own_part == 0 ? own : from, to, n);
  step s;
  s.kind = step_kind::reduce;
  s.round = round_;
  s.from = from;
  s.to = to;
  s.count = n;
  s.own = own;
  s.own_part = own_part;
  s.parts = parts;
  s.stride = stride;
  part_.steps.push_back(s);
}

void builder::flush(int position) {
  step s;
  s.kind = step_kind::flush;
  s.peer = at(position);
  s.round = round_;
  part_.steps.push_back(s);
}

std::vector<builder::run> builder::runs(int first, int last) const {
  std::vector<run> found;
  for (int v = first; v < last; ++v) {
    const std::size_t begin = shape.begin(at(v)), n = shape.size(at(v));
    if (n == 0) continue;
    const std::size_t packed = shape.packed(v) - shape.packed(first);
    if (!found.empty() && found.back().in_order + found.back().n == begin)
      found.back().n += n;
    else
      found.push_back({begin, packed, n});
  }
  return found;
}

void builder::put_packed(int position, place from, place base, int first, int last, int signal) {
  for (const auto& r : runs(first, last))
    put(position, {from.in, from.offset + r.in_order}, {base.in, base.offset + r.packed}, r.n);
  notify(position, signal);
}

void builder::put_unpacked(int position, place base, place to, int first, int last, int signal) {
  for (const auto& r : runs(first, last))
    put(position, {base.in, base.offset + r.packed}, {to.in, to.offset + r.in_order}, r.n);
  notify(position, signal);
}

void builder::put_blocks(int position, buffer_id from, buffer_id to, int first, int last,
                         int signal) {
  // Runs in order of rank: neighbours there need not have neighbouring positions.
  std::vector<int> blocks;
  for (int v = first; v < last; ++v) blocks.push_back(at(v));
  std::sort(blocks.begin(), blocks.end());
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t j = i + 1;
    while (j < blocks.size() && blocks[j] == blocks[j - 1] + 1) ++j;
    const std::size_t begin = shape.begin(blocks[i]), end = shape.begin(blocks[j - 1] + 1);
    put(position, {from, begin}, {to, begin}, end - begin);
    i = j;
  }
  notify(position, signal);
}

void builder::writes_remote_output() {
  remote_output_ = true;
  if (staged(rank) && !stages_overlap()) in_place_ = false;
}

bool builder::stages_overlap() const {
  const auto& q = shape.request();
  return q.via_host && q.in_place && q.op != collective_op::all_to_all &&
         q.op != collective_op::all_to_all_v;
}

void builder::release_input() {
  if (!shape.request().in_place) return;
  std::vector<int> peers;
  for (const auto& s : part_.steps) {
    if (s.kind == step_kind::put && s.count != 0 && s.from.in == buffer_id::input &&
        std::find(peers.begin(), peers.end(), s.peer) == peers.end())
      peers.push_back(s.peer);
    if (s.kind == step_kind::flush) std::erase(peers, s.peer);
  }
  for (const int peer : peers) flush(shape.position_of(peer));
}

bool builder::staged(int r) const {
  const auto& q = shape.request();
  if (q.via_host) return true;
  const bool only_root_sends = q.op == collective_op::broadcast || q.op == collective_op::scatter;
  return remote_output_ && !q.direct && !(only_root_sends && r == q.root);
}

void builder::stage_output() {
  // The stage comes first, so that peers know where both pieces begin from the request alone.
  // Output comes before input, unless one lies in the other; the algorithm's own scratch is last.
  const auto& q = shape.request();
  struct stage {
    std::size_t in_at, out_at, end;
  };
  const auto stage_of = [&](int r) -> stage {
    const std::size_t out = staged(r) ? shape.output_size(r) : 0;
    if (!q.via_host) return {0, 0, out};
    const std::size_t in = shape.input_size(r), at = shape.in_place_offset(r);
    if (!stages_overlap() || in == 0 || out == 0) return {out, 0, out + in};
    return in < out ? stage{at, 0, out} : stage{0, at, in};
  };
  const auto move = [&](place& at, bool into_stage, int at_rank) {
    const stage there = stage_of(at_rank);
    if (at.in == buffer_id::scratch)
      at.offset += there.end;
    else if (at.in == buffer_id::output && into_stage)
      at = scratch(there.out_at + at.offset);
    else if (at.in == buffer_id::input && q.via_host)
      at = scratch(there.in_at + at.offset);
  };
  const stage here = stage_of(rank);
  const std::size_t mine = staged(rank) ? shape.output_size(rank) : 0;
  const std::size_t in = q.via_host ? shape.input_size(rank) : 0;
  for (auto& s : part_.steps) {
    move(s.from, mine != 0, rank);
    move(s.own, mine != 0, rank);
    if (s.kind != step_kind::put)
      move(s.to, mine != 0, rank);
    else if (s.count != 0)
      move(s.to, true, s.peer);
  }
  part_.scratch += here.end;
  round_ = -1;
  if (in != 0) {
    copy(input(), scratch(here.in_at), in);
    std::rotate(part_.steps.begin(), part_.steps.end() - 1, part_.steps.end());
  }
  if (mine == 0) return;
  release_input();
  copy(scratch(here.out_at), output(), mine);
}

void builder::add_flow_control() {
  const auto& q = shape.request();
  const bool direct = q.direct && !q.via_host && remote_output_ && !output_follows_all_;
  if (q.apart || (!direct && all_hear_all_)) return;
  const int credits = part_.signals;
  part_.signals += p;
  std::vector<bool> writes_to(static_cast<std::size_t>(p)), hears_from(writes_to.size());
  std::vector<int> writers, readers;
  std::vector<step> steps;
  auto grant_all = [&] {
    for (const int w : writers) {
      step s;
      s.peer = w;
      s.signal = credits + rank;
      s.round = -1;
      steps.push_back(s);
    }
  };
  for (const auto& s : part_.steps)
    if (s.kind == step_kind::wait && !hears_from[static_cast<std::size_t>(s.peer)]) {
      hears_from[static_cast<std::size_t>(s.peer)] = true;
      writers.push_back(s.peer);
    }
  if (direct) grant_all();
  // Credits of all puts that follow each other come before the first, which keeps chains whole.
  for (std::size_t i = 0; i < part_.steps.size();) {
    std::size_t end = i;
    for (; end < part_.steps.size() && part_.steps[end].kind == step_kind::put; ++end) {
      const int peer = part_.steps[end].peer;
      if (writes_to[static_cast<std::size_t>(peer)]) continue;
      writes_to[static_cast<std::size_t>(peer)] = true;
      readers.push_back(peer);
      step credit;
      credit.kind = step_kind::wait;
      credit.peer = peer;
      credit.signal = credits + peer;
      credit.lag = direct ? 0 : 2;
      credit.round = -1;
      steps.push_back(credit);
    }
    if (end == i) ++end;
    for (; i < end; ++i) steps.push_back(part_.steps[i]);
  }
  if (!direct && !writers.empty()) {
    // What was received may be on its way to others: it is free when it has arrived there.
    for (const int reader : readers) {
      step s;
      s.kind = step_kind::flush;
      s.peer = reader;
      s.round = -1;
      steps.push_back(s);
    }
    grant_all();
  }
  part_.steps = std::move(steps);
}

void builder::number_chains() {
  int chain = -1;
  bool open = false;
  for (auto& s : part_.steps) {
    if (s.kind != step_kind::put) {
      open = false;
      continue;
    }
    if (!open) ++chain;
    open = true;
    s.chain = chain;
  }
}

rank_schedule builder::finish() && {
  const auto& q = shape.request();
  if (q.via_host || (remote_output_ && !q.direct)) stage_output();
  add_flow_control();
  number_chains();
  return std::move(part_);
}

}  // namespace gossamer
