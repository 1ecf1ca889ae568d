// Compiled programs on GPUs, host side: a distributed worklist whose operator is the expression.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "algorithm/compiled_program/cuda/builtin_code.hpp"
#include "algorithm/compiled_program/cuda/loaded_kernel.hpp"
#include "algorithm/compiled_program/engine.hpp"
#include "algorithm/cuda/pack_arcs.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

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

using dataflow::cuda::device_arc;
using dataflow::cuda::rows_there;
using dataflow::cuda::slice_arcs;

/// The engine is compiled for an expression that is built in. What was compiled at run time has an
/// operator of the same members, and differs in the kernel alone.
template <class Key, class Weight>
using worklist_for =
    dataflow::cuda::worklist_engine<cuda::builtin_operator<Key>, Weight, cuda::given_values>;

/// Arcs of a slice with their weights beside them, or as they are.
template <class Id, class Key>
class weighted_arcs {
 public:
  weighted_arcs(const device& on, const graph_slice<Id>& slice, const void* weights)
      : arcs_(make_native_buffer<device_arc<Key>>(on, static_cast<std::size_t>(slice.arcs))),
        rows_{slice.offsets, arcs_.data(), slice.arcs} {
    algorithm_detail::cuda::pack_arcs(on, slice.columns, static_cast<const Key*>(weights),
                                      slice.arcs, arcs_.data());
  }
  [[nodiscard]] const rows_there<Key>& rows() const { return rows_; }

 private:
  buffer<device_arc<Key>> arcs_;
  rows_there<Key> rows_;
};

template <class Id>
class plain_arcs : public slice_arcs<no_weight> {
 public:
  plain_arcs(const device& on, const graph_slice<Id>& slice, const void*)
      : slice_arcs<no_weight>(on, slice) {}
};

std::size_t words_of(std::int64_t rows) {
  return static_cast<std::size_t>((rows + 31) / 32);
}

/// Arcs: weighted_arcs or plain_arcs.
template <class Id, class Key, class Weight, class Arcs>
class gpu_rank final : public program_rank<Key> {
 public:
  gpu_rank(const compiled_program& program, const program_rows<Id>& rows, const list_shape& shape)
      : device_(rows.graph.on()[rows.rank]),
        begin_(rows.first()),
        rows_(rows.last() - begin_),
        ranks_(rows.graph.on().size()),
        pulls_(shape.pulls),
        arcs_(device_, rows.slice(), rows.weights),
        begins_(make_native_buffer<std::uint32_t>(device_, words_of(rows_))),
        engine_("vertex program", device_, terms_of(program, rows), arcs_.rows(),
                rows.graph.bounds(), rows.rank, shape.delta, shape.short_rows,
                [&](bool lone) { return kernel_of(program, lone); }) {
    engine_.adapt_windows();  // the width is a guess: values may lie anywhere
  }

  program_outcome run(rank& r, const Key* initial, std::span<const std::int64_t> active,
                      bool only_active, Key* keys) override {
    std::vector<std::uint32_t> begins(words_of(rows_));
    for (const std::int64_t v : active)
      if (v >= begin_ && v < begin_ + rows_)
        begins[static_cast<std::size_t>(v - begin_) / 32] |= 1U << ((v - begin_) % 32);
    copy_bytes(begins_.data(), begins.data(), begins.size() * sizeof(std::uint32_t));
    engine_.pull_back(pulls_ && only_active);
    engine_.begin(r);
    engine_.give(initial);
    program_outcome out;
    {
      const trace_span span(r, "propagate", r.stream());
      out.seconds = engine_.run(r, {begins_.data(), begin_});
    }
    engine_.download(keys + begin_);
    out.work = engine_.counters();
    out.arcs = out.work.arcs;
    out.rounds = out.work.windows;
    return out;
  }

 private:
  static cuda::builtin_operator<Key> terms_of(const compiled_program& program,
                                              const program_rows<Id>& rows) {
    const auto built_in = builtin_form(program.text);
    return {{rows.slice().offsets, rows.first(), built_in ? *built_in : same,
             static_cast<std::int32_t>(program.type), program.larger}};
  }
  /// On the device, which is current.
  const void* kernel_of(const compiled_program& program, bool lone) {
    if (builtin_form(program.text))
      return dataflow::cuda::list_kernel_of<cuda::builtin_operator<Key>, Weight,
                                            cuda::given_values>(lone);
    compiled_.emplace(program.images.at(architecture_of(device_)), program_kernel(ranks_));
    return compiled_->get();
  }

  const device device_;
  const std::int64_t begin_, rows_;  ///< own ids
  const int ranks_;
  const bool pulls_;
  Arcs arcs_;
  buffer<std::uint32_t> begins_;
  std::optional<loaded_kernel> compiled_;
  worklist_for<Key, Weight> engine_;
};

template <class Key>
program_bytes bytes_of(const planned_rows& rows, int self, int id_width, bool weighted) {
  const std::int64_t arcs = rows.arcs[static_cast<std::size_t>(self)], own = rows.ids(self);
  const auto block = [](std::int64_t bytes) { return dataflow::cuda::in_blocks(bytes); };
  const dataflow::cuda::list_bytes lists(
      weighted ? worklist_for<Key, Key>::sizes(rows.bounds, self, arcs)
               : worklist_for<Key, no_weight>::sizes(rows.bounds, self, arcs));
  return {weighted ? block(arcs * static_cast<std::int64_t>(sizeof(device_arc<Key>)))
                   : slice_arcs<no_weight>::bytes(arcs, id_width),
          lists.work + block(static_cast<std::int64_t>(words_of(own)) * 4), lists.windows};
}

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_gpu_worklist(const compiled_program& program,
                                                     const program_rows<Id>& rows,
                                                     const list_shape& shape) {
  const current_device here(rows.graph.on()[rows.rank].ordinal);
  if (program.weighted)
    return std::make_unique<gpu_rank<Id, Key, Key, weighted_arcs<Id, Key>>>(program, rows, shape);
  return std::make_unique<gpu_rank<Id, Key, no_weight, plain_arcs<Id>>>(program, rows, shape);
}

program_bytes gpu_worklist_bytes(const planned_rows& rows, int self, int id_width, int key_bytes,
                                 bool weighted) {
  return key_bytes == 4 ? bytes_of<std::uint32_t>(rows, self, id_width, weighted)
                        : bytes_of<std::uint64_t>(rows, self, id_width, weighted);
}

#define GOSSAMER_INSTANTIATE(Id, Key)                            \
  template std::unique_ptr<program_rank<Key>> make_gpu_worklist( \
      const compiled_program&, const program_rows<Id>&, const list_shape&);
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::uint64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace program_detail

}  // namespace gossamer
