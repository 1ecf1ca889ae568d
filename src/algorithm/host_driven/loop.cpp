// The loop itself: receive, look at what kernels have finished, send, launch the next. A pass in
// which nothing moved asks whether all ranks are done.
#include "algorithm/host_driven/loop.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// Messages by their size: links cut a send between elements only.
template <int Bytes>
struct alignas(8) opaque_message {
  std::byte content[Bytes];
};

/// None where threads share cores.
std::uint32_t spins_of(int ranks) {
  return host().cores > ranks ? 2000 : 0;
}

}  // namespace

host_loop::host_loop(rank& r, const host_list_graph& graph, list_device& lists,
                     const host_list_options& options)
    : rank_(r),
      graph_(graph),
      lists_(lists),
      options_(options),
      self_(r.id()),
      ranks_(r.size()),
      detector_(r.id(), r.size(), report_mail{nullptr, nullptr}),
      threshold_(true, options.delta, r.size(), options.delta),
      spins_(spins_of(r.size())),
      clock_(r.deadline()) {
  require(ranks_ <= most_host_list_ranks, options.name + ": a worklist on GPUs has " +
                                              std::to_string(most_host_list_ranks) +
                                              " ranks at most");
  if (ranks_ == 1) return;
  flow_.emplace(graph.wires, r);
  reports_.emplace(r);
  staging_ = staging_buffers(r, options.route, graph.packet);
  if (options.steal) {
    requests_.emplace(r);
    grant_staging_ = staging_buffers(r, message_route::direct, graph.packet);
  }
  detector_ =
      termination_detector<report_mail>(self_, ranks_, report_mail{&*reports_, lists_.packing()});
  r.barrier();  // nobody reports into a window that is not cleared yet
}

void host_loop::run() {
  const double begin = rank_.clock();
  lists_.begin();
  awaiting_ = true;
  while (!ended_) {
    bool moved = receive();
    moved |= look();
    moved |= send();
    moved |= turn();
    if (!moved && rests()) moved = agree() != round_state::waiting;
    if (moved) {
      idle_.reset();
      watched_ = -1;
    } else {
      pause();
    }
  }
  seconds_ = rank_.clock() - begin;
  counters_.rounds = static_cast<std::int64_t>(detector_.rounds());
  if (flow_) close();
}

bool host_loop::receive() {
  if (!flow_) return false;
  bool any = receive_from(graph_.down[at(self_)], false);
  if (requests_) any |= receive_from(graph_.grants_down[at(self_)], true);
  return any;
}

bool host_loop::receive_from(dataflow::link_id down, bool granted) {
  auto in = (*flow_)[down];
  const auto next = in.receive();
  // A look at the kernels now and then, however much comes.
  const int most = ranks_ * host_list_graph::buffers;
  int n = 0;
  for (; n < most && next.ready(); ++n) {
    const auto segment = next.get();
    const std::uint64_t items = segment.bytes().size() / lists_.message_bytes();
    if (granted) {
      lists_.work_off(segment.bytes());
      requests_->withdraw();
    } else {
      lists_.take(segment.bytes());
    }
    taken_ += items;
    in.release(segment, lists_.taking());
  }
  return n > 0;
}

bool host_loop::look() {
  if (!awaiting_ || !lists_.shown(shown_)) return false;
  awaiting_ = false;
  granted_ += leaving_ = shown_.granted;
  if (leaving_ != 0) {
    requests_->grant(thief_);
    counters_.stolen += static_cast<std::int64_t>(leaving_);
    counters_.given_bytes += static_cast<std::int64_t>(leaving_ * lists_.message_bytes());
  }
  finished_ += covered_;
  covered_ = 0;
  require(!shown_.faulty, options_.name + ": a message to rank " + std::to_string(self_) +
                              " names a vertex that there is not");
  for (int to = 0; to < ranks_; ++to)
    if (shown_.appended[at(to)] - packed_[at(to)] > lists_.capacity(to))
      throw capacity_error(options_.name + ": the list for rank " + std::to_string(to) +
                           " of rank " + std::to_string(self_) + " is full (" +
                           std::to_string(lists_.capacity(to)) + " items)");
  return true;
}

bool host_loop::turn() {
  if (awaiting_ || (shown_.queued == 0 && taken_ == 0) || leaving_ != 0 || !lists_.worked())
    return false;
  covered_ = taken_;
  taken_ = 0;
  awaiting_ = true;
  if (requests_ && shown_.queued != 0) requests_->withdraw();
  lists_.turn(chooses_thief());
  return true;
}

/// Whether a rank asks for work; each in its turn.
bool host_loop::chooses_thief() {
  if (!requests_) return false;
  const int asking = requests_->asking(thief_ + 1, ranks_);
  if (asking >= 0) thief_ = asking;
  return asking >= 0;
}

bool host_loop::send() {
  bool any = send_granted();
  for (int step = 1; step < ranks_; ++step) any |= send_to((self_ + step) % ranks_);
  return any;
}

