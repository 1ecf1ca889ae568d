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
#include <algorithm>
#include <utility>

#include "collective/algorithm/builder.hpp"

namespace gossamer {

bool builder::stages_overlap() const {
  const auto& q = shape.request();
  return q.via_host && q.in_place && q.op != collective_op::all_to_all &&
         q.op != collective_op::all_to_all_v;
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
  const auto move = [&](buffer_place& at, bool into_stage, int at_rank) {
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
  round_ = lane_ = -1;
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
