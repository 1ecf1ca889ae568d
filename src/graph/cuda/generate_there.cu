// generate_on_gpu: all rows of a generator's graph by gpu_row_maker, and weights beside them.
#include <algorithm>
#include <utility>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/device_csr.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/gpu_row_maker.hpp"
#include "gossamer/graph/random.hpp"
#include "graph/build_steps.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/device_memory.hpp"
#include "graph/cuda/waited_stream.cuh"
#include "graph/finish_generated.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

namespace {

template <class Id>
__global__ void weigh_arcs(const edge_offset* offsets, std::int64_t rows, const Id* columns,
                           edge_offset arcs, std::uint64_t seed, std::int32_t* weights) {
  detail::each_arc(offsets, rows, 0, arcs, [&](std::int64_t u, edge_offset a) {
    weights[a] = symmetric_weight(static_cast<std::uint64_t>(u),
                                  static_cast<std::uint64_t>(columns[a]), seed);
  });
}

template <class Id>
device_csr generate_rows_there(const generator_spec& spec, const generate_options& options) {
  const device on = detail::gpu_of(options.device);
  const std::int64_t n = spec.vertices();
  // Making the list twice takes a third each, as a rule.
  int step = 0;
  const auto alive = [&](double part) {
    detail::check_generator_stop(spec, options);
    if (options.progress) options.progress((step + part) / 3);
  };
  gpu_row_maker<Id> maker(on, spec, 0, n);
  for (auto make :
       {&gpu_row_maker<Id>::count, &gpu_row_maker<Id>::put, &gpu_row_maker<Id>::finish}) {
    (maker.*make)(alive);
    ++step;
  }
  device_csr g;
  g.ordinal = options.device;
  g.name = spec.text;
  g.longest_row = maker.longest();
  g.symmetric = true;
  g.steps = {"symmetrized", detail::removed_step(maker.self_loops(), "self-loop"),
             detail::removed_step(maker.counted() - maker.arcs(), "duplicate arc")};
  const std::int64_t arcs = maker.arcs();
  g.offsets = device_array<edge_offset>(std::move(maker.offsets()));
  device_array<Id> columns(std::move(maker.columns()));
  if (options.weights || spec.kind == generator_kind::road) {
    buffer<std::int32_t> weights(memory_kind::device, options.device,
                                 static_cast<std::size_t>(std::max<std::int64_t>(arcs, 1)));
    if (arcs > 0) {
      detail::waited_stream queue(on);
      weigh_arcs<<<detail::arc_blocks(arcs), detail::block_threads, 0, queue.native()>>>(
          g.offsets.data(), n, columns.data(), arcs, spec.seed, weights.data());
      queue.wait();
    }
    g.weights =
        device_array<std::int32_t>(std::move(weights)).first(static_cast<std::size_t>(arcs));
  }
  g.columns = columns.first(static_cast<std::size_t>(arcs));
  return g;
}

}  // namespace

graph generate_on_gpu(const generator_spec& spec, const generate_options& options) {
  spec.require_list();
  require(!options.keep_duplicates, spec.text + ": graphs made to stay on a GPU are simple");
  const driver_pause pause(options.stop);
  const detail::device_scope scope(options.device);
  graph g = as_graph(configuration::narrow_ids(spec.vertices())
                         ? generate_rows_there<vertex32>(spec, options)
                         : generate_rows_there<vertex64>(spec, options));
  if (g.weighted()) g.weight_source = detail::generated_weights(spec);
  return g;
}

}  // namespace gossamer
