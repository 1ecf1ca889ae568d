// Events of ranks in other processes. Part of a run, after its program: every process sends its
// rank's events to all, since which of them will write the trace is its caller's business.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "fabric/timeline_state.hpp"

namespace gossamer {

namespace {

/// An event as it travels: names are text, since literals lie elsewhere in each process.
struct sent_event {
  char name[32] = {};
  trace_event e;
};

// Processes of one host share the monotonic clock. Of different hosts it starts with the host, so
// that they are far apart; how far is measured to a barrier's length.
constexpr double same_clock = 1e-3;
constexpr int rounds = 5;

/// Seconds to add to this rank's clock so that it shows rank 0's.
double to_first_clock(rank& r) {
  std::vector<double> offsets, all(static_cast<std::size_t>(r.size()));
  for (int i = 0; i < rounds; ++i) {
    r.barrier();
    const double mine = r.clock();
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    offsets.push_back(all[0] - mine);
  }
  std::nth_element(offsets.begin(), offsets.begin() + rounds / 2, offsets.end());
  const double median = offsets[rounds / 2];
  return std::abs(median) < same_clock ? 0 : median;
}

}  // namespace

void timeline::state::gather(rank& r) {
  trace_recorder& mine = *recorders[static_cast<std::size_t>(r.id())];
  const auto p = static_cast<std::size_t>(r.size());
  // What the gathering itself records stays out.
  const std::vector<trace_event> own(mine.events().begin(), mine.events().end());
  const double offset = to_first_clock(r);

  const std::uint64_t count[2] = {own.size(), mine.dropped()};
  std::vector<std::uint64_t> counts(2 * p);
  r.exchange(std::as_bytes(std::span(count)), std::as_writable_bytes(std::span(counts)));
  std::uint64_t longest = 0;
  for (std::size_t k = 0; k < p; ++k) longest = std::max(longest, counts[2 * k]);
  std::vector<sent_event> sent(longest), all(longest * p);
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::strncpy(sent[i].name, own[i].name, sizeof sent[i].name - 1);
    sent[i].e = own[i];
    sent[i].e.begin += offset;
    sent[i].e.end += offset;
  }
  r.exchange(std::as_bytes(std::span(sent)), std::as_writable_bytes(std::span(all)));

  const auto me = static_cast<std::size_t>(r.id());
  mine.clear();
  for (std::size_t k = 0; k < p; ++k) {
    dropped_by_others += counts[2 * k + 1];
    for (std::size_t i = 0; i < counts[2 * k]; ++i) {
      sent_event& event = all[k * longest + i];
      event.e.name = k == me ? own[i].name : names.insert(std::string(event.name)).first->c_str();
      from_others.push_back({event.e, static_cast<std::int32_t>(k), 0});
    }
  }
}

}  // namespace gossamer
