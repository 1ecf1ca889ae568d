#include "collective/lanes.hpp"

#include <vector>

namespace gossamer {

namespace {

/// Elements of a buffer of this rank (peer -1) or of a peer.
struct touched {
  int peer;
  buffer_id in;
  std::size_t begin, end;
  bool written;
};

std::vector<touched> touched_by(const step& s) {
  std::vector<touched> all;
  const auto add = [&](int peer, const place& at, std::size_t n, bool written) {
    if (n != 0) all.push_back({peer, at.in, at.offset, at.offset + n, written});
  };
  switch (s.kind) {
    case step_kind::put:
      add(-1, s.from, s.count, false);
      add(s.peer, s.to, s.count, true);
      break;
    case step_kind::copy:
      add(-1, s.from, s.count, false);
      add(-1, s.to, s.count, true);
      break;
    case step_kind::reduce:
      for (int k = 0; k < s.parts; ++k)
        if (k != s.own_part)
          add(-1, {s.from.in, s.from.offset + static_cast<std::size_t>(k) * s.stride}, s.count,
              false);
      if (s.own_part >= 0) add(-1, s.own, s.count, false);
      add(-1, s.to, s.count, true);
      break;
    case step_kind::wait:
    case step_kind::flush:
      break;
  }
  return all;
}

bool meet(const step& a, const step& b) {
  for (const auto& x : touched_by(a))
    for (const auto& y : touched_by(b))
      if ((x.written || y.written) && x.peer == y.peer && x.in == y.in && x.begin < y.end &&
          y.begin < x.end)
        return true;
  return false;
}

}  // namespace

std::string check_lanes(const rank_schedule& part) {
  const auto of = [&](std::size_t i) {
    return "rank " + std::to_string(part.rank) + " step " + std::to_string(i);
  };
  const auto& steps = part.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const step& s = steps[i];
    if (s.lane < 0) continue;
    bool told = s.kind != step_kind::put || s.count == 0 || s.signal >= 0;
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      const step& next = steps[j];
      if (next.lane == s.lane)
        told = told || (next.kind == step_kind::put && next.peer == s.peer && next.signal >= 0);
      else if (next.lane >= 0 && meet(s, next))
        return of(i) + " and " + of(j) + " of other lanes touch common memory";
    }
    if (!told) return of(i) + " puts what no signal of its lane tells";
  }
  return {};
}

}  // namespace gossamer
