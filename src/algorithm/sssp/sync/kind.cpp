// Engine sync of shortest paths: one CPU rank alone, several that tell each other after each
// bucket, or one GPU. What it is, takes and is made from.
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/kinds.hpp"
#include "algorithm/sssp/sync/peer.hpp"
#include "algorithm/sssp/sync/solo.hpp"
#include "algorithm/sssp/typed_engine.hpp"

namespace gossamer::sssp_detail {

namespace {

/// A modelled rank does what several do, since that is charged.
bool placed(const machine& m) {
  return (m.size() > 1 || m[0].model != nullptr) && !m[0].is_cuda();
}

/// One CPU rank that searches alone: rows copied in their order, and buckets.
void declare_solo(memory_layout& l, const machine& m, const problem& p) {
  const std::int64_t rows =
      p.weight_bytes == 8 || p.id_width == 8
          ? solo_search<vertex64, double>::work_bytes(p.vertices, p.arcs, p.skewed)
          : solo_search<vertex32, float>::work_bytes(p.vertices, p.arcs, p.skewed);
  l.own(0, "rows in order", rows, p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  l.own(0, "buckets", bucket_bytes(p, p.vertices, m[0].threads), certainty::about);
}

void declare_peer(memory_layout& l, const machine& m, const problem& p, int r) {
  const std::int64_t n = p.rows.ids(), rows = p.rows.ids(r);
  const bool wide = p.weight_bytes == 8;
  using algorithm_detail::counted;
  l.own(r, "known distances",
        wide ? counted<peer_arrays<double>>(n).own : counted<peer_arrays<float>>(n).own,
        p.vertices_are);
  l.window(r, "inbox",
           (wide || p.id_width == 8 ? counted<peer_windows<vertex64, double>>(rows, m.size())
                                    : counted<peer_windows<vertex32, float>>(rows, m.size()))
               .window,
           p.rows.rows_are);
  // Others' vertices wait in lists, each once, and are packed as they are sent.
  l.own(r, "buckets", bucket_bytes(p, rows) + (n - rows) * (p.id_width + entry_bytes(p)),
        certainty::about);
}

void declare(memory_layout& l, const machine& m, const problem& p, const sssp_options& options) {
  if (m[0].is_cuda()) return declare_gpu_search(l, p);
  if (!placed(m)) return declare_solo(l, m, p);
  declare_slices(l, m, p, options, [&](int r) { declare_peer(l, m, p, r); });
}

template <class Id, class Distance>
class solo_engine final : public host_engine<Distance> {
 public:
  explicit solo_engine(const preparation& from)
      : host_engine<Distance>(from),
        solo_(rows_of<Id, Distance>(this->graph_),
              bucket_width(*from.options.delta, from.facts.largest), from.facts.largest,
              from.on[0].threads) {}

 private:
  shared_array<Distance> search(std::int64_t source, const run_options& how,
                                std::vector<outcome>& outcomes,
                                const shared_array<std::int64_t>& parents) override {
    const auto distances = make_array<Distance>(static_cast<std::size_t>(this->graph_.vertices()));
    this->machine_.run(
        [&](rank& r) {
          outcome& out = outcomes.front();
          const double begin = r.clock();
          {
            const trace_span span(r, "relax");
            out.counts = solo_.run(r, source, distances.data());
          }
          out.seconds = r.clock() - begin;
          this->add_parents(r, source, distances, {}, parents, out);
          trace_run(r, "sssp", begin, out.seconds);
        },
        how);
    return distances;
  }

  solo_search<Id, Distance> solo_;
};

template <class Distance>
class gpu_engine final : public typed_engine<Distance> {
 public:
  /// The GPU finds parents of symmetric graphs itself, as a rule.
  explicit gpu_engine(const preparation& from)
      : typed_engine<Distance>(from, from.of.symmetric),
        gpu_(make_gpu_search<Distance>(from.on, this->graph_, *from.options.delta, from.needs)) {}

  /// Distances by the first GPU, where they stay; then parents.
  void run(std::int64_t source, const run_options& how, sssp_result& result) override {
    this->make_parents(result);
    std::vector<outcome> outcomes(static_cast<std::size_t>(this->machine_.size()));
    gpu_found<Distance> found;
    this->machine_.run(
        [&](rank& r) {
          if (r.id() != 0) return;
          outcome& out = outcomes.front();
          const double begin = r.clock();
          found = gpu_->run(r, source);
          out.counts = found.counts;
          out.seconds = found.seconds;
          result.distances = result_values<distance_array>::on_gpu<Distance>(found.distances);
          if (this->options_.parents) {
            out.parents = add_parents_of(r, source, found, result);
            out.seconds += out.parents;
          }
          trace_run(r, "sssp", begin, out.seconds);
        },
        how);
    describe(outcomes, this->options_.parents, !algorithm_detail::has_gpus(this->machine_), result);
    result.reached += found.reached;
    if (this->may_have_missed(found.farthest))
      this->check_missed(source, std::get<shared_array<Distance>>(result.distances.get()));
  }

 private:
  /// On the GPU that searched, or by the host's threads; returns its seconds.
  double add_parents_of(rank& r, std::int64_t source, const gpu_found<Distance>& found,
                        sssp_result& result) {
    const double from = r.clock();
    if (this->parents_ == nullptr && !gpu_->find_parents(r, found, source, result.parents)) {
      host_copy_ = on_host(this->graph_);
      this->parents_ =
          std::make_unique<rank_parents<Distance>>(this->machine_, host_copy_, std::stop_token());
    }
    if (this->parents_ != nullptr)
      this->parents_->find_alone(
          r, source, std::get<shared_array<Distance>>(result.distances.get()), result.parents);
    return r.clock() - from;
  }

  graph host_copy_;
  std::unique_ptr<gpu_search<Distance>> gpu_;  ///< of rank 0, which searches alone
};

template <class Id, class Distance>
std::unique_ptr<engine> make_peers(const preparation& from) {
  return std::make_unique<placed_engine<Distance>>(from, [&](int r, auto& weights) {
    return std::make_unique<peer_search<Id, Distance>>(
        rows_of_rank<Id, Distance>(from, r, weights), from.placed->bounds(), r,
        bucket_width(*from.options.delta, from.facts.largest), from.facts.largest);
  });
}

std::unique_ptr<engine> make(const preparation& from) {
  return of_types(from, [&]<class Id, class Distance>() -> std::unique_ptr<engine> {
    if (from.on[0].is_cuda()) return std::make_unique<gpu_engine<Distance>>(from);
    if (placed(from.on)) return make_peers<Id, Distance>(from);
    return std::make_unique<solo_engine<Id, Distance>>(from);
  });
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "delta-stepping: buckets of distances, one after the other",
               .chosen = "on CPU ranks, and on GPUs unless all of several are asked for"},
      .placed = placed,
      .declare = declare,
      .make = make};
  return kind;
}

}  // namespace gossamer::sssp_detail
