// Engine routed's labels in a GPU's memory.
#include "algorithm/components/routed/joins.hpp"

#include <algorithm>

#include "algorithm/components/routed/cuda/edges.hpp"

namespace gossamer::components_detail {

namespace {

template <class Id>
class gpu_joins final : public label_joins<Id> {
 public:
  gpu_joins(rank& r, std::span<Id> labels)
      : rank_(r),
        labels_(labels),
        on_{r.stream().native(), std::max(1, r.dev().units / std::max(1, r.dev().share))} {}

  void begin(element_range of) override { cuda::own_labels(on_, span(of), labels_.data()); }
  void hook(std::span<const edge<Id>> edges) override {
    cuda::hook_edges(on_, edges.data(), static_cast<std::int64_t>(edges.size()), labels_.data());
  }
  void merge(std::span<const Id> theirs, std::int64_t first) override {
    const auto end = first + static_cast<std::int64_t>(theirs.size());
    cuda::merge(on_, {first, end}, 0, theirs.data(), labels_.data());
  }
  void compress(element_range of) override { cuda::compress(on_, span(of), labels_.data()); }
  void finish() override { rank_.synchronize(); }

 private:
  static cuda::vertex_span span(element_range of) {
    return {static_cast<std::int64_t>(of.first), static_cast<std::int64_t>(of.last)};
  }

  rank& rank_;
  std::span<Id> labels_;
  cuda::launch_site on_;
};

}  // namespace

template <class Id>
std::unique_ptr<label_joins<Id>> make_gpu_joins(rank& r, std::span<Id> labels) {
  return std::make_unique<gpu_joins<Id>>(r, labels);
}

template std::unique_ptr<label_joins<vertex32>> make_gpu_joins(rank&, std::span<vertex32>);
template std::unique_ptr<label_joins<vertex64>> make_gpu_joins(rank&, std::span<vertex64>);

}  // namespace gossamer::components_detail
