// Compiled programs on GPUs, host side: a distributed worklist whose operator is the expression.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/layouts/cuda/pack_arcs.hpp"
#include "algorithm/vertex_program/cuda/builtin_code.hpp"
#include "algorithm/vertex_program/cuda/loaded_kernel.hpp"
#include "algorithm/vertex_program/engine.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

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
template <class Operator, class Weight>
using worklist_for = dataflow::cuda::worklist_engine<
    Operator, Weight,
    std::conditional_t<dataflow::cuda::is_sum<Operator>, cuda::given_sums, cuda::given_values>>;

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

/// What a rank keeps beside arcs and lists.
template <class Operator>
struct value_arrays {
  buffer<std::uint32_t> begins;  // a bit a vertex; sums all begin
  buffer<double> passed;         // sums

  void list(algorithm_detail::array_list& of, std::int64_t rows) {
    if (dataflow::cuda::is_sum<Operator>)
      of.add(passed, rows);
    else
      of.add(begins, static_cast<std::int64_t>(words_of(rows)));
  }
};

/// Arcs: weighted_arcs or plain_arcs.
template <class Id, class Operator, class Key, class Weight, class Arcs>
class gpu_rank final : public program_rank<Key> {
 public:
  gpu_rank(const vertex_program& program, const program_rows<Id>& rows, const list_shape& shape)
      : device_(rows.graph.on()[rows.rank]),
        begin_(rows.first()),
        rows_(rows.last() - begin_),
        ranks_(rows.graph.on().size()),
        pulls_(shape.pulls),
        arcs_(device_, rows.slice(), rows.weights),
        arrays_(algorithm_detail::taken<value_arrays<Operator>>(device_, rows_)),
        engine_("vertex program", device_, operator_of(program, rows), arcs_.rows(),
                rows.graph.bounds(), rows.rank, shape.delta, shape.short_rows,
                [&](bool lone) { return kernel_of(program, lone); }) {
    if constexpr (sums)
      engine_.widen_windows();
    else
      engine_.adapt_windows();  // the width is a guess: values may lie anywhere
  }

  algorithm_detail::worklist_outcome run(rank& r, const Key* initial,
                                         std::span<const std::int64_t> active, bool only_active,
                                         Key* keys) override {
    algorithm_detail::worklist_outcome out;
    if constexpr (sums) {
      copy_bytes(arrays_.passed.data(), initial + begin_, own_bytes());
      engine_.begin(r);
      propagate(r, cuda::given_sums{arrays_.passed.data(), begin_}, out);
      add_what_waits(keys, out);
    } else {
      mark_begins(active);
      engine_.pull_back(pulls_ && only_active);
      engine_.begin(r);
      engine_.give(initial);
      propagate(r, cuda::given_values{arrays_.begins.data(), begin_}, out);
      engine_.download(keys + begin_);
    }
    return out;
  }

 private:
  static constexpr bool sums = dataflow::cuda::is_sum<Operator>;

  Operator operator_of(const vertex_program& program, const program_rows<Id>& rows) {
    const auto built_in = builtin_form(program.text);
    Operator by{};
    by.terms = {rows.slice().offsets,
                rows.first(),
                built_in ? *built_in : same,
                static_cast<std::int32_t>(program.type),
                program.update == program_update::larger,
                program.update <= program_update::larger};
    if constexpr (sums) {
      by.scale = 1 / program.threshold;
      by.passed = arrays_.passed.data();
    }
    return by;
  }
  /// On the device, which is current.
  const void* kernel_of(const vertex_program& program, bool lone) {
    if (builtin_form(program.text)) return builtin_kernel(lone);
    compiled_.emplace(program.images.at(architecture_of(device_)), program_kernel(ranks_));
    return compiled_->get();
  }
  static const void* builtin_kernel(bool lone) {
    using start = std::conditional_t<sums, cuda::given_sums, cuda::given_values>;
    return dataflow::cuda::list_kernel_of<Operator, Weight, start>(lone);
  }

