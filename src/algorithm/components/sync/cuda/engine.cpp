// Components on GPUs, host side: rows uploaded once; in a run each rank queues its passes and its
// part of the merging, and waits once.
//
// A rank touches its own rows' vertices and their neighbours, its span, and knows nothing of others
// until labels are merged: in every rank's memory at once where few arcs lead to others' vertices,
// else by pairs of ranks, so that rank 0 has them all.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/hub.hpp"
#include "algorithm/components/sync/cuda/between_ranks.hpp"
#include "algorithm/components/sync/cuda/count.hpp"
#include "algorithm/components/sync/cuda/merging_by_pairs.hpp"
#include "algorithm/components/sync/cuda/rank_rows.hpp"
#include "algorithm/components/sync/cuda/reach.hpp"
#include "algorithm/components/sync/sync_outcome.hpp"
#include "algorithm/driver/result_blocks.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::components_detail {

namespace {

using namespace cuda;

/// What one GPU counts the labels of a result with.
template <class Id>
struct counting_arrays {
  buffer<label_counts> counts;
  std::span<Id> sizes;  // of a run

  void list(algorithm_detail::array_list& of, std::int64_t vertices) {
    of.add(counts, 1);
    of.add(sizes, vertices);
  }
};

/// What a rank among others has in a run.
template <class Id>
struct merged_windows {
  window<Id> all;  // labels of the whole graph
  signal_set ready;
  std::span<Id> piece;  // of another rank's, where its memory cannot be addressed

  void list(algorithm_detail::array_list& of, std::int64_t vertices, int ranks, bool direct) {
    of.add(all, vertices);
    of.add(ready, ranks);
    if (!direct) of.add(piece, fetched_by_gpu);
  }
};

/// Labels of a run on one GPU: counted there, and left in memory of the result's own.
template <class Id>
class labels_on_gpu {
 public:
  labels_on_gpu(const device& on, std::int64_t vertices)
      : vertices_(vertices), ordinal_(on.ordinal), blocks_(on, 0, vertices, sizeof(Id)) {
    algorithm_detail::array_list taken(on);
    arrays_.list(taken, vertices);
  }

  using block = algorithm_detail::result_blocks::block;

  /// For the labels of a run.
  [[nodiscard]] block take() const { return blocks_.take(); }
  /// In the order of the rank's stream, which it waits for.
  void leave(rank& r, const launch_site& on, block own, components_result& result) {
    algorithm_detail::array_list taken(r);
    arrays_.list(taken, vertices_);
    label_counts counts{};
    copy_bytes(arrays_.counts.data(), &counts, sizeof counts);
    count_labels(on, algorithm_detail::values_in<Id>(own), vertices_, arrays_.sizes.data(),
                 arrays_.counts.data());
    r.synchronize();
    copy_bytes(&counts, arrays_.counts.data(), sizeof counts);
    result.count = static_cast<std::int64_t>(counts.count);
    result.largest = static_cast<std::int64_t>(counts.largest);
    result.largest_label = counts.count == 0 ? 0 : static_cast<std::int64_t>(~counts.label);
    const auto lent = blocks_.lend(std::move(own));
    result.labels = result_values<label_array>::template on_gpu<Id>(
        {std::shared_ptr<const void>(lent, lent->data()), vertices_, ordinal_});
  }

 private:
  std::int64_t vertices_;
  int ordinal_;
  counting_arrays<Id> arrays_;
  algorithm_detail::result_blocks blocks_;
};

template <class Id>
class typed_program final : public engine {
 public:
  explicit typed_program(std::shared_ptr<const placed_graph> g)
      : graph_(std::move(g)),
        machine_(graph_->on()),
        vertices_(graph_->bounds().back()),
        short_rows_(dataflow::short_in_the_mean(graph_->vertices(), graph_->arcs())) {
    for (int r = 0; r < machine_.size(); ++r) {
      const current_device here(machine_[r].ordinal);
      ranks_.push_back(std::make_unique<rank_rows<Id>>(*graph_, r));
    }
    if (machine_.size() == 1) left_here_.emplace(machine_[0], vertices_);
    for (const auto& mine : ranks_) spans_.push_back(mine->span());
    if (may_own_labels(machine_, graph_->symmetric(), graph_->vertices(), graph_->arcs()))
      keep_labels_if_few(graph_->bounds());
    left_ = choose_left();
  }

  void run(const run_options& options, components_result& result) override {
    shared_array<Id> labels;
    if (!left_here_) labels = make_array<Id>(static_cast<std::size_t>(vertices_));
    std::vector<sync_outcome> outcomes(ranks_.size());
    machine_.run(
        [&](rank& r) { outcomes[static_cast<std::size_t>(r.id())] = work(r, labels, result); },
        options);
    describe(outcomes, result);
    if (!left_here_) result.labels = labels;
  }

