// The loop over levels: agree on the sizes of the queues, pass them round, update, make the next
// queue. The steps are a CPU's or a GPU's.
#include "algorithm/bfs/vector_queue/vector_queue.hpp"
#include "algorithm/driver/memory_layout.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace {

bool sorts(const bfs_options& options) {
  return options.duplicates == "sort-unique";
}

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_steps(const placed_graph& g, int rank,
                                                   const bfs_options& options) {
  const bool gpu = g.on()[rank].is_cuda();
  const auto make = sorts(options) ? (gpu ? make_cuda_sort_unique<Id> : make_cpu_sort_unique<Id>)
                                   : (gpu ? make_cuda_vector_queue<Id> : make_cpu_vector_queue<Id>);
  return make(g, rank, label_bytes(options, sizeof(Id)));
}

}  // namespace

template <class Id>
vector_queue<Id>::vector_queue(const placed_graph& g, int rank, const bfs_options& options)
    : direct_(options.transport == "direct"),
      lane_(g.on()[rank], g.on().size()),
      steps_(make_steps<Id>(g, rank, options)),
      delivery_(make_delivery<Id>(g, rank, options)),
      counts_(static_cast<std::size_t>(g.on().size())) {
  for (int r = 0; r < g.on().size(); ++r) rows_of_.push_back(g.owners().local_size(r));
}

template <class Id>
vector_queue<Id>::~vector_queue() = default;

template <class Id>
void vector_queue<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  exchange_ = std::make_unique<queue_exchange>(r, lane_, rows_of_, direct_);
  agreement_.reset();
  if (r.size() > 1) agreement_ = std::make_unique<scalar_plan<std::int64_t>>(r);
  if (delivery_ != nullptr) delivery_->begin(r, source);
  steps_->begin(r, source, exchange_->queue(0));
  found_ = source < 0 ? 0 : 1;
  r.barrier();
}

template <class Id>
bool vector_queue<Id>::agree(rank& r) {
  const trace_span span(r, "agree", trace_class::exchange);
  const double begin = r.clock();
  if (agreement_ != nullptr)
    agreement_->allgather(found_, counts_);
  else
    counts_.front() = found_;
  ++sent_.flag.rounds;
  sent_.flag.seconds += r.clock() - begin;
  return std::any_of(counts_.begin(), counts_.end(), [](std::int64_t n) { return n > 0; });
}

template <class Id>
typename vector_queue<Id>::level_found vector_queue<Id>::level(rank& r, std::int64_t number) {
  const std::int64_t frontier = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  const trace_level traced(r, "top-down", number, frontier);
  const auto depth = static_cast<std::int32_t>(number) + 1;
  {
    const trace_span span(r, "clear");
    steps_->clear(r);
  }
  exchange_->pass(
      number, counts_,
      [&](auto queue) {
        const trace_span span(r, "gather");
        steps_->gather(r, queue);
      },
      [&] {
        if (delivery_ != nullptr) delivery_->send(r);
      });
  {
    const trace_span span(r, "update");
    steps_->update(r, depth);
  }
  const trace_span span(r, "convert");
  const std::int64_t expanded = found_;
  const step_result next = steps_->convert(r, exchange_->queue(number + 1),
                                           delivery_ == nullptr ? nullptr : delivery_->room());
  r.charge_copy(&found_, exchange_->queue(number + 1), sizeof found_);  // the kernels' answer
  found_ = next.vertices;
  if (delivery_ != nullptr) delivery_->found(found_, depth);
  return {expanded, next.arcs};
}

