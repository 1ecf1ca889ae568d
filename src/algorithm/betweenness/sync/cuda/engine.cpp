// Betweenness on GPUs, host side: rows are uploaded once. A run launches the kernel until no group
// has a source left; between two launches it tells of progress and hears of a stop.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/betweenness/gpu.hpp"
#include "algorithm/betweenness/laid_rows.hpp"
#include "algorithm/betweenness/sync/cuda/launch.hpp"
#include "algorithm/betweenness/sync/edge_scores.hpp"
#include "algorithm/betweenness/sync/outcome.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/upload.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::betweenness_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted, algorithm_detail::taken;

/// Groups leave when they next look at the clock, every sixteenth level. Interrupts wait as long.
constexpr unsigned long long launch_nanoseconds = 20'000'000;

/// Of a rank's memory.
struct sizes {
  std::int64_t vertices, arcs;  ///< as the caller has them
  std::int64_t sources;         ///< that a run may have, of all ranks
  bool edges, symmetric;
  std::int64_t groups;

  [[nodiscard]] std::int64_t scored() const { return edges ? arcs : vertices; }
};

/// In the GPU's memory.
template <class Id>
struct gpu_arrays {
  buffer<edge_offset> offsets[2];
  buffer<Id> columns[2], sources, level_begin;
  buffer<named_row<Id>> order;
  buffer<std::int64_t> row_of;
  buffer<double> values, scores, sums;
  buffer<std::int32_t> powers;
  buffer<std::uint32_t> codes;
  buffer<group_state> states;
  buffer<unsigned long long> words;

  void list(array_list& of, const sizes& s) {
    for (int way = 0; way < (s.symmetric ? 1 : 2); ++way) {
      of.add(offsets[way], s.vertices + 1);
      of.add(columns[way], s.arcs);
    }
    of.add(sources, s.sources);
    of.add(row_of, s.vertices);
    of.add(values, s.groups * s.vertices);
    of.add(powers, s.groups * s.vertices);
    of.add(codes, s.groups * code_words(s.vertices));
    of.add(order, s.groups * s.vertices);
    of.add(level_begin, s.groups * (s.vertices + 1));
    of.add(scores, s.groups * s.scored());
    of.add(sums, s.scored());
    of.add(states, s.groups);
    of.add(words, s.groups * group_words);
  }
};

/// Blocks that are resident together.
std::int64_t blocks_of(const device& gpu) {
  return std::max(1, gpu.units);
}

/// Groups of a rank: as many as sources, as blocks, and as have 8 GiB. Where vertices have many
/// arcs, ways are short: a level is then work for a block for each million of the graph's arcs, and
/// numbers of few sources stay in caches.
std::int64_t groups_of(std::int64_t blocks, std::int64_t ranks, const sizes& s, int id_width) {
  const std::int64_t each = s.vertices * (20 + 3 * id_width) + s.scored() * 8 + 1;
  const bool long_ways = s.arcs < 6 * s.vertices;
  const std::int64_t least =
      long_ways ? 1
                : std::clamp<std::int64_t>(s.arcs >> 20, 1, std::max<std::int64_t>(4, blocks) / 4);
  const std::int64_t most =
      std::min((s.sources + ranks - 1) / ranks, (std::int64_t{1} << 33) / each);
  return std::clamp<std::int64_t>(most, 1, blocks / least);
}

sizes sizes_of(const machine& m, int r, const problem& p, const betweenness_options& options) {
  sizes s{p.vertices, p.arcs, sources_of(p.vertices, options), options.edges, p.symmetric, 1};
  s.groups = groups_of(blocks_of(m[r]), m.size(), s, p.id_width);
  return s;
}