 private:
  /// Labels stay with their owners when every rank has few arcs to others' vertices.
  void keep_labels_if_few(const std::vector<std::int64_t>& first) {
    bool few = true;
    for (int r = 0; r < machine_.size() && few; ++r) {
      const current_device here(machine_[r].ordinal);
      between_.push_back(std::make_unique<between_ranks<Id>>(
          machine_[r], ranks_[static_cast<std::size_t>(r)]->view(), first));
      few = between_.back()->few();
    }
    if (!few) return between_.clear();
    for (const auto& mine : ranks_) mine->hook_own_alone();
  }

  /// Each edge once where rows are short: a sample would be nearly all of them. Else rows are left
  /// out when all ranks test for one vertex. One rank alone guesses it, or begins at a hub; several
  /// take the hub, which every rank's sample has connected with most others, if there is one.
  arcs_left choose_left() {
    if (!graph_->symmetric()) return arcs_left::all;
    if (short_rows_) return arcs_left::smaller;
    const auto degrees = algorithm_detail::degrees_of(graph_->source());
    const std::int64_t its_arcs = degrees.longest;
    const bool hub = degrees.most_connected >= 0 && its_arcs >= hub_arcs;
    if (hub) hub_ = graph_->placed_id(degrees.most_connected);
    if (ranks_.size() == 1) {
      const current_device here(machine_[0].ordinal);
      reaches_ = hub && reaches_most(machine_[0], ranks_[0]->view(), graph_->arcs(),
                                     static_cast<Id>(hub_));
      hub_arcs_ = hub ? its_arcs : 0;
      return arcs_left::outside;
    }
    const bool everywhere = std::all_of(spans_.begin(), spans_.end(), [&](vertex_span s) {
      return s.size() == 0 || (s.from <= hub_ && hub_ < s.to);
    });
    return hub && everywhere ? arcs_left::outside : arcs_left::smaller;
  }

  /// `labels`: [vertices] of the host, unless they stay on the only GPU.
  sync_outcome work(rank& r, const shared_array<Id>& labels, components_result& result) {
    rank_rows<Id>& mine = *ranks_[static_cast<std::size_t>(r.id())];
    merged_windows<Id> between;
    typename labels_on_gpu<Id>::block left;
    if (left_here_) {
      left = left_here_->take();
    } else {
      algorithm_detail::array_list taken(r);
      between.list(taken, vertices_, r.size(), machine_.all_direct());
      r.barrier();
    }
    const double begin = r.clock();
    const bool owned = !between_.empty();
    const vertex_span finished = owned ? mine.own() : vertex_span{0, r.id() == 0 ? vertices_ : 0};
    Id* here = left ? algorithm_detail::values_in<Id>(left) : between.all.local().data();
    mine.mark(r, begun);
    hook(r, mine, owned ? mine.own() : mine.span(), here);
    if (owned) compress_labels(r, mine, finished, here);
    mine.mark(r, hooked);
    if (owned)
      between_[static_cast<std::size_t>(r.id())]->join(r, mine.site(r), between.all, between.ready);
    else
      merging_by_pairs<Id>(r, mine.site(r), spans_, between.all, between.piece).join(between.ready);
    mine.mark(r, merged);
    if (owned)
      finish_owned(mine.site(r), finished, here);
    else
      compress_labels(r, mine, finished, here);
    mine.mark(r, ended);
    r.synchronize();
    const sync_outcome out{mine.seconds(begun, ended), mine.seconds(begun, sampled),
                           mine.seconds(sampled, hooked), mine.seconds(merged, ended),
                           mine.seconds(hooked, merged)};
    trace_run(r, "components", begin, out.seconds);
    if (left_here_)
      left_here_->leave(r, mine.site(r), std::move(left), result);
    else
      copy_bytes(labels.data() + finished.from, here + finished.from,
                 static_cast<std::size_t>(finished.size()) * sizeof(Id));
    return out;
  }

