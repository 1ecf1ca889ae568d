// The steps that algorithms write; finish.cpp completes them.
#include "collective/algorithm/builder.hpp"

#include <algorithm>
#include <cmath>

#include "collective/schedule/room.hpp"

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
  if (q.segments > 0) return std::clamp(q.segments, 1, 64);
  // At least 64 KiB a piece: an NVLink or a memory copy takes as long for it as a signal takes to
  // arrive. A chain of S pieces lasts (S + p - 2) / S vectors and a few microseconds a piece. The
  // best number of pieces rises with the root of the length.
  const auto bytes = static_cast<double>(q.count * q.element);
  const double wanted = std::min(bytes / 65536, 2 * std::sqrt(bytes / (1 << 20)));
  return static_cast<int>(std::clamp(wanted, 1.0, 64.0));
}

std::size_t builder::piece_begin(int pieces, int i) const {
  constexpr std::size_t line = 128;
  const std::size_t n = count(), element = shape.request().element;
  const std::size_t unit = line % element == 0 ? line / element : 1;
  if (n < 4 * unit * static_cast<std::size_t>(pieces)) return pattern::split_begin(n, pieces, i);
  return std::min(n, unit * pattern::split_begin((n + unit - 1) / unit, pieces, i));
}

void builder::add(const step& s) {
  auto& steps = part_.steps;
  // Where they grow, the old ones and twice as many are there at once.
  constexpr std::size_t small = 1 << 16;
  if (steps.size() == steps.capacity() && steps.size() >= small)
    check_room(shape.request(), "a rank's part", 3 * steps.size() * sizeof(step));
  steps.push_back(s);
}

step builder::begun(step_kind kind) const {
  step s;
  s.kind = kind;
  s.round = round_;
  s.lane = lane_;
  return s;
}

void builder::put(int position, buffer_place from, buffer_place to, std::size_t n, int signal) {
  step s = begun(step_kind::put);
  s.peer = at(position);
  s.signal = signal;
  s.from = from;
  s.to = to;
  s.count = n;
  if (n != 0 || signal >= 0) add(s);
}

void builder::wait(int signal, int position) {
  step s = begun(step_kind::wait);
  s.peer = at(position);
  s.signal = signal;
  add(s);
}

void builder::wait_for_all(int first) {
  for (int i = 1; i < p; ++i) {
    const int v = pattern::shifted(me, -i, p);
    wait(first + v, v);
  }
}

void builder::copy(buffer_place from, buffer_place to, std::size_t n) {
  if (n == 0 || from == to) return;
  step s = begun(step_kind::copy);
  s.from = from;
  s.to = to;
  s.count = n;
  add(s);
}

void builder::reduce(buffer_place a, buffer_place b, buffer_place to, std::size_t n) {
  fold(b, 0, 2, 0, a, to, n);
}

void builder::fold(buffer_place from, std::size_t stride, int parts, int own_part, buffer_place own,
                   buffer_place to, std::size_t n) {
  if (n == 0) return;
  if (parts == 1) return copy(own_part == 0 ? own : from, to, n);
  step s = begun(step_kind::reduce);
  s.from = from;
  s.to = to;
  s.count = n;
  s.own = own;
  s.own_part = own_part;
  s.parts = parts;
  s.stride = stride;
  add(s);
}

void builder::flush(int position) {
  step s = begun(step_kind::flush);
  s.peer = at(position);
  add(s);
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

void builder::put_packed(int position, buffer_place from, buffer_place base, int first, int last,
                         int signal) {
  for (const auto& r : runs(first, last))
    put(position, {from.in, from.offset + r.in_order}, {base.in, base.offset + r.packed}, r.n);
  notify(position, signal);
}

void builder::put_unpacked(int position, buffer_place base, buffer_place to, int first, int last,
                           int signal) {
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

}  // namespace gossamer
