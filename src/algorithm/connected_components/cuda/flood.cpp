// Engine async of components on GPUs, host side. Labels have 32 bits there, whatever ids have here.
#include "algorithm/connected_components/flood.hpp"

#include <algorithm>
#include <vector>

#include "algorithm/connected_components/cuda/from_all.hpp"
#include "algorithm/cuda/worklist/engine.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::components_detail {

namespace {

using engine =
    algorithm_detail::cuda::worklist_engine<smallest_label<vertex32>, no_weight, cuda::from_all>;

template <class Id>
class gpu_flood final : public label_flood<Id> {
 public:
  gpu_flood(const device& on, const edge_offset* offsets, const Id* columns,
            const std::vector<std::int64_t>& first, int self, bool short_rows)
      : engine_("components", on, {}, offsets, columns, static_cast<const no_weight*>(nullptr),
                first, self, one_label, short_rows),
        begin_(first[static_cast<std::size_t>(self)]),
        own_(static_cast<std::size_t>(first[static_cast<std::size_t>(self) + 1] - begin_)) {
    engine_.widen_windows();
  }

  flood_outcome run(rank& r, Id* labels) override {
    engine_.begin(r);
    flood_outcome out;
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
  engine engine_;
  std::int64_t begin_;
  std::vector<vertex32> own_;
};

}  // namespace

template <class Id>
std::unique_ptr<label_flood<Id>> make_gpu_flood(const device& on, const edge_offset* offsets,
                                                const Id* columns,
                                                const std::vector<std::int64_t>& first, int self,
                                                bool short_rows) {
  return std::make_unique<gpu_flood<Id>>(on, offsets, columns, first, self, short_rows);
}

gpu_flood_bytes gpu_flood_bytes_of(const std::vector<std::int64_t>& first, int self,
                                   std::int64_t arcs) {
  const algorithm_detail::cuda::list_bytes b(engine::sizes(first, self, arcs));
  return {b.rows, b.work, b.windows};
}

#define GOSSAMER_INSTANTIATE(Id)                            \
  template std::unique_ptr<label_flood<Id>> make_gpu_flood( \
      const device&, const edge_offset*, const Id*, const std::vector<std::int64_t>&, int, bool);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail
