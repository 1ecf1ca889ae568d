// Components as paper C finds them (Ben-Nun, Sutton, Pai, Pingali, PPoPP 2017): topology-driven,
// and nobody owns anything.
//
// Rank 0's host, by a team of threads, makes packets of edges out of the graph's rows, each edge of
// a symmetric graph once, and sends them through a router to whichever rank has room first
// (any_device). Every rank, rank 0 too, hooks the edges it gets into a label array of its own for
// the whole graph; whoever is faster, or has more threads, gets more. What it compresses with each
// edge is one of its ends; all labels once, when the stream of edges has ended, since after each
// segment that is more work than the segment's. Then it merges those of its children in a tree of
// ranks (reduction_policy: those that reach each other best first) by joining each vertex with its
// label there, and hands its own on.
//
// Which edges a rank gets differs from run to run, labels do not: whatever was joined where, a
// component's root is its smallest vertex (graph/union_find.hpp).
//
// With edges=prestaged nobody hands out edges: each rank's lie in its memory before the clock
// starts (edge_shares.hpp), as paper C's public program measures. It hooks them in one pass.
#include <algorithm>
#include <array>
#include <optional>

#include "algorithm/components/kinds.hpp"
#include "algorithm/components/routed/edge_shares.hpp"
#include "algorithm/components/routed/edge_source.hpp"
#include "algorithm/components/routed/joins.hpp"
#include "algorithm/components/routed/routed_wires.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/upload.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/dataflow/reduction.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::components_detail {

namespace {

using dataflow::flow;
using dataflow::pending_segment;

/// Seconds of a rank, in all and by phase, and what it got.
struct routed_outcome {
  double seconds = 0, pack = 0, hook = 0, exchange = 0, compress = 0, merge = 0;
  std::int64_t edges = 0;
};

/// Rank 0's host: makes packets and sends them as buffers become free, whenever it is asked to.
template <class Id>
class host {
 public:
  host(flow& f, const routed_wires& w, const edge_source<Id>& edges)
      : flow_(f), wires_(w), left_(edges) {
    for (auto& p : packets_)
      p = f.rank().template scratch<edge<Id>>(w.packet / sizeof(edge<Id>), home::host);
  }

  /// Makes and sends what there is room for, without waiting.
  void feed() {
    while (!left_.empty()) {
      const std::size_t turn = turn_;
      if (!may_be_filled(turn)) return;
      if (turn == turn_) send_one();  // else done() has called back, and that fed
    }
  }
  /// All of it; the rank's own segments are worked on by callbacks meanwhile.
  void feed_all() {
    for (feed(); !left_.empty(); feed()) {
      const auto oldest = sent_[turn_];  // callbacks feed as well, and put others there
      oldest.wait();
    }
    flow_[wires_.hand_out].shutdown();
  }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  /// A GPU's stream reads a packet after it has been sent.
  bool may_be_filled(std::size_t turn) {
    if (adding_[turn] || !sent_[turn].done()) return false;
    return !read_[turn] || read_[turn]->done();
  }
  void send_one() {
    auto& r = flow_.rank();
    const double begin = r.clock();
    const auto mine = turn_;
    const std::int64_t looked_at = left_.arcs();
    const auto made = packets_[mine].first(left_.fill(packets_[mine]));
    r.charge(static_cast<double>(left_.arcs() - looked_at) * sizeof(Id) +
                 static_cast<double>(made.size_bytes()),
             0, home::host);
    seconds_ += r.clock() - begin;
    turn_ = (turn_ + 1) % packets_.size();
    if (made.empty()) return;
    adding_[mine] = true;  // send() calls back, and that feeds, before there is a future
    sent_[mine] = flow_[wires_.hand_out].send(std::span<const edge<Id>>(made));
    if (r.dev().is_cuda()) read_[mine] = sent_[mine].moment();
    adding_[mine] = false;
  }

  flow& flow_;
  const routed_wires& wires_;
  edge_source<Id> left_;
  std::array<std::span<edge<Id>>, packets_ahead> packets_;
  std::array<dataflow::send_future, packets_ahead> sent_;
  std::array<std::optional<event_future>, packets_ahead> read_;  ///< on a GPU rank
  std::array<bool, packets_ahead> adding_{};
  std::size_t turn_ = 0;
  double seconds_ = 0;
};

/// The team packs, which does not hook meanwhile; beside a GPU its part of the host's cores.
int packing_threads(const rank& r) {
  constexpr int most = 8;  // more than the links carry away
  if (!r.dev().is_cuda()) return r.dev().threads;
  return std::clamp(gossamer::host().cores / r.size(), 1, most);
}

template <class Id>
std::unique_ptr<label_joins<Id>> make_joins(rank& r, std::span<Id> labels) {
  return r.dev().is_cuda() ? make_gpu_joins<Id>(r, labels) : make_team_joins<Id>(r, labels);
}

/// What every rank does: hooks what it gets, then merges.
template <class Id>
class worker {
 public:
  /// `parts`: [ranks] labels that each begins with and hands on. `own`: of these what no child
  /// hands on, as far as that is known.
  worker(flow& f, const routed_wires& w, const std::vector<element_range>& parts, element_range own,
         std::span<Id> labels)
      : flow_(f),
        wires_(w),
        parts_(parts),
        own_(own),
        mine_(parts[static_cast<std::size_t>(f.id())]),
        labels_(labels),
        joins_(make_joins<Id>(f.rank(), labels)) {}

