// One level of the CUDA engine: forms of the frontier, kernels, exchange, report.
#include <cuda_runtime_api.h>

#include <atomic>

#include "algorithm/bfs/sync/cuda/engine.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail::cuda {

namespace {

/// Bit position of the level in a mail signal (see bfs/engine.hpp).
constexpr int mail_level_bit = 40;
/// Polls before the thread first yields: about the length of the longest level, so that the wait
/// for a report never sleeps in a run that goes well.
constexpr std::uint32_t report_spins = 20000;

}  // namespace

template <class Id>
bool engine<Id>::reported() const {
  return std::atomic_ref(report_.data()->sequence).load(std::memory_order_acquire) == sequence_;
}

template <class Id>
void engine<Id>::await_report(rank& r) {
  // Bounded: kernels that report here wait for nobody, so either the report comes, or the stream
  // ends without it (a failed kernel: idle() throws what the device says), or the run is aborted.
  backoff wait(report_spins);
  while (!reported()) {
    if (!wait.pause()) continue;
    r.progress();
    if (r.stream().idle() && !reported()) {
      r.synchronize();
      throw error("bfs: rank " + std::to_string(rank_) + ": a level ended without its report");
    }
  }
}

template <class Id>
void engine<Id>::synchronize_report(rank& r) {
  r.synchronize();
  if (!reported()) {
    throw error("bfs: rank " + std::to_string(rank_) + ": a level ended without its report");
  }
}

template <class Id>
step_result engine<Id>::adopt(form made) {
  form_ = made;
  frontier_ = {report_.data()->vertices, report_.data()->arcs};
  return frontier_;
}

template <class Id>
std::uint32_t* engine<Id>::bits(std::int64_t level) const {
  std::uint32_t* both = exchange_ == nullptr
                            ? arrays_.own_bits.data()
                            : reinterpret_cast<std::uint32_t*>(exchange_->bits.local().data());
  return both + (level & 1) * (placed_ / 32);
}

template <class Id>
void engine<Id>::become_queue(rank& r, std::int64_t level) {
  if (form_ == form::queue) return;
  form_ = form::queue;
  if (frontier_.vertices == 0) return;
  const trace_span span(r, "gather", r.stream());
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(&arrays_.count.data()->gathered, 0,
                                      sizeof(unsigned long long),
                                      static_cast<cudaStream_t>(r.stream().native())));
  bits_to_queue(site_of(r), view_, bits(level), queue(current_));
}

template <class Id>
void engine<Id>::become_bitmap(rank& r, std::int64_t level) {
  if (form_ == form::bitmap) return;
  form_ = form::bitmap;
  if (slice_.rows == 0) return;
  const trace_span span(r, "scatter", r.stream());
  queue_to_bits(site_of(r), view_, queue(current_), frontier_.vertices, bits(level));
}

template <class Id>
void engine<Id>::expand_frontier(rank& r, reporting what) {
  const trace_span span(r, "expand", r.stream());
  const bool hubs = longest_row_ >= hub_arcs && frontier_.arcs >= hub_arcs;
  ++sequence_;
  expand(site_of(r), view_, queue(current_), frontier_.vertices, hubs,
         hubs ? reporting::none : what, sequence_);
  if (hubs) expand_hubs(site_of(r), view_, what, sequence_);
}

template <class Id>
step_result engine<Id>::top_down(rank& r, std::int64_t level) {
  become_queue(r, level);
  view_.depth = static_cast<std::int32_t>(level + 1);
  view_.next = queue(1 - current_);
  if (ranks_ == 1) {
    if (frontier_.vertices == 0) return {};
    expand_frontier(r, reporting::level);
    await_report(r);
  } else {
    if (frontier_.vertices > 0) {
      expand_frontier(r, reporting::mail);
      await_report(r);
    } else {
      for (long long& count : mail_.span()) count = 0;
    }
    before_.record(r.stream());
    send_mail(r, level);
    after_.record(r.stream());
    absorb_mail(r, level);
    synchronize_report(r);
    sent_to_peers_.seconds += after_.milliseconds_since(before_) * 1e-3;
  }
  current_ = 1 - current_;
  return adopt(form::queue);
}