template <class Id>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on),
        given_(from.of),
        edges_(from.options.edges),
        endpoints_(from.options.endpoints),
        found_(
            lay_out(from.of, uses_of(from.of.vertices(), from.options), from.options.run.cancel)),
        out_(found_.rows->out.view<Id>()) {
    const bool symmetric = found_.rows->out.symmetric;
    const problem p{given_.vertices(), given_.arcs(), given_.id_width(), symmetric};
    arrays_.resize(static_cast<std::size_t>(on_.size()));
    for (int r = 0; r < on_.size(); ++r) {
      const current_device here(on_[r].ordinal);
      sizes s = sizes_of(on_, r, p, from.options);
      s.arcs = arcs();
      groups_.push_back(s.groups);
      auto& mine = arrays_[static_cast<std::size_t>(r)];
      array_list list(on_[r]);
      mine.list(list, s);
      algorithm_detail::upload(mine.offsets[0], out_.offsets);
      algorithm_detail::upload(mine.columns[0], out_.indices);
      if (!found_.rows->row_of.empty())
        algorithm_detail::upload(mine.row_of, found_.rows->row_of.span());
      if (symmetric) continue;
      const auto in = found_.in().view<Id>();
      algorithm_detail::upload(mine.offsets[1], in.offsets);
      algorithm_detail::upload(mine.columns[1], in.indices);
    }
    if (!as_scored()) collecting_ = taken<collecting_arrays>(device(), vertices(), arcs());
    sums_.resize(arrays_.size());
    if (!as_scored() || on_.size() > 1)
      for (auto& sums : sums_) sums = make_array<double>(static_cast<std::size_t>(scored()));
  }

  void run(std::span<const std::int64_t> sources, const run_options& options,
           betweenness_result& result) override {
    std::vector<outcome> outcomes(arrays_.size());
    const auto scores =
        make_array<double>(static_cast<std::size_t>(edges_ ? given_.arcs() : vertices()));
    rows_.clear();
    for (const std::int64_t v : sources) rows_.push_back(row(v));
    searches_ = sources.empty() ? vertices() : std::ssize(sources);
    on_.run([&](rank& r) { run_rank(r, scores, outcomes[static_cast<std::size_t>(r.id())]); },
            options);
    report(outcomes, found_, result);
    result.scores = scores;
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return out_.vertices(); }
  [[nodiscard]] std::int64_t arcs() const { return std::ssize(out_.indices); }
  [[nodiscard]] std::int64_t scored() const { return edges_ ? arcs() : vertices(); }
  /// Sums of a GPU are scores in the caller's order.
  [[nodiscard]] bool as_scored() const {
    return !edges_ || given_.view<Id>().indices.data() == out_.indices.data();
  }
  [[nodiscard]] Id row(std::int64_t v) const {
    const auto& row_of = found_.rows->row_of;
    return static_cast<Id>(row_of.empty() ? v : row_of[static_cast<std::size_t>(v)]);
  }

  void run_rank(rank& r, const shared_array<double>& scores, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    if (vertices() > 0) {
      search(r, out);
      collect(r, scores, out);
    }
    out.seconds = out.search + out.collect;
    trace_run(r, "betweenness", begin, out.seconds);
    r.barrier();
  }

  void search(rank& r, outcome& out) {
    const auto me = static_cast<std::size_t>(r.id());
    const device& gpu = on_[r.id()];
    auto& mine = arrays_[me];
    const std::int64_t own = (searches_ + on_.size() - 1) / on_.size();
    const std::int64_t groups = std::clamp<std::int64_t>(own, 1, groups_[me]);
    const search_view<Id> view = view_of(r, mine, groups);
    std::vector<group_state> states(static_cast<std::size_t>(groups));
    event begun(gpu.ordinal), ended(gpu.ordinal);
    bool begins = true, over = false;
    while (!over) {
      begun.record(r.stream());
      if (std::exchange(begins, false)) start(r, mine, groups);
      {
        const trace_span span(r, "search", r.stream());
        launch_search<Id>(r.stream().native(), view);
      }
      ended.record(r.stream());
      r.synchronize();
      out.search += ended.milliseconds_since(begun) * 1e-3;
      copy_bytes(states.data(), mine.states.data(), states.size() * sizeof(group_state));
      std::int64_t done = 0;
      over = true;
      out.rescaled = 0;
      for (const group_state& of : states) {
        done += of.search;
        out.rescaled += of.rescaled;
        over = over && of.stage == search_stage::over;
      }
      r.progress(std::min(1.0, static_cast<double>(done) / static_cast<double>(own)));
    }
    begun.record(r.stream());
    {
      const trace_span span(r, "collect", r.stream());
      launch_collect(
          r.stream().native(),
          {mine.scores.data(), scored(), static_cast<unsigned>(groups),
           edges_ || found_.rows->row_of.empty() ? nullptr : mine.row_of.data(), mine.sums.data()});
      if (edges_ && found_.rows->out.symmetric)
        launch_join<Id>(
            r.stream().native(),
            {{mine.offsets[0].data(), mine.columns[0].data()}, vertices(), mine.sums.data()});
    }
    ended.record(r.stream());
    r.synchronize();
    out.collect = ended.milliseconds_since(begun) * 1e-3;
  }

  void start(rank& r, gpu_arrays<Id>& mine, std::int64_t groups) {
    const auto count = static_cast<std::size_t>(groups);
    r.fill(mine.states.data(), 0, count * sizeof(group_state));
    r.fill(mine.words.data(), 0, count * group_words * sizeof(unsigned long long));
    r.fill(mine.scores.data(), 0, count * static_cast<std::size_t>(scored()) * sizeof(double));
    algorithm_detail::upload(mine.sources, rows_);
  }

  [[nodiscard]] search_view<Id> view_of(const rank& r, const gpu_arrays<Id>& mine,
                                        std::int64_t groups) const {
    search_view<Id> v{};
    v.symmetric = found_.rows->out.symmetric;
    for (std::size_t way = 0; way < 2; ++way) {
      const std::size_t from = v.symmetric ? 0 : way;
      v.rows[way] = {mine.offsets[from].data(), mine.columns[from].data()};
    }
    v.vertices = vertices();
    v.scored = scored();
    v.edges = edges_;
    v.endpoints = endpoints_;
    v.sources = rows_.empty() ? nullptr : mine.sources.data();
    v.searches = searches_;
    v.rank = r.id();
    v.ranks = on_.size();
    v.groups = static_cast<unsigned>(groups);
    v.blocks = static_cast<unsigned>(blocks_of(on_[r.id()]) / groups);
    v.values = mine.values.data();
    v.powers = mine.powers.data();
    v.codes = mine.codes.data();
    v.order = mine.order.data();
    v.level_begin = mine.level_begin.data();
    v.scores = mine.scores.data();
    v.states = mine.states.data();
    v.words = mine.words.data();
    v.pause = launch_nanoseconds;
    v.guard = r.guard();
    return v;
  }

  /// To the host, and together.
  void collect(rank& r, const shared_array<double>& scores, outcome& out) {
    const auto me = static_cast<std::size_t>(r.id());
    double* const mine = sums_[me].empty() ? scores.data() : sums_[me].data();
    const double begin = r.clock();
    if (scored() > 0)
      copy_bytes(mine, arrays_[me].sums.data(),
                 static_cast<std::size_t>(scored()) * sizeof(double));
    r.barrier();
    if (sums_[0].empty() || r.id() > 0) return;
    double* const to = sums_[0].data();
    const bool as_is = as_scored();
    const cpu_team team{host().cores};
    for_pieces(team, scored(), 1 << 14, [&](std::int64_t first, std::int64_t last) {
      for (std::size_t other = 1; other < sums_.size(); ++other)
        for (std::int64_t i = first; i < last; ++i) to[i] += sums_[other].data()[i];
      if (as_is) std::copy(to + first, to + last, scores.data() + first);
    });
    if (!as_is) {
      const csr_view<Id> given = given_.view<Id>();
      const edge_scores<Id> of(given, out_, collecting_);
      for_pieces(team, vertices(), 1 << 12, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t v = first; v < last; ++v) of.share_out(v, to, scores.data());
      });
    }
    out.collect += r.clock() - begin;
  }

  machine& on_;
  const graph given_;
  bool edges_, endpoints_;
  found_rows found_;  ///< its seconds are of the first run
  csr_view<Id> out_;
  std::vector<gpu_arrays<Id>> arrays_;      ///< of ranks
  std::vector<std::int64_t> groups_;        ///< of each, at most
  collecting_arrays collecting_;            ///< of scores of arcs
  std::vector<shared_array<double>> sums_;  ///< of ranks, where they are added up on the host
  std::vector<Id> rows_;                    ///< the sources of this run; empty: all
  std::int64_t searches_ = 0;
};

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<gpu_sync<vertex32>>(from);
  return std::make_unique<gpu_sync<vertex64>>(from);
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const betweenness_options& options) {
  const certainty sure = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  for (int r = 0; r < m.size(); ++r) {
    const sizes s = sizes_of(m, r, p, options);
    l.own(r, "rows, and numbers, levels and sums of searches",
          p.id_width == 4 ? counted<gpu_arrays<vertex32>>(s).own
                          : counted<gpu_arrays<vertex64>>(s).own,
          sure);
    if ((options.edges && p.simplified) || m.size() > 1)
      l.shared("sums of a GPU", s.scored() * 8, sure);
  }
  l.shared("sources as searches read them", sources_of(p.vertices, options) * p.id_width, sure);
}

}  // namespace gossamer::betweenness_detail