  /// What `feeding` (of another rank: null) hands out, until there are no more edges.
  void hook_streamed(host<Id>* feeding, routed_outcome& out) {
    hook_all(out, [&] {
      const auto me = static_cast<std::size_t>(flow_.id());
      flow_[wires_.take[me]].on_receive([&](const pending_segment& s) {
        hook(s.template as<const edge<Id>>(), out);
        if (feeding != nullptr) feeding->feed();  // others have buffers for as long as that took
      });
      if (feeding != nullptr) feeding->feed_all();
      flow_.serve();
      out.pack = feeding == nullptr ? 0 : feeding->seconds();
    });
  }
  /// Edges that lie here.
  void hook_prestaged(std::span<const edge<Id>> edges, routed_outcome& out) {
    hook_all(out, [&] { hook(edges, out); });
  }

  /// Afterwards rank 0's labels are those of the whole graph.
  void merge_all(routed_outcome& out) {
    auto& r = flow_.rank();
    const double begin = r.clock();
    const auto me = static_cast<std::size_t>(r.id());
    const bool parent = std::count(wires_.parents.begin(), wires_.parents.end(), r.id()) > 0;
    compress(parent ? own_ : mine_, out);
    const trace_span span(r, "merge", trace_class::exchange);
    const auto join_theirs = [&](std::size_t first, std::span<const Id> theirs) {
      joins_->merge(theirs, static_cast<std::int64_t>(first));
    };
    dataflow::merge_through(flow_, wires_.up[me], wires_.down[me], wires_.parents, parts_, labels_,
                            join_theirs, [&] {
                              if (parent) compress(mine_, out);
                            });
    out.merge = algorithm_detail::rest_of(r.clock() - begin, {out.compress});
  }

 private:
  template <class F>
  void timed(double& seconds, const F& work) {
    const double begin = flow_.rank().clock();
    work();
    seconds += flow_.rank().clock() - begin;
  }
  template <class F>
  void hook_all(routed_outcome& out, const F& work) {
    auto& r = flow_.rank();
    const trace_span span(r, "hook");
    const double begin = r.clock();
    timed(out.hook, [&] { joins_->begin(mine_); });
    work();
    timed(out.hook, [&] { joins_->finish(); });
    out.exchange = algorithm_detail::rest_of(r.clock() - begin, {out.hook, out.pack});
  }
  void hook(std::span<const edge<Id>> edges, routed_outcome& out) {
    timed(out.hook, [&] { joins_->hook(edges); });
    out.edges += static_cast<std::int64_t>(edges.size());
  }
  /// Labels are in their rank's memory afterwards, whoever sends them.
  void compress(element_range of, routed_outcome& out) {
    const trace_span span(flow_.rank(), "compress");
    timed(out.compress, [&] {
      joins_->compress(of);
      joins_->finish();
    });
  }

  flow& flow_;
  const routed_wires& wires_;
  const std::vector<element_range>& parts_;
  element_range own_, mine_;
  std::span<Id> labels_;
  std::unique_ptr<label_joins<Id>> joins_;
};

void describe(const std::vector<routed_outcome>& outcomes, components_result& result) {
  const routed_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {{"pack", slowest.pack},
                   {"hook", slowest.hook},
                   {"exchange", slowest.exchange},
                   {"compress", slowest.compress}};
  if (outcomes.size() > 1) result.phases.emplace_back("merge", slowest.merge);
  for (const auto& one : outcomes) result.edges_of_ranks.push_back(one.edges);
}

template <class Id>
class routed_engine final : public engine {
 public:
  routed_engine(machine& m, const graph& g, const components_options& options)
      : machine_(m),
        graph_(g),
        streamed_(is_streamed(options)),
        wires_(m, graph_sizes::of(g), options.packet, streamed_),
        parts_(wires_.parents.size(), {0, static_cast<std::size_t>(g.vertices())}),
        own_(parts_) {
    if (streamed_) return;
    const edge_shares shares(g, m.size());
    for (int r = 0; r < m.size(); ++r)
      own_[static_cast<std::size_t>(r)] = shares.own(r, g.vertices());
    edges_ = edges_by_rank<Id>(g, shares, [&](int r) { return m.here(r); });
    for (int r = 0; r < m.size(); ++r) bring(r);
    for (std::size_t r = 1; r < parts_.size(); ++r)
      parts_[r] = shares.labels_of(static_cast<int>(r), wires_.parents);
  }

