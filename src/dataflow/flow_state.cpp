// Makes windows, counters, senders and receivers of a rank from the layout, and moves them all on
// whenever anything waits.
#include "dataflow/flow_state.hpp"

namespace gossamer::dataflow {

flow_state::flow_state(const wiring& w, gossamer::rank& rank)
    : wires(w),
      r(rank),
      plan(lay_out(w)),
      sends(rank, plan),
      events(rank.dev(), rank.dev().is_cuda() ? 64 : 0) {
  const auto me = static_cast<std::size_t>(r.id());
  data = r.make_window<std::byte>(plan.bytes[me]);
  headers = r.make_window<segment_header>(plan.headers[me], home::host);
  counters = r.make_signals(plan.counters[me], home::host);
  stuck_ = r.make_signals(2 * static_cast<std::size_t>(r.size()), home::host);
  known.resize(plan.counters[me]);
  awaited_.resize(plan.counters[me]);
  if (r.dev().is_cuda()) returns = gossamer::stream(r.dev(), gossamer::stream::priority::high);
  counts.resize(plan.lanes.size());
  const auto links = wires.edges().size();
  std::vector<std::vector<int>> from(links), to(links);
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    const auto& l = plan.lanes[i];
    if (l.from_rank == r.id()) {
      from[static_cast<std::size_t>(l.out_link)].push_back(static_cast<int>(i));
      counts[i].staged = r.scratch<segment_header>(static_cast<std::size_t>(l.buffers), home::host);
    }
    if (l.to_rank == r.id()) to[static_cast<std::size_t>(l.in_link)].push_back(static_cast<int>(i));
  }
  outs.resize(links);
  ins.resize(links);
  for (std::size_t i = 0; i < links; ++i) {
    const link_id id{static_cast<int>(i)};
    if (!from[i].empty()) outs[i] = std::make_unique<out_queue>(*this, id, std::move(from[i]));
    if (!to[i].empty()) ins[i] = std::make_unique<pipelined_receiver>(*this, id, std::move(to[i]));
  }
}

void flow_state::follow(const gossamer::stream& order, const gossamer::stream& work) {
  event e = events.take();
  e.record(work);
  e.block(order);
  events.give(std::move(e));  // a stream that waits for an event keeps the moment it was told of
}

void flow_state::refresh() {
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = r.read_signal(counters[i]);
}

bool flow_state::advance() {
  refresh();
  bool moved = false;
  for (const auto& out : outs)
    if (out) moved |= out->push();
  return call_back() || moved;
}

bool flow_state::call_back() {
  bool called = false;
  for (const auto& in : ins)
    if (in) called |= in->call_back();
  return called;
}

void flow_state::wait(const waiting& why) {
  tell_of_unrouted();
  for (std::size_t i = 0; i < known.size(); ++i) awaited_[i] = known[i] + 1;
  try {
    r.wait_any(counters, 0, awaited_);
  } catch (const rank_error& e) {
    // The run is over for all, with the fabric's words; the rank that began it says more.
    if (!e.timed_out() || e.rank() != r.id()) throw;
    throw rank_error(std::string(e.what()) + "; dataflow: " + explain(why), e.rank(), e.peer(),
                     true);
  }
}

}  // namespace gossamer::dataflow
