// The stages of one level, for both transports: copies that run ahead of the gather by one stage,
// or reads from the peer's memory. Each stage is timed.
#include "algorithm/bfs/vector_queue/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gossamer/fabric/wake_links.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::bfs_detail {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

copy_lane::copy_lane(const device& d, int ranks) {
  if (!d.is_cuda() || ranks == 1) return;
  // A signal is a kernel of one thread: among the gather's blocks it must not come last.
  copies.emplace(d, stream::priority::high);
  for (int stage = 1; stage < ranks; ++stage)
    events.push_back({event(d.ordinal), event(d.ordinal), event(d.ordinal), event(d.ordinal)});
}

queue_exchange::queue_exchange(rank& r, copy_lane& lane, const std::vector<std::int64_t>& rows_of,
                               bool direct)
    : rank_(r),
      lane_(lane),
      rows_of_(rows_of),
      direct_(direct && r.size() > 1),
      gpu_(r.dev().is_cuda()),
      modelled_(r.dev().model != nullptr),
      stages_(circular_stages(r.id(), r.size())),
      longest_(*std::max_element(rows_of.begin(), rows_of.end())) {
  for (auto& e : lane_.events) e.sends = e.waits = false;  // of a run that ended early
  algorithm_detail::array_list taken(r);
  arrays_.list(taken, rows_of[static_cast<std::size_t>(r.id())], longest_, r.size(), direct,
               modelled_);
  if (direct_) {
    wake_links(r, arrays_.queues);
  } else if (!stages_.empty()) {
    r.watch(arrays_.arrived);
    wake_links(r, arrays_.inbox);
  }
}

std::int64_t* queue_exchange::queue(std::int64_t level) const {
  if (!direct_) return arrays_.own.data();
  const auto both = arrays_.queues.local();
  return both.data() + (level % 2) * static_cast<std::int64_t>(both.size() / 2);
}

void queue_exchange::pass(std::int64_t level, std::span<const std::int64_t> counts,
                          const gatherer& gather, const std::function<void()>& spare) {
  times_.resize(times_.size() + stages_.size());
  if (direct_) {
    spare();
    read(level, counts, gather);
  } else {
    copy(level, counts, gather, spare);
  }
  for (std::size_t k = 0; k < stages_.size(); ++k) sent_.seconds += now(k).idle;
  ++sent_.rounds;
}

void queue_exchange::copy(std::int64_t level, std::span<const std::int64_t> counts,
                          const gatherer& gather, const std::function<void()>& spare) {
  const auto count_of = [&](int peer) { return counts[static_cast<std::size_t>(peer)]; };
  const std::int64_t mine = count_of(rank_.id());
  if (!stages_.empty()) send(0, level, mine);
  if (stages_.size() < 2) spare();
  if (mine > 0) gather({queue(level), static_cast<std::size_t>(mine)});
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const std::int64_t received = count_of(stages_[k].from);
    now(k).received = received * static_cast<std::int64_t>(sizeof(std::int64_t));
    if (received > 0) await(k, level);
    if (k + 1 < stages_.size()) send(k + 1, level, mine);
    if (k + 2 == stages_.size()) spare();
    if (received > 0)
      gather({arrays_.inbox.local().data() + static_cast<std::int64_t>(k % 2) * longest_,
              static_cast<std::size_t>(received)});
    if (k + 2 < stages_.size() && count_of(stages_[k + 2].from) > 0)
      rank_.raise(arrays_.read[k + 2], stages_[k + 2].from, static_cast<std::uint64_t>(level) + 1);
  }
  if (stages_.empty()) return;
  rank_.quiet();  // the queue, which puts read from, is written next
  note_events();
}

void queue_exchange::send(std::size_t stage, std::int64_t level, std::int64_t count) {
  if (count == 0) return;
  const auto [to, from] = stages_[stage];
  const auto value = static_cast<std::uint64_t>(level) + 1;
  const stream* on = gpu_ ? &*lane_.copies : nullptr;
  const double begin = rank_.clock();
  if (stage >= 2) rank_.wait_signal(arrays_.read[stage], value, to, on);
  if (gpu_) lane_.events[stage].sent_from.record(*on);
  stage_times& times = now(stage);
  times.sent_at = rank_.clock();
  const std::span<const std::int64_t> data(queue(level), static_cast<std::size_t>(count));
  rank_.put_signal(arrays_.inbox, to,
                   static_cast<std::size_t>(stage % 2) * arrays_.inbox.size(to) / 2, data,
                   arrays_.arrived[stage], value, signal_op::set, on);
  if (gpu_) {
    lane_.events[stage].sent_to.record(*on);
    lane_.events[stage].sends = true;
  } else {
    times.sent = modelled_ ? unknown : rank_.clock() - times.sent_at;
    times.idle += rank_.clock() - begin;
  }
  ++sent_.messages;
  sent_.bytes += static_cast<std::int64_t>(data.size_bytes());
}