  void run(const run_options& options, components_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(graph_.vertices()));
    std::vector<routed_outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    dataflow::run(
        machine_, wires_.wires, [&](flow& f) { work(f, labels, outcomes); }, options);
    describe(outcomes, result);
    result.labels = labels;
  }

 private:
  /// A GPU's edges into its memory.
  void bring(int r) {
    const auto at = static_cast<std::size_t>(r);
    edges_there_.emplace_back();
    if (!machine_[r].is_cuda()) return;
    edges_there_[at] = make_native_buffer<edge<Id>>(machine_[r], edges_[at].size());
    algorithm_detail::upload(edges_there_[at], edges_[at]);
    edges_[at] = {};
  }
  [[nodiscard]] std::span<const edge<Id>> edges_of(int r) const {
    const auto at = static_cast<std::size_t>(r);
    return machine_[r].is_cuda() ? edges_there_[at].span() : edges_[at].span();
  }

  void work(flow& f, const shared_array<Id>& result, std::vector<routed_outcome>& outcomes) {
    auto& r = f.rank();
    auto& out = outcomes[static_cast<std::size_t>(r.id())];
    const auto all = r.make_window<Id>(result.size());
    std::optional<host<Id>> feeding;
    if (streamed_ && r.id() == 0)
      feeding.emplace(f, wires_,
                      edge_source<Id>(graph_.view<Id>(), graph_.symmetric, packing_threads(r)));
    worker<Id> mine(f, wires_, parts_, own_[static_cast<std::size_t>(r.id())], all.local());
    r.barrier();
    const double begin = r.clock();
    if (streamed_)
      mine.hook_streamed(feeding ? &*feeding : nullptr, out);
    else
      mine.hook_prestaged(edges_of(r.id()), out);
    mine.merge_all(out);
    out.seconds = r.clock() - begin;
    trace_run(r, "components", begin, out.seconds);
    f.finish();
    bring_home(r, all, result, outcomes);
  }

  /// Labels from rank 0's window to where callers have them.
  void bring_home(rank& r, const window<Id>& all, const shared_array<Id>& result,
                  std::vector<routed_outcome>& outcomes) {
    if (machine_.all_here()) {
      if (r.id() == 0) copy_bytes(result.data(), all.local().data(), result.size() * sizeof(Id));
      return;
    }
    r.barrier();  // until then rank 0 has not got all
    r.get(all, 0, 0, result.span());
    r.flush(0);
    r.barrier();
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  machine& machine_;
  graph graph_;
  bool streamed_;
  routed_wires wires_;
  std::vector<element_range> parts_;           ///< [ranks] labels that each hands on
  std::vector<element_range> own_;             ///< [ranks] … of these its own
  std::vector<shared_array<edge<Id>>> edges_;  ///< [ranks] of CPU ranks here, unless streamed
  std::vector<buffer<edge<Id>>> edges_there_;  ///< [ranks] … of GPUs
};

void declare(memory_layout& l, const machine& m, const problem& p,
             const components_options& options) {
  using algorithm_detail::aligned;
  const graph_sizes sizes{p.vertices, p.arcs, p.id_width, 0, p.symmetric};
  const bool streamed = is_streamed(options);
  const routed_wires wires(m, sizes, options.packet, streamed);
  for (int r = 0; r < m.size(); ++r) {
    const arena_plan buffers = wires.wires.arenas()[static_cast<std::size_t>(r)];
    l.window(r, "labels of the rank", aligned(p.vertices * p.id_width), p.vertices_are);
    if (!streamed) {
      const std::int64_t edges =
          p.edges[static_cast<std::size_t>(r)] * 2 * static_cast<std::int64_t>(p.id_width);
      l.own(r, "edges of the rank", edges, p.arcs_are);
      if (m[r].is_cuda()) l.host(r, "edges of the rank", edges, p.arcs_are);  // until it has them
    } else if (r == 0) {
      l.host_window(r, "packets of edges",
                    packets_ahead * aligned(static_cast<std::int64_t>(wires.packet)), p.arcs_are);
    }
    l.window(r, "receive buffers", aligned(static_cast<std::int64_t>(buffers.native)), p.arcs_are);
    l.host_window(r, "headers and counters", aligned(static_cast<std::int64_t>(buffers.host)));
  }
}

std::unique_ptr<engine> make(const preparation& from) {
  if (from.bare.id_width() == 4)
    return std::make_unique<routed_engine<vertex32>>(from.on, from.bare, from.options);
  return std::make_unique<routed_engine<vertex64>>(from.on, from.bare, from.options);
}

}  // namespace

const engine_kind& routed_kind() {
  static const engine_kind kind{
      .info = {.name = "routed",
               .meaning = "edges go to whichever rank is free, labels merge in a tree of ranks",
               .mixed = true},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make = make};
  return kind;
}

}  // namespace gossamer::components_detail
