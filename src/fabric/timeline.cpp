// A timeline through its runs: memory before each, events kept after it.
#include <algorithm>

#include "fabric/timeline_state.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/network.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer {

namespace {
constexpr std::size_t fewest = 256, most_of_one = std::size_t{1} << 18;
}

timeline::timeline(std::size_t events) : state_(std::make_unique<state>()) {
  state_->most = events;
}
timeline::~timeline() = default;

std::size_t timeline::bytes_per_rank(const machine& m) const {
  const std::size_t share = state_->most / static_cast<std::size_t>(m.size());
  return std::clamp(share, fewest, most_of_one) * sizeof(trace_event);
}

std::size_t timeline::state::share() const {
  return std::clamp(most / ranks.size(), fewest, most_of_one);
}

void timeline::state::describe(const machine& m) {
  spec = m.spec();
  fabric = m.fabric();
  model = m[0].model;
  if (model) system = model->title;
  for (int r = 0; r < m.size(); ++r)
    ranks.push_back({m[r].name, m[r].memory_group, m[r].is_cuda()});
  if (model) return;
  for (int from = 0; from < m.size(); ++from)
    for (int to = 0; to < m.size(); ++to) {
      const link& l = m.between(from, to);
      links.push_back({l.transport, l.bandwidth});
    }
}

timeline::state::link_text timeline::state::link_of(int from, int to) const {
  if (!model) return links[static_cast<std::size_t>(from) * ranks.size() + to];
  if (from == to) return {"sim", 0};
  return {"sim", model::network(model, static_cast<int>(ranks.size())).bandwidth(from, to)};
}

void timeline::begin(const machine& m) {
  auto& s = *state_;
  require(!s.open, "timeline: one run at a time");
  if (s.ranks.empty()) {
    s.describe(m);
    s.recorders.resize(s.ranks.size());
  } else if (s.spec != m.spec()) {
    throw usage_error("timeline: it holds runs of '" + s.spec + "', not of '" + m.spec() + "'");
  }
  for (int r = 0; r < m.size(); ++r) {
    auto& recorder = s.recorders[static_cast<std::size_t>(r)];
    if (!m.here(r)) continue;
    if (recorder == nullptr) recorder = std::make_unique<trace_recorder>(m, r, s.share());
    recorder->clear();
  }
  s.from_others.clear();
  s.dropped_by_others = 0;
  s.open = true;
}

trace_recorder* timeline::of(int rank) const {
  return state_->recorders[static_cast<std::size_t>(rank)].get();
}

void timeline::collect(rank& r) {
  of(r.id())->settle();
  if (!r.owner().all_here()) state_->gather(r);
}

void timeline::state::keep(const trace_event& e, int rank) {
  events.push_back({e, rank, runs});
  events.back().e.begin += shift;
  events.back().e.end += shift;
}

void timeline::end() {
  auto& s = *state_;
  for (std::size_t r = 0; r < s.recorders.size(); ++r) {
    if (s.recorders[r] == nullptr) continue;
    for (const trace_event& e : s.recorders[r]->events()) s.keep(e, static_cast<int>(r));
    s.dropped += s.recorders[r]->dropped();
  }
  for (const kept_event& k : s.from_others) s.keep(k.e, k.rank);
  s.dropped += s.dropped_by_others;
  if (s.model)
    for (const kept_event& k : s.events) s.shift = std::max(s.shift, k.e.end);
  ++s.runs;
  s.open = false;
}

void timeline::describe(std::string algorithm, double milliseconds,
                        std::vector<std::pair<std::string, std::int64_t>> facts,
                        std::string engine) {
  require(state_->runs > 0 && !state_->open, "timeline: no run has ended that could be described");
  state_->descriptions.push_back(
      {state_->runs - 1, std::move(algorithm), milliseconds, std::move(facts), std::move(engine)});
}

std::size_t timeline::events() const {
  return state_->events.size();
}
std::uint64_t timeline::dropped() const {
  return state_->dropped;
}
std::vector<trace_event> timeline::events_of(int rank) const {
  std::vector<trace_event> found;
  for (const kept_event& k : state_->events)
    if (k.rank == rank) found.push_back(k.e);
  return found;
}

}  // namespace gossamer
