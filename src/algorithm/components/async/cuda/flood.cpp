// Engines async and host of components on GPUs, host side. Labels have 32 bits there, whatever ids
// have here.
#include "algorithm/components/async/flood.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/components/async/cuda/from_all.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/host_driven/cuda/driven_list.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::components_detail {

namespace {

using engine =
    algorithm_detail::cuda::driven_list<smallest_label<vertex32>, no_weight, cuda::from_all>;
using algorithm_detail::list_drive;

using dataflow::cuda::slice_arcs;

struct arrays_both_ways {
  buffer<edge_offset> offsets;
  buffer<dataflow::cuda::device_arc<no_weight>> arcs;

  void list(algorithm_detail::array_list& of, std::int64_t offsets_here, std::int64_t arcs_here) {
    of.add(offsets, offsets_here);
    of.add(arcs, arcs_here);
  }
};

/// The rows of a directed graph lead both ways: made on the host, from a copy of the slice.
class rows_both_ways {
 public:
  template <class Id>
  rows_both_ways(const device& on, const graph_slice<Id>& there) {
    using dataflow::cuda::copy_to_host;
    graph_slice<Id> here = there;
    const auto offsets = copy_to_host(there.offsets, there.rows + 1);
    const auto columns = copy_to_host(there.columns, there.arcs);
    const auto in_offsets = copy_to_host(there.in_offsets, there.rows + 1);
    const auto in_columns = copy_to_host(there.in_columns, there.in_arcs);
    here.offsets = offsets.data();
    here.columns = columns.data();
    here.in_offsets = in_offsets.data();
    here.in_columns = in_columns.data();
    both_ways<Id> rows;
    rows.write_down(here);
    for (std::int64_t i = 0; i < here.rows; ++i)
      longest_ = std::max<std::int64_t>(longest_, rows.offsets[i + 1] - rows.offsets[i]);
    algorithm_detail::array_list taken(on);
    arrays_.list(taken, here.rows + 1, here.arcs + here.in_arcs);
    copy_bytes(arrays_.offsets.data(), rows.offsets, arrays_.offsets.size() * sizeof(edge_offset));
    dataflow::cuda::write_arcs(arrays_.arcs, rows.columns);
  }
  [[nodiscard]] dataflow::cuda::rows_there<no_weight> rows() const {
    return {arrays_.offsets.data(), arrays_.arcs.data(),
            static_cast<std::int64_t>(arrays_.arcs.size())};
  }
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  arrays_both_ways arrays_;
  std::int64_t longest_ = 0;
};

/// `Rows`: slice_arcs<no_weight> or rows_both_ways.
template <class Id, class Rows>
class gpu_flood final : public label_flood<Id> {
 public:
  gpu_flood(const placed_graph& g, int self, Rows rows, const list_drive& how, bool short_rows)
      : rows_(std::move(rows)),
        engine_(how, g.on(), {}, rows_.rows(), g.bounds(), self, short_rows),
        begin_(g.bounds()[static_cast<std::size_t>(self)]),
        own_(static_cast<std::size_t>(g.bounds()[static_cast<std::size_t>(self) + 1] - begin_)) {
    if (auto* kernel = engine_.kernel()) kernel->widen_windows();
  }

  algorithm_detail::worklist_outcome run(rank& r, Id* labels) override {
    engine_.begin(r);
    algorithm_detail::worklist_outcome out;
    {
      const trace_span span(r, "propagate", r.stream());
      const auto begin = static_cast<std::int32_t>(begin_);
      out.seconds = engine_.run(
          r, {begin, begin + static_cast<std::int32_t>(own_.size()), engine_.offsets()});
    }
    engine_.download(own_.data());
    std::copy(own_.begin(), own_.end(), labels + begin_);
    out.work = engine_.counters();
    return out;
  }

 private:
  Rows rows_;
  engine engine_;
  std::int64_t begin_;
  std::vector<vertex32> own_;
};

}  // namespace

template <class Id>
std::unique_ptr<label_flood<Id>> make_gpu_flood(const placed_graph& g, int self,
                                                const list_drive& how) {
  using dataflow::longest_short_row;
  const device& on = g.on()[self];
  const current_device here(on.ordinal);
  const graph_slice<Id>& slice = g.slice<Id>(self);
  const bool in_the_mean = dataflow::short_in_the_mean(g.vertices(), g.arcs());
  if (g.symmetric()) {
    const std::int64_t longest = algorithm_detail::degrees_of(g.source()).longest;
    return std::make_unique<gpu_flood<Id, slice_arcs<no_weight>>>(
        g, self, slice_arcs<no_weight>(on, slice), how,
        in_the_mean && longest <= longest_short_row);
  }
  rows_both_ways rows(on, slice);
  const bool short_rows = in_the_mean && rows.longest() <= longest_short_row;
  return std::make_unique<gpu_flood<Id, rows_both_ways>>(g, self, std::move(rows), how, short_rows);
}

void declare_gpu_flood(memory_layout& l, const machine& m, const problem& p, int self,
                       std::int64_t arcs, const list_drive& how) {
  // A slice may have holes behind its rows.
  const std::int64_t made =
      p.symmetric ? slice_arcs<no_weight>::bytes(arcs, p.id_width)
                  : algorithm_detail::counted<arrays_both_ways>(p.rows.ids(self) + 65, arcs).own;
  l.own(self, "rows of both directions", made, p.rows.arcs_are);
  l.host(self, "rows of both directions", 2 * made, p.rows.arcs_are);  // a copy, and what is made
  declare_list(l, self, engine::memory(m, p.rows.bounds, self, arcs, how),
               "labels, lists and marks", p.rows.rows_are);
}

template std::unique_ptr<label_flood<vertex32>> make_gpu_flood(const placed_graph&, int,
                                                               const list_drive&);
template std::unique_ptr<label_flood<vertex64>> make_gpu_flood(const placed_graph&, int,
                                                               const list_drive&);

}  // namespace gossamer::components_detail