bool host_loop::send_to(int to) {
  bool any = false;
  std::uint64_t& packed = packed_[at(to)];
  const std::size_t each = lists_.message_bytes();
  while (packed < shown_.appended[at(to)]) {
    const auto n = std::min<std::uint64_t>(shown_.appended[at(to)] - packed, graph_.packet / each);
    const bool left = send_from(staging_, graph_.up[at(self_)], to, n,
                                [&](auto into) { lists_.pack(to, packed, n, into); });
    if (!left) break;
    packed += n;
    any = true;
    ++counters_.parcels;
    counters_.sent += static_cast<std::int64_t>(n);
    counters_.bytes += static_cast<std::int64_t>(n * each);
  }
  return any;
}

bool host_loop::send_granted() {
  bool any = false;
  while (leaving_ != 0) {
    const std::uint64_t n =
        std::min<std::uint64_t>(leaving_, graph_.packet / lists_.message_bytes());
    const std::uint64_t first = shown_.granted - leaving_;
    const bool left = send_from(grant_staging_, graph_.grants_up[at(self_)], thief_, n,
                                [&](auto into) { lists_.grant(first, n, into); });
    if (!left) break;
    leaving_ -= n;
    any = true;
  }
  return any;
}

/// `pack(place)` puts n messages there, which go to `to`; false: there is no free place.
template <class Pack>
bool host_loop::send_from(staging_buffers& staging, dataflow::link_id up, int to, std::uint64_t n,
                          const Pack& pack) {
  auto* place = staging.free_place(to);
  if (place == nullptr) return false;
  const auto into = place->bytes.first(n * lists_.message_bytes());
  if (place->used && lists_.packing() != nullptr)
    place->sent.moment().block(*lists_.packing(), rank_.deadline());
  pack(into);
  place->sent = send_packed(into, up, to);
  place->used = true;
  return true;
}

dataflow::send_future host_loop::send_packed(std::span<const std::byte> messages,
                                             dataflow::link_id up, int to) {
  auto out = (*flow_)[up];
  const dataflow::send_options how{
      .to = graph_.ends[at(to)],
      .after = lists_.packing(),
  };
  const auto as = [&]<int Bytes>(std::integral_constant<int, Bytes>) {
    using one = opaque_message<Bytes>;
    return out.send(
        std::span(reinterpret_cast<const one*>(messages.data()), messages.size() / sizeof(one)),
        how);
  };
  if (lists_.message_bytes() == 8) return as(std::integral_constant<int, 8>());
  return as(std::integral_constant<int, 16>());
}

bool host_loop::rests() const {
  if (awaiting_ || shown_.queued != 0 || taken_ != 0 || leaving_ != 0) return false;
  return std::equal(packed_.begin(), packed_.begin() + ranks_, shown_.appended.begin());
}

/// This rank has nothing to do: reports, and looks what the others say.
round_state host_loop::agree() {
  if (!detector_.reported()) {
    const std::uint64_t appended = std::accumulate(
        shown_.appended.begin(), shown_.appended.begin() + ranks_, std::uint64_t{0});
    detector_.report({shown_.items + appended + granted_, shown_.items + finished_, shown_.repeated,
                      shown_.nearest});
  }
  const round_state found = detector_.look();
  if (requests_ && found == round_state::waiting && detector_.missing() >= 0)
    requests_->ask(detector_.missing());
  if (found != round_state::quiet) return found;
  if (detector_.totals().deferred == nothing_deferred) {
    ended_ = true;
    return found;
  }
  threshold_.advance(detector_.totals());
  ++counters_.windows;
  awaiting_ = true;
  lists_.open_window(threshold_.value(), chooses_thief());
  return found;
}

void host_loop::pause() {
  if (!idle_) idle_.emplace(spins_);
  if (idle_->pause()) {
    rank_.progress();
    watch();
  }
}

/// The rank that this one waits for: its report, else a place for messages, else its own kernels.
int host_loop::awaited() const {
  if (detector_.missing() >= 0) return detector_.missing();
  if (leaving_ != 0) return thief_;
  for (int to = 0; to < ranks_; ++to)
    if (packed_[at(to)] != shown_.appended[at(to)]) return to;
  return self_;
}

/// Others must be alive: their threads call the fabric all the time. Own kernels must end.
void host_loop::watch() {
  const int peer = awaited();
  const std::uint64_t beat = peer == self_ ? 0 : rank_.heartbeat(peer);
  const auto now = clock_.look();
  if (peer != watched_ || beat != heartbeat_) {
    watched_ = peer;
    heartbeat_ = beat;
    since_ = now;
    return;
  }
  if (now - since_ <= rank_.deadline()) return;
  const std::string why = peer == self_ ? "its kernels have not ended"
                          : detector_.missing() == peer
                              ? "it has not reported in round " + std::to_string(detector_.rounds())
                              : "it takes no messages";
  throw rank_error(options_.name + ": rank " + std::to_string(peer) + " is stuck: " + why +
                       " (seen by rank " + std::to_string(self_) + ")",
                   self_, peer, true);
}

void host_loop::close() {
  (*flow_)[graph_.up[at(self_)]].shutdown();
  if (requests_) (*flow_)[graph_.grants_up[at(self_)]].shutdown();
  flow_->finish();
}

}  // namespace gossamer::algorithm_detail