  void hook(rank& r, rank_rows<Id>& mine, vertex_span touched, Id* labels) {
    const launch_site on = mine.site(r);
    const int done = sample(r, mine, touched, labels);
    mine.mark(r, sampled);
    const trace_span traced(r, "hook", r.stream());
    hook_rest(on, mine.view(), left_, done, labels, mine.state(), mine.chunks(), short_rows_);
    if (mine.chunks() != nullptr)
      hook_chunks(on, mine.view(), left_, labels, mine.state(), mine.chunks());
  }
  /// How many arcs of every row that is left it has hooked.
  int sample(rank& r, rank_rows<Id>& mine, vertex_span touched, Id* labels) {
    const launch_site on = mine.site(r);
    const trace_span traced(r, "sample", r.stream());
    if (reaches_) {
      reach(on, mine.view(), static_cast<Id>(hub_), hub_arcs_, labels, mine.state());
      return 0;
    }
    begin_labels(on, mine.view(), touched, labels, mine.state());
    compress(on, touched, labels);
    if (short_rows_ && left_ == arcs_left::smaller) return 1;
    if (r.size() == 1 && left_ == arcs_left::outside && vertices_ <= crowding_vertices(on)) {
      join_loosely(on, mine.view(), 1, labels);
      compress(on, mine.span(), labels);
    }
    hook_second(on, mine.view(), labels);
    compress(on, mine.span(), labels);
    note_largest(r, mine, labels);
    return 2;
  }
  void note_largest(rank& r, const rank_rows<Id>& mine, const Id* labels) {
    if (left_ != arcs_left::outside || mine.span().size() == 0) return;
    if (r.size() == 1)
      guess_largest(mine.site(r), vertices_, labels, mine.state());
    else
      note_root(mine.site(r), static_cast<Id>(hub_), labels, mine.state());
  }
  /// Up to so many vertices, most threads of a pass over them run at once. Where they all mean the
  /// root of the growing component, their swaps of that one word take longer than all else. Joins
  /// without swaps lose some, and leave few to swap: uniform:19 0.57 ms on an H200, 0.36 after
  /// them. On uniform:24, 1.4 and 3.3, most threads come when their vertices are joined.
  [[nodiscard]] static std::int64_t crowding_vertices(const launch_site& on) {
    constexpr std::int64_t resident = 2048, waves = 2;
    return on.units * resident * waves;
  }

  static void compress_labels(rank& r, const rank_rows<Id>& mine, vertex_span of, Id* labels) {
    const trace_span traced(r, "compress", r.stream());
    compress(mine.site(r), of, labels);
  }

  std::shared_ptr<const placed_graph> graph_;
  machine& machine_;
  std::int64_t vertices_;  ///< placed ids: some of several ranks may be nobody's
  /// First arcs make chains then, not stars, and every later hook would walk them: compressed
  /// before, road:5000 took 2.9 ms instead of 4.9 on an H200.
  bool short_rows_;
  std::vector<std::unique_ptr<rank_rows<Id>>> ranks_;
  std::optional<labels_on_gpu<Id>> left_here_;               ///< of the only rank
  std::vector<vertex_span> spans_;                           ///< by rank: what it may have touched
  std::vector<std::unique_ptr<between_ranks<Id>>> between_;  ///< empty: merged by pairs
  arcs_left left_ = arcs_left::all;
  std::int64_t hub_ = 0, hub_arcs_ = 0;  ///< the vertex with most neighbours
  bool reaches_ = false;                 ///< the sample is what hub_ reaches
};

}  // namespace

std::unique_ptr<engine> make_gpu(std::shared_ptr<const placed_graph> g) {
  if (g->id_width() == 4) return std::make_unique<typed_program<vertex32>>(std::move(g));
  return std::make_unique<typed_program<vertex64>>(std::move(g));
}

namespace {

template <class Id>
void declare_typed(memory_layout& l, const machine& m, const problem& p, int r) {
  using algorithm_detail::counted;
  const certainty sure = p.rows.arcs_are;
  l.own(r, "chunks of long rows", counted<row_arrays>(p.rows.arcs[static_cast<std::size_t>(r)]).own,
        sure);
  if (m.size() == 1) {
    const auto counting = counted<counting_arrays<Id>>(p.vertices);
    l.own(r, "labels of results",
          algorithm_detail::result_bytes(p.vertices, p.id_width) + counting.own, p.vertices_are);
    l.window(r, "sizes of components", counting.window, p.vertices_are);
    return;
  }
  l.window(r, "labels of the rank",
           counted<merged_windows<Id>>(p.rows.ids(), m.size(), m.all_direct()).window,
           p.vertices_are);
  if (may_own_labels(m, p.symmetric, p.vertices, p.arcs))
    l.own(r, "arcs between ranks", counted<between_arrays<Id>>(p.rows.ids(r), m.size()).own, sure);
}

}  // namespace

void declare_gpu(memory_layout& l, const machine& m, const problem& p, int rank) {
  (p.id_width == 4 ? declare_typed<vertex32> : declare_typed<vertex64>)(l, m, p, rank);
}

}  // namespace gossamer::components_detail
