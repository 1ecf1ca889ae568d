// Compiled programs on GPUs, host side: rows uploaded once; in a run a kernel a round on every GPU,
// and between two rounds the ranks agree whether anybody has work left.
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
  rounds_rank(const device& on, const std::string& image, const program_rows<Id>& rows,
              const std::vector<std::int64_t>& first, int self)
      : device_(on),
        kernel_(image),
        first_(first),
        begin_(first[static_cast<std::size_t>(self)]),
        rows_(first[static_cast<std::size_t>(self) + 1] - begin_),
        offsets_(take<std::int64_t>(rows_ + 1)),
        columns_(take<std::int32_t>(rows.offsets[begin_ + rows_] - rows.offsets[begin_])),
        peers_(take<std::uint64_t>(table_words(first.size() - 1))),
        counts_(take<round_counts>(1)),
        before_(on.ordinal),
        after_(on.ordinal) {
    require(rows.vertices <= std::numeric_limits<std::int32_t>::max(),
            "vertex program: GPUs can hold 2^31 - 1 vertices");
    upload(rows);
    const std::int64_t resident = std::int64_t{std::max(1, on.units / std::max(1, on.share))} * 8;
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

  void upload(const program_rows<Id>& rows) {
    const edge_offset from = rows.offsets[begin_];
    write_elements(offsets_.data(), offsets_.size(),
                   [&](std::size_t first, std::span<std::int64_t> offsets) {
                     const edge_offset* own = rows.offsets + begin_ + first;
                     for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = own[i] - from;
                   });
    upload_columns(rows.columns + from);
    if (rows.weights == nullptr) return;
    // Weights are as wide as keys.
    weights_ = take<Key>(static_cast<std::int64_t>(columns_.size()));
    copy_bytes(weights_.data(), static_cast<const Key*>(rows.weights) + from,
               weights_.size() * sizeof(Key));
  }
  void upload_columns(const Id* from) {
    if constexpr (sizeof(Id) == sizeof(std::int32_t)) {
      copy_bytes(columns_.data(), from, columns_.size() * sizeof(std::int32_t));
    } else {
      write_elements(columns_.data(), columns_.size(),
                     [&](std::size_t first, std::span<std::int32_t> narrow) {
                       for (std::size_t k = 0; k < narrow.size(); ++k)
                         narrow[k] = static_cast<std::int32_t>(from[first + k]);
                     });
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
    view.offsets = offsets_.data();
    view.columns = columns_.data();
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
  buffer<std::int64_t> offsets_;
  buffer<std::int32_t> columns_;
  buffer<Key> weights_;  ///< empty: none
  buffer<std::uint64_t> peers_;
  buffer<round_counts> counts_;
  event before_, after_;
  unsigned blocks_ = 1;
};

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_rounds(const device& on, const compiled_program& program,
                                               const program_rows<Id>& rows,
                                               const std::vector<std::int64_t>& first, int self) {
  const current_device here(on.ordinal);
  return std::make_unique<rounds_rank<Id, Key>>(on, program.images.at(architecture_of(on)), rows,
                                                first, self);
}

program_bytes rounds_bytes(std::int64_t rows, std::int64_t arcs, int key_bytes, bool weighted) {
  const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  program_bytes b;
  b.rows = block((rows + 1) * 8) + block(arcs * 4) + (weighted ? block(arcs * key_bytes) : 0);
  b.windows = block(rows * key_bytes) + 2 * block((rows + 31) / 32 * 4);
  return b;
}

#define GOSSAMER_INSTANTIATE(Id, Key)                                                             \
  template std::unique_ptr<program_rank<Key>> make_rounds(const device&, const compiled_program&, \
                                                          const program_rows<Id>&,                \
                                                          const std::vector<std::int64_t>&, int);
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::uint64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace program_detail

}  // namespace gossamer
