// Checks the rules of lanes for one part, then between parts, and names the first step that breaks
// one.
#include "collective/schedule/lanes.hpp"

#include <algorithm>
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
  const auto add = [&](int peer, const buffer_place& at, std::size_t n, bool written) {
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

/// The signal that tells of put i: its own, or that of the next put of its lane to the same peer;
/// -1 = none.
int told_by(const rank_schedule& from, std::size_t i) {
  const step& put = from.steps[i];
  for (; i < from.steps.size(); ++i) {
    const step& s = from.steps[i];
    if (s.kind == step_kind::put && s.peer == put.peer && s.signal >= 0 && s.lane == put.lane)
      return s.signal;
  }
  return -1;
}

/// Whether a step's waits for a signal are all in other lanes. (One that does not wait for it at
/// all reads what was there before, or is wrong whatever the lanes.)
bool others_wait(const rank_schedule& at, std::size_t reader, int signal) {
  bool any = false;
  for (std::size_t i = 0; i < reader; ++i) {
    const step& s = at.steps[i];
    if (s.kind != step_kind::wait || s.signal != signal) continue;
    if (s.lane < 0 || s.lane == at.steps[reader].lane) return false;
    any = true;
  }
  return any;
}

/// What the laned steps of a rank read of its own memory.
struct lane_read {
  std::size_t step;
  touched what;
};
std::vector<lane_read> lane_reads(const rank_schedule& part) {
  std::vector<lane_read> all;
  for (std::size_t i = 0; i < part.steps.size(); ++i) {
    if (part.steps[i].lane < 0) continue;
    for (const auto& t : touched_by(part.steps[i]))
      if (t.peer < 0 && !t.written) all.push_back({i, t});
  }
  return all;
}

bool overlap(const step& put, const touched& t) {
  return t.in == put.to.in && t.begin < put.to.offset + put.count && put.to.offset < t.end;
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

std::string check_lanes(const std::vector<rank_schedule>& parts) {
  for (const auto& part : parts)
    if (auto wrong = check_lanes(part); !wrong.empty()) return wrong;
  std::vector<std::vector<lane_read>> reads;
  for (const auto& part : parts) reads.push_back(lane_reads(part));
  for (const auto& from : parts)
    for (std::size_t i = 0; i < from.steps.size(); ++i) {
      const step& put = from.steps[i];
      if (put.kind != step_kind::put || put.count == 0) continue;
      const auto peer = static_cast<std::size_t>(put.peer);
      for (const auto& read : reads[peer])
        if (overlap(put, read.what) && others_wait(parts[peer], read.step, told_by(from, i)))
          return "rank " + std::to_string(put.peer) + " step " + std::to_string(read.step) +
                 " reads what its lane has not waited for";
    }
  return {};
}

}  // namespace gossamer