template <class Id>
void vector_queue<Id>::traverse(rank& r, traversal& out) {
  std::vector<level_found> mine;
  std::vector<double> times;
  const double begin = r.clock();
  double from = begin;
  while (agree(r)) {
    mine.push_back(level(r, static_cast<std::int64_t>(mine.size())));
    times.push_back(r.clock() - from);
    from = r.clock();
  }
  if (delivery_ != nullptr) {
    delivery_->finish(r, *steps_);
    sent_.tree = delivery_->sent();
  }
  out.began = begin;
  out.seconds = r.clock() - begin;
  sent_.out = exchange_->sent();
  if (agreement_ != nullptr) {
    sent_.flag.messages = agreement_->messages();
    sent_.flag.bytes = agreement_->bytes();
  }

  // For the report alone, and outside of the search's messages and time.
  std::vector<level_found> all(mine.size() * static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  for (std::size_t l = 0; l < mine.size(); ++l) {
    level_found sum{0, 0};
    for (std::size_t i = l; i < all.size(); i += mine.size()) {
      sum.vertices += all[i].vertices;
      sum.arcs += all[i].arcs;
    }
    out.reached += sum.vertices;
    out.arcs += sum.arcs;
    out.levels.push_back({sum.vertices, false, times[l] * 1e3});
  }
  out.overlap = exchange_->report();
}

template <class Id>
bfs_result::part vector_queue<Id>::take_part() {
  bfs_result::part made = steps_->take_part();
  return delivery_ == nullptr ? made : delivery_->part(std::move(made));
}

template <class Id>
void vector_queue<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  steps_->smallest_parents(r, all_depths);
}

template class vector_queue<vertex32>;
template class vector_queue<vertex64>;

namespace {

bool wants_direct(const bfs_options& options) {
  return options.transport == "direct";
}

void check_direct(const machine& m) {
  for (int from = 0; from < m.size(); ++from)
    for (int to = 0; to < m.size(); ++to) {
      if (from == to || m[from].model != nullptr || m.between(from, to).load_store) continue;
      throw usage_error(
          "bfs: transport 'direct' needs ranks that address each other's memory; "
          "rank " +
          std::to_string(from) + " cannot address that of rank " + std::to_string(to) +
          " (its transport is '" + m.between(from, to).transport + "'): use 'copy'");
    }
}

void check(const placed_graph& g, const bfs_options& options) {
  require(options.direction != bfs_direction::bottom_up,
          "bfs: engine 'vector_queue' goes top-down only");
  require(g.on().size() == 1 || g.has_in_adjacency(),
          "bfs: engine 'vector_queue' on several ranks needs in-arcs, which this placement of a "
          "directed graph does not keep");
  require(!options.deterministic || options.results == "stay",
          "bfs: results '" + options.results +
              "' are the parents that come first: with deterministic ones they stay");
  require(options.label_bytes == 0 || options.label_bytes == 4 || options.label_bytes == 8,
          "bfs: label_bytes " + std::to_string(options.label_bytes) + " is none of 0, 4, 8");
  if (wants_direct(options)) check_direct(g.on());
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p,
             const bfs_options& options) {
  const auto of = p.on_gpu() ? (sorts(options) ? cuda_sort_unique_bytes : cuda_vector_queue_bytes)
                             : (sorts(options) ? cpu_sort_unique_bytes : cpu_vector_queue_bytes);
  const queue_bytes takes = of(p);
  std::int64_t longest = 0;
  for (int r = 0; r < p.ranks(); ++r) longest = std::max(longest, p.owners.local_size(r));
  algorithm_detail::array_list windows;
  queue_windows().list(windows, p.rows(), longest, p.ranks(), wants_direct(options),
                       p.on[p.self].model != nullptr);
  if (p.ranks() > 1) windows.count_agreement(p.ranks());
  list_delivery(windows, p, options);
  algorithm_detail::listed_bytes all = windows.bytes();
  all.own = takes.work;
  l.own(p.self, "slice by columns", takes.arrivals, p.arcs_are);
  l.own(p.self, "queue of neighbours", takes.duplicates, p.arcs_are);
  if (options.results != "stay")
    l.host(p.self, "parents and depths on the host", p.rows() * (p.id_width + 4), p.vertices_are);
  declare_search(l, p, all);
}

}  // namespace

const engine_functions vector_queue_engine = {
    check, declare, make_search_of<vector_queue, vertex32>, make_search_of<vector_queue, vertex64>};

}  // namespace gossamer::bfs_detail
