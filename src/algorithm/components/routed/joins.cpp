// Joins on a CPU rank, by a team of threads over the labels in its memory. The form for GPUs is
// cuda/joins.cpp.
#include "algorithm/components/routed/joins.hpp"

#include "algorithm/driver/modelled_access.hpp"

namespace gossamer::components_detail {

namespace {

template <class Id>
class team_joins final : public label_joins<Id> {
 public:
  team_joins(rank& r, std::span<Id> labels)
      : rank_(r), labels_(labels), threads_(r.dev().threads) {}

  void begin() override { begin_labels(labels_, threads_); }
  void hook(std::span<const edge<Id>> edges) override {
    hook_edges<Id>(edges, labels_, threads_);
    rank_.charge(static_cast<double>(edges.size()) * (sizeof(edge<Id>) + line), 0);
  }
  void merge(std::span<const Id> theirs, std::int64_t first) override {
    rank_.charge(static_cast<double>(theirs.size()) * (2 * sizeof(Id) + line), 0);
    merge_labels<Id>(theirs, first, labels_, threads_);
  }
  void compress() override {
    compress_labels(labels_, threads_);
    rank_.charge(static_cast<double>(labels_.size()) * (sizeof(Id) + line), 0);
  }
  void finish() override {}

 private:
  rank& rank_;
  std::span<Id> labels_;
  int threads_;
};

}  // namespace

template <class Id>
std::unique_ptr<label_joins<Id>> make_team_joins(rank& r, std::span<Id> labels) {
  return std::make_unique<team_joins<Id>>(r, labels);
}

template std::unique_ptr<label_joins<vertex32>> make_team_joins(rank&, std::span<vertex32>);
template std::unique_ptr<label_joins<vertex64>> make_team_joins(rank&, std::span<vertex64>);

}  // namespace gossamer::components_detail
