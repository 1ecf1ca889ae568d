// Compiled programs on GPUs, host side: rows are the placement's; in a run a kernel a round on
// every GPU, and between two rounds the ranks agree whether anybody has work left.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "algorithm/compiled_program/cuda/loaded_kernel.hpp"
#include "algorithm/compiled_program/engine.hpp"
#include "algorithm/compiled_program/order_key.hpp"
#include "algorithm/compiled_program/text.hpp"
#include "algorithm/cuda/current_device.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer {

namespace program_detail {

namespace {

/// 90 is sm_90.
int architecture_of(const device& on) {
  int major = 0, minor = 0;
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on.ordinal));
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, on.ordinal));
  return 10 * major + minor;
}

}  // namespace

}  // namespace program_detail

std::vector<int> program_architectures(const machine& m) {
  std::vector<int> found;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r) || !m[r].is_cuda()) continue;
    const int architecture = program_detail::architecture_of(m[r]);
    if (std::find(found.begin(), found.end(), architecture) == found.end())
      found.push_back(architecture);
  }
  return found;
}

namespace program_detail {

namespace {

using algorithm_detail::cuda::current_device;

/// What the kernel counts (round_view::counts).
struct round_counts {
  unsigned long long left, vertices, arcs;
};

/// Words of what kernels look up: addresses of all ranks' keys and two frontiers, first vertices.
std::int64_t table_words(std::size_t ranks) {
  return static_cast<std::int64_t>(4 * ranks + 1);
}

std::size_t words_of(std::int64_t rows) {
  return static_cast<std::size_t>((rows + 31) / 32);
}

template <class Id, class Key>
class rounds_rank final : public program_rank<Key> {
 public:
  rounds_rank(const std::string& image, const program_rows<Id>& rows)
      : device_(rows.graph.on()[rows.rank]),
        kernel_(image),
        first_(rows.graph.bounds()),
        begin_(rows.first()),
        rows_(rows.last() - begin_),
        offsets_(rows.slice().offsets),
        peers_(take<std::uint64_t>(table_words(first_.size() - 1))),
        counts_(take<round_counts>(1)),
        before_(device_.ordinal),
        after_(device_.ordinal) {
    require(first_.back() <= std::numeric_limits<std::int32_t>::max(),
            "vertex program: GPUs can hold 2^31 - 1 vertices");
    lay_columns(rows.slice());
    if (rows.weights != nullptr) {  // they are as wide as keys
      weights_ = take<Key>(rows.slice().arcs);
      copy_bytes(weights_.data(), rows.weights, weights_.size() * sizeof(Key));
    }
    const std::int64_t resident =
        std::int64_t{std::max(1, device_.units / std::max(1, device_.share))} * 8;
    const std::int64_t wanted = (rows_ + round_threads - 1) / round_threads;
    blocks_ = static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, resident));
  }

  program_outcome run(rank& r, const Key* initial, std::span<const std::int64_t> active,
                      Key* keys) override {
    const auto own = r.make_window<Key>(static_cast<std::size_t>(rows_));
    const std::array<window<std::uint32_t>, 2> marks = {
        r.make_window<std::uint32_t>(words_of(rows_)),
        r.make_window<std::uint32_t>(words_of(rows_))};
    std::optional<scalar_plan<std::int64_t>> agree;
    if (r.size() > 1) agree.emplace(r);
    begin(r, own, marks, initial, active);
    program_outcome out;
    const auto seen = r.scratch<round_counts>(1, home::host);
    const trace_span span(r, "propagate", r.stream());
    before_.record(r.stream());
    for (bool left = true; left; ++out.rounds) {
      r.progress();  // a program that never ends is ended here
      r.fill(counts_.data(), 0, sizeof(unsigned long long));
      kernel_.launch(r.stream(), blocks_, view_of(r, marks, out.rounds));
      copy_bytes(seen.data(), counts_.data(), sizeof(round_counts), r.stream());
      after_.record(r.stream());
      r.synchronize();
      const auto mine = static_cast<std::int64_t>(seen[0].left);
      left = (agree ? agree->allreduce(mine, reduction::max) : mine) != 0;
    }
    out.seconds = after_.milliseconds_since(before_) * 1e-3;
    out.arcs = static_cast<std::int64_t>(seen[0].arcs);
    if (rows_ > 0) copy_bytes(keys + begin_, own.local().data(), own.local().size_bytes());
    return out;
  }

 private:
  template <class T>
  buffer<T> take(std::int64_t n) const {
    return make_native_buffer<T>(device_, static_cast<std::size_t>(n));
  }

