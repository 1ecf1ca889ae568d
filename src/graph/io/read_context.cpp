// Memory plans, limits, progress and cancellation of readers.
#include "graph/io/read_context.hpp"

#include <algorithm>
#include <thread>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {

std::int64_t read_plan::total() const {
  std::int64_t sum = 0;
  for (const auto& i : items) sum = io::sat_add(sum, i.bytes);
  return sum;
}

std::string read_plan::text() const {
  auto bytes = [](std::int64_t b) { return configuration::format_bytes(b); };
  const char* about = estimated ? "about " : "";
  std::string out = file + ": ";
  if (vertices > 0) out += about + std::to_string(vertices) + " vertices, ";
  out += about + std::to_string(arcs) + " arcs; ";
  for (const auto& i : items) out += i.what + " " + bytes(i.bytes) + " + ";
  if (!items.empty()) out.resize(out.size() - 3);
  out += " = " + bytes(total()) + "; limit " + bytes(limit) + " (" + limit_source + ")";
  return out;
}

namespace io {

read_context::read_context(std::string p, const read_options& o)
    : path(std::move(p)),
      name(path.substr(path.find_last_of('/') + 1)),
      options(o),
      build(o.build) {
  threads = o.threads > 0 ? o.threads : o.build.threads;
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  build.threads = threads;
  build.stop = o.stop;
  if (o.memory_limit > 0) {
    limit = o.memory_limit;
    limit_source = "given";
  } else {
    const memory_limit found = host_memory_limit();
    limit = found.bytes;
    limit_source = found.source;
  }
  build.memory = limit;
}

namespace {

read_plan with_window(const read_context& context, read_plan plan) {
  if (context.window_bytes > 0) plan.items.push_back({"decompression", context.window_bytes});
  return plan;
}

void refuse_beyond(std::int64_t bytes, const read_context& context, const read_plan& plan) {
  if (bytes > context.limit)
    throw capacity_error("not enough memory for this graph: " + plan.text());
}

}  // namespace

void read_context::refuse_if_over(const read_plan& plan) const {
  const read_plan whole = with_window(*this, plan);
  refuse_beyond(whole.total(), *this, whole);
}

void read_context::settle(const read_plan& plan) const {
  const read_plan whole = with_window(*this, plan);
  if (options.on_plan) options.on_plan(whole);
  refuse_beyond(whole.total(), *this, whole);
}

void read_context::settle_estimate(const read_plan& plan) const {
  const read_plan whole = with_window(*this, plan);
  if (options.on_plan) options.on_plan(whole);
  refuse_beyond(whole.total() / 2, *this, whole);
}

read_plan read_context::edge_plan(std::int64_t vertices, std::int64_t input_edges, int weight_bytes,
                                  bool estimated) const {
  read_plan plan;
  plan.file = path;
  plan.vertices = vertices;
  plan.arcs = build.symmetrize ? sat_mul(input_edges, 2) : input_edges;
  plan.estimated = estimated;
  plan.limit = limit;
  plan.limit_source = limit_source;
  plan.weight_bytes = weight_bytes;
  plan.symmetric = build.symmetrize;
  const graph_sizes read{vertices, input_edges, id_bytes(vertices), weight_bytes};
  graph_sizes made = read;
  made.arcs = plan.arcs;
  const std::int64_t list = sat_mul(input_edges, 2 * read.id_bytes + weight_bytes);
  plan.items.push_back({"row offsets", sat_mul(sat_add(vertices, 1), 8)});
  plan.items.push_back({"columns", sat_mul(made.arcs, made.id_bytes)});
  if (weight_bytes > 0) plan.items.push_back({"weights", sat_mul(made.arcs, weight_bytes)});
  plan.items.push_back(
      {"edges and sorting, beyond these", build_bytes(read, list, build) - csr_bytes(made)});
  return plan;
}

read_plan read_context::csr_plan(std::int64_t vertices, std::int64_t arcs, int weight_bytes,
                                 std::int64_t held, bool symmetric) const {
  read_plan plan;
  plan.file = path;
  plan.vertices = vertices;
  // Whether it is symmetric already, whatever the file says, is looked at when it is there.
  const graph_sizes sizes{vertices, arcs, id_bytes(vertices), weight_bytes};
  plan.arcs = build.symmetrize ? sat_mul(arcs, 2) : arcs;
  plan.limit = limit;
  plan.limit_source = limit_source;
  plan.weight_bytes = weight_bytes;
  plan.symmetric = symmetric || build.symmetrize;
  if (held > 0) plan.items.push_back({"file contents", held});
  plan.items.push_back({"row offsets", sat_mul(sat_add(vertices, 1), 8)});
  plan.items.push_back({"columns", sat_mul(arcs, sizes.id_bytes)});
  if (weight_bytes > 0) plan.items.push_back({"weights", sat_mul(arcs, weight_bytes)});
  // Cursors of the check for symmetry, which rebuilding has, too.
  if (rebuilds())
    plan.items.push_back({"rebuilding", build_bytes(sizes, 0, build)});
  else if (vertices > 0)
    plan.items.push_back({"row counters", sat_mul(vertices, 8)});
  return plan;
}

void read_context::tick(std::int64_t bytes, std::int64_t total, std::int64_t edges) const {
  if (options.stop.stop_requested()) throw cancelled_error(path + ": stopped");
  if (options.on_progress) options.on_progress({bytes, total, edges});
}

}  // namespace io
}  // namespace gossamer