  [[nodiscard]] std::size_t own_bytes() const {
    return static_cast<std::size_t>(rows_) * sizeof(Key);
  }
  void mark_begins(std::span<const std::int64_t> active) {
    std::vector<std::uint32_t> begins(words_of(rows_));
    for (const std::int64_t v : active)
      if (v >= begin_ && v < begin_ + rows_)
        begins[static_cast<std::size_t>(v - begin_) / 32] |= 1U << ((v - begin_) % 32);
    copy_bytes(arrays_.begins.data(), begins.data(), begins.size() * sizeof(std::uint32_t));
  }
  template <class Start>
  void propagate(rank& r, const Start& start, algorithm_detail::worklist_outcome& out) {
    {
      const trace_span span(r, "propagate", r.stream());
      out.seconds = engine_.run(r, start);
    }
    out.work = engine_.counters();
  }
  /// A result has what was passed on and what was too little for it.
  void add_what_waits(Key* keys, algorithm_detail::worklist_outcome& out) {
    std::vector<double> waiting(static_cast<std::size_t>(rows_)), passed(waiting.size());
    copy_bytes(passed.data(), arrays_.passed.data(), own_bytes());
    copy_bytes(waiting.data(), engine_.own_values(), own_bytes());
    for (std::size_t i = 0; i < waiting.size(); ++i)
      keys[static_cast<std::size_t>(begin_) + i] = std::bit_cast<Key>(passed[i] + waiting[i]);
    out.left = engine_.left();
  }

  const device device_;
  const std::int64_t begin_, rows_;  ///< own ids
  const int ranks_;
  const bool pulls_;
  Arcs arcs_;
  value_arrays<Operator> arrays_;
  std::optional<loaded_kernel> compiled_;
  worklist_for<Operator, Weight> engine_;
};

template <class Operator, class Key>
void declare_of(algorithm_detail::memory_layout& l, const machine& m, const planned_rows& rows,
                int self, int id_width, bool weighted) {
  const std::int64_t arcs = rows.arcs[static_cast<std::size_t>(self)];
  const dataflow::cuda::list_bytes lists(
      weighted ? worklist_for<Operator, Key>::sizes(rows.bounds, self, arcs)
               : worklist_for<Operator, no_weight>::sizes(rows.bounds, self, arcs),
      m.all_direct());
  using arrays = value_arrays<Operator>;
  l.own(self, "arcs with weights",
        weighted
            ? algorithm_detail::aligned(arcs * static_cast<std::int64_t>(sizeof(device_arc<Key>)))
            : slice_arcs<no_weight>::bytes(arcs, id_width));
  l.own(self, "known values and worklists",
        lists.work + algorithm_detail::counted<arrays>(rows.ids(self)).own);
  // Where GPUs do not address each other's memory, the inbox is the host's
  // (gossamer/dataflow/worklist/cuda/engine.hpp).
  if (m.all_direct())
    l.window(self, "inbox", lists.windows);
  else
    l.host_window(self, "inbox", lists.windows);
}

template <class Operator, class Id, class Key>
std::unique_ptr<program_rank<Key>> make_rank(const vertex_program& program,
                                             const program_rows<Id>& rows,
                                             const list_shape& shape) {
  if (program.weighted)
    return std::make_unique<gpu_rank<Id, Operator, Key, Key, weighted_arcs<Id, Key>>>(program, rows,
                                                                                      shape);
  return std::make_unique<gpu_rank<Id, Operator, Key, no_weight, plain_arcs<Id>>>(program, rows,
                                                                                  shape);
}

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_gpu_worklist(const vertex_program& program,
                                                     const program_rows<Id>& rows,
                                                     const list_shape& shape) {
  const current_device here(rows.graph.on()[rows.rank].ordinal);
  if (program.update == program_update::all_bits)
    return make_rank<cuda::builtin_bits<Key>, Id, Key>(program, rows, shape);
  if constexpr (sizeof(Key) == sizeof(double))
    if (program.update == program_update::sum)
      return make_rank<cuda::builtin_sum, Id, Key>(program, rows, shape);
  return make_rank<cuda::builtin_operator<Key>, Id, Key>(program, rows, shape);
}

void declare_gpu_worklist(algorithm_detail::memory_layout& l, const machine& m,
                          const planned_rows& rows, int self, int id_width,
                          const vertex_program& program) {
  const auto declare = program.update == program_update::sum
                           ? declare_of<cuda::builtin_sum, std::uint64_t>
                       : value_bytes(program.type) == 4
                           ? declare_of<cuda::builtin_operator<std::uint32_t>, std::uint32_t>
                           : declare_of<cuda::builtin_operator<std::uint64_t>, std::uint64_t>;
  declare(l, m, rows, self, id_width, program.weighted);
}

GOSSAMER_PROGRAM_TYPES(GOSSAMER_GPU_PROGRAM_RANK)

}  // namespace program_detail

}  // namespace gossamer