  /// Kernels read columns of 32 bits: the slice's own, or a copy.
  void lay_columns(const graph_slice<Id>& slice) {
    if constexpr (sizeof(Id) == sizeof(std::int32_t)) {
      columns_ = slice.columns;
    } else {
      shared_array<Id> wide(static_cast<std::size_t>(slice.arcs));
      copy_bytes(wide.data(), slice.columns, wide.size() * sizeof(Id));
      narrowed_ = take<std::int32_t>(slice.arcs);
      write_elements(narrowed_.data(), narrowed_.size(),
                     [&](std::size_t first, std::span<std::int32_t> narrow) {
                       for (std::size_t k = 0; k < narrow.size(); ++k)
                         narrow[k] = static_cast<std::int32_t>(wide[first + k]);
                     });
      columns_ = narrowed_.data();
    }
  }

  /// Initial keys and marks; ends when those of all ranks are there.
  void begin(rank& r, const window<Key>& own, const std::array<window<std::uint32_t>, 2>& marks,
             const Key* initial, std::span<const std::int64_t> active) {
    std::vector<std::uint32_t> first(words_of(rows_)), none(words_of(rows_));
    for (const std::int64_t v : active)
      if (v >= begin_ && v < begin_ + rows_)
        first[static_cast<std::size_t>(v - begin_) / 32] |= 1U << ((v - begin_) % 32);
    if (rows_ > 0) {
      copy_bytes(own.local().data(), initial + begin_, own.local().size_bytes());
      copy_bytes(marks[0].local().data(), first.data(), first.size() * sizeof(std::uint32_t));
      copy_bytes(marks[1].local().data(), none.data(), none.size() * sizeof(std::uint32_t));
    }
    const auto p = static_cast<std::size_t>(r.size());
    std::vector<std::uint64_t> table(peers_.size());
    for (std::size_t q = 0; q < p; ++q) {
      const int peer = static_cast<int>(q);
      table[q] = reinterpret_cast<std::uint64_t>(own.direct(peer).data());
      table[p + q] = reinterpret_cast<std::uint64_t>(marks[0].direct(peer).data());
      table[2 * p + q] = reinterpret_cast<std::uint64_t>(marks[1].direct(peer).data());
    }
    for (std::size_t q = 0; q <= p; ++q) table[3 * p + q] = static_cast<std::uint64_t>(first_[q]);
    copy_bytes(peers_.data(), table.data(), table.size() * sizeof(std::uint64_t));
    const round_counts nothing{};
    copy_bytes(counts_.data(), &nothing, sizeof nothing);
    r.barrier();
  }

  /// Frontiers take turns.
  [[nodiscard]] round_view view_of(const rank& r, const std::array<window<std::uint32_t>, 2>& marks,
                                   std::int64_t round) const {
    const auto p = static_cast<std::size_t>(r.size());
    const auto now = static_cast<std::size_t>(round % 2);
    std::uint64_t* const table = peers_.data();
    round_view view{};
    view.offsets = offsets_;
    view.columns = columns_;
    view.weights = weights_.data();
    view.keys = reinterpret_cast<void* const*>(table);
    view.next = reinterpret_cast<std::uint32_t* const*>(table + (2 - now) * p);
    view.starts = reinterpret_cast<const std::int64_t*>(table + 3 * p);
    view.frontier = marks[now].local().data();
    view.counts = reinterpret_cast<unsigned long long*>(counts_.data());
    view.rows = rows_;
    view.rank = r.id();
    view.ranks = r.size();
    return view;
  }

  const device device_;
  loaded_kernel kernel_;
  const std::vector<std::int64_t>& first_;
  const std::int64_t begin_, rows_;
  const edge_offset* offsets_;
  const std::int32_t* columns_ = nullptr;
  buffer<std::int32_t> narrowed_;
  buffer<Key> weights_;  ///< empty: none
  buffer<std::uint64_t> peers_;
  buffer<round_counts> counts_;
  event before_, after_;
  unsigned blocks_ = 1;
};

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_rounds(const compiled_program& program,
                                               const program_rows<Id>& rows) {
  const device& on = rows.graph.on()[rows.rank];
  const current_device here(on.ordinal);
  return std::make_unique<rounds_rank<Id, Key>>(program.images.at(architecture_of(on)), rows);
}

program_bytes rounds_bytes(const planned_rows& rows, int self, int id_width, int key_bytes,
                           bool weighted) {
  const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  const std::int64_t own = rows.ids(self), arcs = rows.arcs[static_cast<std::size_t>(self)];
  program_bytes b;
  b.rows = (id_width == 4 ? 0 : block(arcs * 4)) + (weighted ? block(arcs * key_bytes) : 0);
  b.windows = block(own * key_bytes) + 2 * block((own + 31) / 32 * 4);
  return b;
}

#define GOSSAMER_INSTANTIATE(Id, Key)                                              \
  template std::unique_ptr<program_rank<Key>> make_rounds(const compiled_program&, \
                                                          const program_rows<Id>&);
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::uint64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace program_detail

}  // namespace gossamer
