// A worklist on GPUs as algorithms have it: engine async or host, whichever is asked for, with the
// same operator, rows and start.
#pragma once

#include <optional>

#include "algorithm/host_driven/cuda/engine.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"

namespace gossamer::algorithm_detail::cuda {

template <class Operator, class Weight, class Start>
class driven_list {
 public:
  using by_kernel = worklist_engine<Operator, Weight, Start>;
  using by_host = host_list_engine<Operator, Weight, Start>;
  using value = typename Operator::value;

  /// `rows`: of `self`, which stay; `first`: row ranges of all ranks; `short_rows`: of all
  /// (short_rows.hpp).
  driven_list(const list_drive& how, const machine& m, const Operator& by,
              const rows_there<Weight>& rows, const std::vector<std::int64_t>& first, int self,
              bool short_rows) {
    if (how.by_host)
      host_.emplace(m, by, rows, first, self, how.options, short_rows);
    else
      kernel_.emplace(how.options.name, m[self], by, rows, first, self, how.options.delta,
                      short_rows);
  }
  /// Of the constructor and of run(); `arcs`: of `self`.
  static list_memory memory(const machine& m, const std::vector<std::int64_t>& first, int self,
                            std::int64_t arcs, const list_drive& how) {
    if (how.by_host) return by_host::memory(m, first, self, arcs, how.options);
    const list_bytes b(by_kernel::sizes(first, self, arcs), m.all_direct());
    list_memory all{b.work};
    (m.all_direct() ? all.windows.native : all.windows.host) = static_cast<std::size_t>(b.windows);
    return all;
  }

  /// null: a host thread drives, which widens windows by itself and leaves nothing out.
  [[nodiscard]] by_kernel* kernel() { return kernel_ ? &*kernel_ : nullptr; }

  /// Collective, inside a run, not timed.
  void begin(rank& r) {
    if (kernel_) kernel_->begin(r);
  }
  /// Collective, behind begin(): until no rank has anything left; the seconds that took.
  double run(rank& r, const Start& start) {
    return kernel_ ? kernel_->run(r, start) : host_->run(r, start);
  }

  /// In the GPU's memory, as the next.
  [[nodiscard]] const edge_offset* offsets() const {
    return kernel_ ? kernel_->offsets() : host_->offsets();
  }
  [[nodiscard]] const value* own_values() const {
    return kernel_ ? kernel_->own_values() : host_->own_values();
  }
  /// Of the own rows, to `to`.
  void download(value* to) const { kernel_ ? kernel_->download(to) : host_->download(to); }
  /// Of the last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept {
    return kernel_ ? kernel_->counters() : host_->counters();
  }
  /// Sums: what is known here and was not taken.
  [[nodiscard]] double left() const noexcept { return kernel_ ? kernel_->left() : host_->left(); }

 private:
  std::optional<by_kernel> kernel_;
  std::optional<by_host> host_;
};

}  // namespace gossamer::algorithm_detail::cuda
