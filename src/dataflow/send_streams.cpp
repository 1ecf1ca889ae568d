// Makes a stream for notes, one for long copies, and one on each peer GPU for what it copies from
// host memory. Events keep notes behind their copies.
#include "dataflow/send_streams.hpp"

namespace gossamer::dataflow {

namespace {

/// Shorter copies take no longer than the event between two streams.
constexpr std::size_t long_copy = std::size_t{256} << 10;

}  // namespace

send_streams::send_streams(gossamer::rank& r, const layout& plan)
    : of_peers_(static_cast<std::size_t>(r.size())), direct_(of_peers_.size()) {
  if (!r.dev().is_cuda()) return;
  notes_ = stream(r.dev(), stream::priority::high);
  own_ = std::make_unique<beside>(r.dev());
  const machine& all = r.owner();
  for (const lane& l : plan.lanes) {
    const auto to = static_cast<std::size_t>(l.to_rank);
    if (l.from_rank != r.id() || direct_[to]) continue;
    direct_[to] = all.here(l.to_rank) && all.between(r.id(), l.to_rank).load_store;
    device there = all[l.to_rank];
    if (!direct_[to] || !there.is_cuda() || there.ordinal == r.dev().ordinal) continue;
    if (r.tracing() != nullptr) continue;
    there.own_engines = false;
    of_peers_[to] = std::make_unique<beside>(there);
  }
}

const stream& send_streams::for_copy(int to, std::size_t bytes, bool from_host) const {
  const auto at = static_cast<std::size_t>(to);
  if (bytes < long_copy || !direct_[at]) return notes_;
  return from_host && of_peers_[at] ? of_peers_[at]->on : own_->on;
}

void send_streams::follow(const stream& copies) {
  if (&copies == &notes_) return;
  auto* from = own_.get();
  for (const auto& peer : of_peers_)
    if (peer && &peer->on == &copies) from = peer.get();
  event e = from->events.take();
  e.record(copies);
  e.block(notes_);
  from->events.give(std::move(e));  // a stream that waits for an event keeps the moment it was told
}

void send_streams::begin_after(const event& moment) const {
  moment.block(notes_);
  moment.block(own_->on);
  for (const auto& peer : of_peers_)
    if (peer) moment.block(peer->on);
}

}  // namespace gossamer::dataflow