void queue_exchange::await(std::size_t stage, std::int64_t level) {
  const double begin = rank_.clock();
  if (gpu_) lane_.events[stage].idle_from.record(rank_.stream());
  rank_.wait_signal(arrays_.arrived[stage], static_cast<std::uint64_t>(level) + 1,
                    stages_[stage].from);
  stage_times& times = now(stage);
  if (gpu_) {
    lane_.events[stage].idle_to.record(rank_.stream());
    lane_.events[stage].waits = true;
    return;
  }
  times.idle += rank_.clock() - begin;
  times.arrived_at = rank_.raised_at(arrays_.arrived[stage]);
}

void queue_exchange::note_events() {
  for (std::size_t k = 0; k < lane_.events.size(); ++k) {
    auto& e = lane_.events[k];
    if (e.sends) now(k).sent = e.sent_to.milliseconds_since(e.sent_from) * 1e-3;
    if (e.waits) now(k).idle += e.idle_to.milliseconds_since(e.idle_from) * 1e-3;
    e.sends = e.waits = false;
  }
}

void queue_exchange::read(std::int64_t level, std::span<const std::int64_t> counts,
                          const gatherer& gather) {
  const auto mine = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank_.id())]);
  if (mine > 0) gather({queue(level), mine});
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const int from = stages_[k].from;
    const auto n = static_cast<std::size_t>(counts[static_cast<std::size_t>(from)]);
    if (n == 0) continue;
    const std::size_t at = static_cast<std::size_t>(level % 2) * arrays_.queues.size(from) / 2;
    if (modelled_) {
      const double begin = rank_.clock();
      rank_.get(arrays_.queues, from, at, arrays_.fetched.first(n));
      now(k).arrived_at = rank_.clock();
      now(k).idle = rank_.clock() - begin;
      gather(arrays_.fetched.first(n));
    } else {
      gather(arrays_.queues.direct(from).subspan(at, n));
    }
    now(k).received = static_cast<std::int64_t>(n * sizeof(std::int64_t));
    ++sent_.messages;
    sent_.bytes += now(k).received;
  }
}

std::vector<bfs_overlap> queue_exchange::report() {
  if (stages_.empty()) return {};
  const std::size_t all_here = times_.size(), stages = stages_.size();
  const auto p = static_cast<std::size_t>(rank_.size());
  std::vector<stage_times> all(all_here * p);
  rank_.exchange(std::as_bytes(std::span(times_)), std::as_writable_bytes(std::span(all)));
  std::vector<bfs_overlap> levels(all_here / stages);
  for (auto& level : levels) level.bytes_per_stage.assign(stages, 0);
  for (std::size_t r = 0; r < p; ++r) {
    const auto order = circular_stages(static_cast<int>(r), static_cast<int>(p));
    for (std::size_t l = 0; l < levels.size(); ++l) {
      double copying = 0;
      std::int64_t bytes = 0;
      for (std::size_t k = 0; k < stages; ++k) {
        const stage_times& here = all[r * all_here + l * stages + k];
        const auto& sender =
            all[static_cast<std::size_t>(order[k].from) * all_here + l * stages + k];
        levels[l].idle_seconds += here.idle;
        levels[l].bytes_per_stage[k] += here.received;
        if (here.received == 0) continue;
        bytes += here.received;
        if (direct_)
          copying += here.idle;
        else
          copying += std::isnan(sender.sent) ? here.arrived_at - sender.sent_at : sender.sent;
      }
      levels[l].copy_seconds += copying;
      if (copying > 0) levels[l].throughput += static_cast<double>(bytes) / copying;
    }
  }
  return levels;
}

namespace {

/// What a model's link into a node and the copies over it sustain.
double modelled_link(const model::system& s) {
  double rate = s.kind_of(model::memory::device, model::memory::device, std::size_t{1} << 30, false)
                    .bandwidth;
  for (const double b : s.network.bandwidth) rate = std::min(rate, b);
  return s.network.port_bandwidth > 0 ? std::min(rate, s.network.port_bandwidth) : rate;
}

}  // namespace

double link_limit(const machine& m) {
  double sum = 0;
  for (int to = 0; to < m.size(); ++to) {
    double slowest = std::numeric_limits<double>::infinity();
    for (int from = 0; from < m.size(); ++from)
      if (from != to) slowest = std::min(slowest, m.between(from, to).bandwidth);
    if (m[to].model != nullptr) slowest = modelled_link(*m[to].model);
    if (m.size() == 1 || slowest == 0) return 0;
    sum += slowest;
  }
  return sum;
}

}  // namespace gossamer::bfs_detail