template <class Id>
void engine<Id>::send_mail(rank& r, std::int64_t level) {
  const std::uint64_t tag = static_cast<std::uint64_t>(level + 1) << mail_level_bit;
  for (int k = 1; k < ranks_; ++k) {
    const int to = (rank_ + k) % ranks_;
    const auto count = static_cast<std::size_t>(mail_.data()[to]);
    const signal flag = exchange_->mail[rank_];
    if (count == 0) {
      r.raise(flag, to, tag);
    } else {
      ++sent_to_peers_.messages;
      sent_to_peers_.bytes += static_cast<std::int64_t>(count * sizeof(message<Id>));
      r.put_signal(exchange_->inbox, to, rank_ * graph_.owners().local_size(to),
                   std::span<const message<Id>>(arrays_.outbox.data() + outbox_first_[to], count),
                   flag, tag | count);
    }
  }
  for (int k = 1; k < ranks_; ++k) {
    const int from = (rank_ + ranks_ - k) % ranks_;
    r.wait_signal(exchange_->mail[from], tag, from);
  }
  ++sent_to_peers_.rounds;
}

template <class Id>
void engine<Id>::absorb_mail(rank& r, std::int64_t level) {
  const trace_span span(r, "absorb", r.stream());
  absorb(site_of(r), view_, exchange_->inbox.local().data(),
         reinterpret_cast<const unsigned long long*>(exchange_->mail.table().parts[rank_].data),
         static_cast<unsigned long long>(level + 1), ++sequence_);
}

template <class Id>
step_result engine<Id>::bottom_up(rank& r, std::int64_t level) {
  if (slice_.in_offsets == nullptr) {
    throw usage_error("bfs: bottom-up needs in-arcs, which this placement does not keep");
  }
  if (ranks_ == 1 && frontier_.vertices == 0) return {};
  become_bitmap(r, level);
  view_.depth = static_cast<std::int32_t>(level + 1);
  if (ranks_ > 1) {
    before_.record(r.stream());
    send_bits(r, level);
    after_.record(r.stream());
    const trace_span span(r, "note", r.stream());
    note_reached(site_of(r), view_, bits(level), placed_ / 32);
  }
  if (slice_.rows > 0) {
    const trace_span span(r, "search", r.stream());
    cuda::bottom_up(site_of(r), view_, bits(level), bits(level + 1), ++sequence_);
  }
  if (ranks_ == 1) {
    await_report(r);
    return adopt(form::bitmap);
  }
  if (slice_.rows > 0) {
    synchronize_report(r);
    adopt(form::bitmap);
  } else {
    r.synchronize();
  }
  sent_to_peers_.seconds += after_.milliseconds_since(before_) * 1e-3;
  return frontier_;
}

template <class Id>
void engine<Id>::send_bits(rank& r, std::int64_t level) {
  const std::int64_t buffer = (level & 1) * (placed_ / 64);
  const std::uint64_t* mine = exchange_->bits.local().data() + buffer;
  const auto tag = static_cast<std::uint64_t>(level + 1);
  for (int k = 1; k < ranks_; ++k) {
    const int to = (rank_ + k) % ranks_;
    for (const vertex_run& run : runs_) {
      r.put(exchange_->bits, to, buffer + run.placed / 64,
            std::span<const std::uint64_t>(mine + run.placed / 64, run.count / 64));
      ++sent_to_peers_.messages;
      sent_to_peers_.bytes += run.count / 8;
    }
    r.raise(exchange_->bits_seen[rank_], to, tag);
  }
  for (int k = 1; k < ranks_; ++k) {
    const int from = (rank_ + ranks_ - k) % ranks_;
    r.wait_signal(exchange_->bits_seen[from], tag, from);
  }
  ++sent_to_peers_.rounds;
}

#define GOSSAMER_INSTANTIATE(Id)                                  \
  template bool engine<Id>::reported() const;                     \
  template void engine<Id>::await_report(rank&);                  \
  template step_result engine<Id>::top_down(rank&, std::int64_t); \
  template step_result engine<Id>::bottom_up(rank&, std::int64_t);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
