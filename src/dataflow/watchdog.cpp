// What a flow says when a wait runs out: who waited, on what, and what every queue here holds.
//
// The rank whose wait ends first is often not the one at fault: receivers wait as long as the
// sender whose policy forwards nothing. So a rank that is about to wait with such a message tells
// all others, in two counters each; a rank that runs out reads them.
#include "dataflow/flow_state.hpp"
#include "gossamer/base/atomics.hpp"

namespace gossamer::dataflow {

namespace {

std::string count(std::uint64_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

void flow_state::tell_of_unrouted() {
  std::uint64_t link = 0, bytes = 0;
  for (const auto& out : outs)
    if (out && out->unrouted() && link == 0) {
      link = static_cast<std::uint64_t>(out->link().index) + 1;
      bytes = out->bytes_left();
    }
  if (link == told_) return;
  told_ = link;
  const auto mine = 2 * static_cast<std::size_t>(r.id());
  for (int i = 1; i < r.size(); ++i) {
    const int peer = (r.id() + i) % r.size();
    r.raise(stuck_[mine + 1], peer, bytes);
    r.raise(stuck_[mine], peer, link);
  }
}

std::string flow_state::describe(const out_queue& q) const {
  const auto& edge = wires[q.link()];
  std::string text = "endpoint '" + wires[edge.from].name + "' has " +
                     count(q.messages(), "message") + " of " + std::to_string(q.bytes_left()) +
                     " bytes queued on '" + wires.name_of(q.link()) + "'";
  if (q.unrouted())
    return text + ": the policy of router '" + wires[edge.to].name + "' (" +
           wires[edge.to].policy.name + ") names no destination";
  // Where slow ones get few ahead, a lane with free buffers gets no more before it gives some back.
  std::string full, slow;
  for (const int lane : q.lanes())
    (free_buffers(lane) == 0 ? full : slow) +=
        " '" + wires[plan.lanes[static_cast<std::size_t>(lane)].to].name + "'";
  if (!full.empty()) text += ", no buffer free at" + full;
  if (q.paced() && !slow.empty()) text += ", too little has come back from" + slow;
  return text;
}

std::string flow_state::describe(const pipelined_receiver& in) const {
  return "endpoint '" + wires[wires[in.link()].to].name + "' holds " + count(in.held(), "segment") +
         " of '" + wires.name_of(in.link()) + "', " + std::to_string(in.queued()) + " queued";
}

std::string flow_state::explain(const waiting& why) {
  std::string text;
  if (why.link >= 0) {
    const link_id link{why.link};
    const auto& edge = wires[link];
    const bool receives = ins[static_cast<std::size_t>(why.link)] != nullptr &&
                          outs[static_cast<std::size_t>(why.link)] == nullptr;
    text = "endpoint '" + wires[receives ? edge.to : edge.from].name + "' waits " + why.what +
           " '" + wires.name_of(link) + "'";
  } else {
    text = std::string("rank ") + std::to_string(r.id()) + " waits " + why.what;
  }
  for (const auto& out : outs)
    if (out && !out->idle() && out->messages() > 0) text += "; " + describe(*out);
  for (const auto& in : ins)
    if (in && (in->held() > 0 || in->queued() > 0)) text += "; " + describe(*in);
  // Only memory is read: the run has been aborted, and calls into the fabric would say so.
  const auto& table = stuck_.table();
  const auto* words =
      reinterpret_cast<const std::uint64_t*>(table.parts[static_cast<std::size_t>(r.id())].data);
  for (std::size_t peer = 0; peer < static_cast<std::size_t>(r.size()); ++peer) {
    const auto link = std_atomics::load_acquire(words[2 * peer]);
    if (link == 0 || static_cast<int>(peer) == r.id()) continue;
    const link_id id{static_cast<int>(link - 1)};
    const auto& edge = wires[id];
    text += "; endpoint '" + wires[edge.from].name + "' is stuck with " +
            std::to_string(std_atomics::load_acquire(words[2 * peer + 1])) + " bytes queued on '" +
            wires.name_of(id) + "': the policy of router '" + wires[edge.to].name + "' (" +
            wires[edge.to].policy.name + ") names no destination";
  }
  return text;
}

}  // namespace gossamer::dataflow
