// Joins on a CPU rank, by a team of threads over the labels in its memory. The form for GPUs is
// cuda/joins.cpp.
#include "algorithm/components/routed/joins.hpp"

namespace gossamer::components_detail {

namespace {

/// Bytes that a random access of a modelled rank moves, as in the worklist. First ends of edges
/// come in the order of rows, so that an edge makes one.
constexpr double sector = 32;

template <class Id>
class team_joins final : public label_joins<Id> {
 public:
  team_joins(rank& r, std::span<Id> labels)
      : rank_(r), labels_(labels), threads_(r.dev().threads) {}

  void begin(element_range of) override {
    begin_labels(labels_, first(of), last(of), threads_);
    rank_.charge(static_cast<double>(of.size()) * sizeof(Id), 0);
  }
  void hook(std::span<const edge<Id>> edges) override {
    hook_edges<Id>(edges, labels_, threads_);
    rank_.charge(static_cast<double>(edges.size()) * (sizeof(edge<Id>) + sector), 0);
  }
  void merge(std::span<const Id> theirs, std::int64_t first) override {
    rank_.charge(static_cast<double>(theirs.size()) * (2 * sizeof(Id) + sector), 0);
    merge_labels<Id>(theirs, first, labels_, threads_);
  }
  void compress(element_range of) override {
    compress_labels(labels_, first(of), last(of), threads_);
    rank_.charge(static_cast<double>(of.size()) * (sizeof(Id) + sector), 0);
  }
  void finish() override {}

 private:
  static std::int64_t first(element_range of) { return static_cast<std::int64_t>(of.first); }
  static std::int64_t last(element_range of) { return static_cast<std::int64_t>(of.last); }

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
