// How long a GPU takes to build a graph of a random edge list that lies in its memory; one JSON
// object, with what building took of the memory beside the plan.
//
// Usage: bench_device_build uniform|skewed [--edges N] [--vertices N] [--ids int32|int64]
//        [--weights none|int32|float32|float64] [--symmetrize 0|1] [--deduplicate 0|1]
//        [--remove_self_loops 0|1] [--rounds N] [--device N] [--verify host|none] [--json FILE]
// Defaults are the goal's: 2^28 edges of int32 between 2^24 vertices, symmetrized and deduplicated.
// `verify host` builds the same list on the host and compares all arrays, flags and steps.
#include <sstream>
#include <type_traits>

#include "bench_run.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/device_builder.hpp"
#include "gossamer/graph/random.hpp"
#include "gossamer/machine/pieces.hpp"

namespace {

/// Edge k of the list, a pure function of k.
struct random_list {
  bool skewed;
  std::int64_t vertices;
  [[nodiscard]] std::int64_t end(std::int64_t k, int which) const {
    const auto random = gossamer::counter_random::of(1, static_cast<std::uint64_t>(which));
    const std::uint64_t word = random(static_cast<std::uint64_t>(k));
    const auto v =
        static_cast<std::int64_t>((word >> 32) * static_cast<std::uint64_t>(vertices) >> 32);
    // Each power of two of low ids gets the same share.
    return skewed ? v >> (word & 15) : v;
  }
  template <class Weight>
  [[nodiscard]] static Weight weight(std::int64_t k) {
    return static_cast<Weight>(gossamer::mix64(static_cast<std::uint64_t>(k)) % 255 + 1);
  }
};

struct settings {
  bench::arguments given;
  random_list list;
  std::int64_t edges;
  int device, rounds;
  gossamer::device_build_options options;
};

template <class T, class F>
gossamer::buffer<T> on_device(const settings& s, const F& value) {
  gossamer::buffer<T> made(gossamer::memory_kind::device, s.device,
                           static_cast<std::size_t>(s.edges));
  gossamer::write_elements(made.data(), made.size(), [&](std::size_t first, std::span<T> piece) {
    for (std::size_t i = 0; i < piece.size(); ++i)
      piece[i] = static_cast<T>(value(static_cast<std::int64_t>(first + i)));
  });
  return made;
}

template <class T>
gossamer::device_view view_of(const gossamer::buffer<T>& b, gossamer::element type) {
  return {b.data(), static_cast<std::int64_t>(b.size()), type};
}

template <class Id, class Weight>
gossamer::graph built_on_host(const settings& s) {
  constexpr std::int64_t chunk_edges = std::int64_t{1} << 22;
  gossamer::edge_chunks<Id> chunks;
  chunks.vertices = s.list.vertices;
  std::vector<gossamer::shared_array<Weight>> weights;
  for (std::int64_t first = 0; first < s.edges; first += chunk_edges) {
    const auto n = static_cast<std::size_t>(std::min(chunk_edges, s.edges - first));
    gossamer::shared_array<gossamer::edge<Id>> chunk(n);
    gossamer::shared_array<Weight> w(std::is_same_v<Weight, char> ? 0 : n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t k = first + static_cast<std::int64_t>(i);
      chunk[i] = {static_cast<Id>(s.list.end(k, 0)), static_cast<Id>(s.list.end(k, 1))};
      if (w.size() > 0) w[i] = random_list::weight<Weight>(k);
    }
    chunks.edges.push_back(chunk);
    weights.push_back(w);
  }
  if constexpr (!std::is_same_v<Weight, char>) chunks.weights = std::move(weights);
  gossamer::build_options o;
  o.symmetrize = s.options.symmetrize;
  o.deduplicate = s.options.deduplicate;
  o.remove_self_loops = s.options.remove_self_loops;
  gossamer::graph g = gossamer::build_csr(std::move(chunks), o);
  if (!g.symmetric) g.symmetric = gossamer::is_symmetric(g);
  return g;
}

template <class Array>
bool equal_arrays(const Array& a, const Array& b) {
  if constexpr (std::is_same_v<Array, std::monostate>)
    return true;
  else
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool equal_graphs(const gossamer::graph& a, const gossamer::graph& b) {
  const auto equal_variants = [](const auto& x, const auto& y) {
    return x.index() == y.index() && std::visit(
                                         [&]<class Array>(const Array& first) {
                                           return equal_arrays(first, std::get<Array>(y));
                                         },
                                         x);
  };
  return equal_arrays(a.offsets, b.offsets) && equal_variants(a.indices, b.indices) &&
         equal_variants(a.weights, b.weights) && a.symmetric == b.symmetric &&
         a.sorted == b.sorted && a.steps == b.steps;
}

template <class Id, class Weight>
void measure(settings s) {
  constexpr bool weighted = !std::is_same_v<Weight, char>;
  constexpr int weight_bytes = weighted ? static_cast<int>(sizeof(Weight)) : 0;
  using gossamer::element;
  const auto sources = on_device<Id>(s, [&](std::int64_t k) { return s.list.end(k, 0); });
  const auto targets = on_device<Id>(s, [&](std::int64_t k) { return s.list.end(k, 1); });
  gossamer::buffer<Weight> weights;
  gossamer::device_edges list;
  list.ordinal = s.device;
  constexpr element id = sizeof(Id) == 8 ? element::int64 : element::int32;
  list.sources = view_of(sources, id);
  list.targets = view_of(targets, id);
  if constexpr (weighted) {
    weights = on_device<Weight>(s, [&](std::int64_t k) { return random_list::weight<Weight>(k); });
    list.weights = view_of(weights, std::is_same_v<Weight, double>  ? element::float64
                                    : std::is_same_v<Weight, float> ? element::float32
                                                                    : element::int32);
  }

  gossamer::device_csr g;
  std::vector<double> rounds, pieces;
  std::int64_t peak = 0;
  for (int round = 0; round <= s.rounds; ++round) {
    g = {};
    std::vector<double> ends;
    gossamer::begin_peaks();
    const std::int64_t before = gossamer::memory_in_use(s.device).now;
    const auto begin = bench::steady::now();
    s.options.progress = [&](double) { ends.push_back(bench::milliseconds_since(begin)); };
    g = gossamer::build_on_device(list, s.options);
    rounds.push_back(bench::milliseconds_since(begin));
    peak = std::max(peak, gossamer::memory_in_use(s.device).peak - before);
    if (pieces.empty() || round == s.rounds) pieces = ends;
  }
  const double first = rounds.front();  // loads kernels, too
  rounds.erase(rounds.begin());

  const auto plan = gossamer::plan_device_build(s.list.vertices, s.edges, weight_bytes, s.options);
  const std::int64_t graph_bytes =
      8 * (g.vertices() + 1) + g.arcs() * (g.id_width() + weight_bytes);
  const std::int64_t list_bytes =
      s.edges * static_cast<std::int64_t>(2 * sizeof(Id) + weight_bytes);
  std::string verified = "null";
  double copying = 0;
  if (s.given["verify"] == "host") {
    const auto begin = bench::steady::now();
    const gossamer::graph copied = gossamer::to_host(g);
    copying = bench::milliseconds_since(begin);
    const gossamer::graph expected = gossamer::configuration::narrow_ids(s.list.vertices)
                                         ? built_on_host<gossamer::vertex32, Weight>(s)
                                         : built_on_host<gossamer::vertex64, Weight>(s);
    verified = equal_graphs(copied, expected) ? "true" : "false";
  }

  std::ostringstream json;
  json << "{\n  \"list\": \"" << s.given["graph"] << "\", \"edges\": " << s.edges
       << ", \"vertices\": " << g.vertices() << ", \"ids\": \"" << s.given["ids"]
       << "\", \"weights\": \"" << s.given["weights"]
       << "\",\n  \"symmetrize\": " << s.options.symmetrize
       << ", \"deduplicate\": " << s.options.deduplicate
       << ", \"remove_self_loops\": " << s.options.remove_self_loops
       << ",\n  \"arcs\": " << g.arcs() << ", \"longest_row\": " << g.longest_row
       << ",\n  \"milliseconds\": {\"first\": " << first
       << ", \"least\": " << bench::quantile(rounds, 0)
       << ", \"median\": " << bench::quantile(rounds, 0.5)
       << ", \"most\": " << bench::quantile(rounds, 1) << "},\n  \"ends_of_pieces\": [";
  for (std::size_t i = 0; i < pieces.size(); ++i) json << (i > 0 ? ", " : "") << pieces[i];
  json << "],\n  \"peak_bytes\": " << peak << ", \"planned_bytes\": " << plan.total()
       << ", \"peak_of_list_and_graph\": "
       << static_cast<double>(list_bytes + peak) / static_cast<double>(list_bytes + graph_bytes)
       << ",\n  \"to_host_milliseconds\": " << copying << ", \"verified\": " << verified << "\n}";
  bench::write_json(s.given["json"], json.str());
  if (verified == "false")
    throw gossamer::verification_error("the GPU's graph differs from the host's");
}

template <class Id>
void measure_with_weights(const settings& s) {
  const std::string& kind = s.given.at("weights");
  if (kind == "int32") return measure<Id, std::int32_t>(s);
  if (kind == "float32") return measure<Id, float>(s);
  if (kind == "float64") return measure<Id, double>(s);
  gossamer::require(kind == "none", "--weights: none, int32, float32 or float64");
  measure<Id, char>(s);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_device_build", [&] {
    settings s{};
    s.given = bench::read_arguments(argc, argv,
                                    {{"graph", ""},
                                     {"edges", "268435456"},
                                     {"vertices", "16777216"},
                                     {"ids", "int32"},
                                     {"weights", "none"},
                                     {"symmetrize", "1"},
                                     {"deduplicate", "1"},
                                     {"remove_self_loops", "0"},
                                     {"rounds", "5"},
                                     {"device", "0"},
                                     {"verify", "host"},
                                     {"json", ""}},
                                    "usage: bench_device_build uniform|skewed [--edges N] "
                                    "[--vertices N] [--ids T] [--weights T] [--symmetrize 0|1] "
                                    "[--deduplicate 0|1] [--remove_self_loops 0|1] [--rounds N] "
                                    "[--device N] [--verify host|none] [--json FILE]");
    s.list = {s.given["graph"] == "skewed", std::stoll(s.given["vertices"])};
    s.edges = std::stoll(s.given["edges"]);
    s.device = std::stoi(s.given["device"]);
    s.rounds = std::max(1, std::stoi(s.given["rounds"]));
    s.options.vertices = s.list.vertices;
    s.options.symmetrize = s.given["symmetrize"] == "1";
    s.options.deduplicate = s.given["deduplicate"] == "1";
    s.options.remove_self_loops = s.given["remove_self_loops"] == "1";
    if (s.given["ids"] == "int64") return measure_with_weights<std::int64_t>(s);
    measure_with_weights<std::int32_t>(s);
  });
}
