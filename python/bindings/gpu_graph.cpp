// Graphs from arrays on a GPU, made and kept there.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/device_builder.hpp"
#include "gossamer/placement/kept.hpp"
#include "text.hpp"

namespace gossamer_python {

namespace {

using gossamer::device_view;
using gossamer::element;
using gossamer::graph;

/// (address, length, type as NumPy writes it, CUDA ordinal, stream or None) of an array.
using array_tuple =
    std::tuple<std::uintptr_t, std::int64_t, std::string, int, std::optional<std::uintptr_t>>;

element element_of(const std::string& type) {
  if (type == "<i4") return element::int32;
  if (type == "<i8") return element::int64;
  if (type == "<u4") return element::uint32;
  if (type == "<f4") return element::float32;
  if (type == "<f8") return element::float64;
  throw gossamer::usage_error("an array of '" + type + "' on a GPU");
}

device_view view_of_tuple(const array_tuple& a) {
  return {reinterpret_cast<const void*>(std::get<0>(a)), std::get<1>(a),
          element_of(std::get<2>(a))};
}
std::optional<device_view> optional_view(const std::optional<array_tuple>& a) {
  if (!a) return {};
  return view_of_tuple(*a);
}
/// As __cuda_array_interface__ has streams: 1 is the legacy one.
std::optional<void*> stream_of(const array_tuple& a) {
  const auto stream = std::get<4>(a);
  if (!stream) return {};
  return *stream == 1 ? nullptr : reinterpret_cast<void*>(*stream);
}

/// f(), once more without what is kept on that GPU if there was no room beside it.
template <class F>
auto with_room(int ordinal, const F& f) {
  try {
    return f();
  } catch (const gossamer::capacity_error&) {
    if (gossamer::kept::bytes_in(ordinal) == 0) throw;
    gossamer::kept::make_room(ordinal, 1, 0);
    return f();
  }
}

/// The graph that make(options) gives on that GPU.
template <class Options, class Make>
graph made_on(int ordinal, Options options, Make make) {
  return run_work([=](work_control& c) mutable {
    options.stop = c.stop.get_token();
    return with_room(ordinal, [&] { return gossamer::as_graph(make(options)); });
  });
}

graph edges_on_gpu(const array_tuple& u, const array_tuple& v, const std::optional<array_tuple>& w,
                   std::optional<std::int64_t> vertices, bool symmetrize, bool deduplicate,
                   bool remove_self_loops, std::string name) {
  gossamer::device_edges edges;
  edges.ordinal = std::get<3>(u);
  edges.sources = view_of_tuple(u);
  edges.targets = view_of_tuple(v);
  edges.weights = optional_view(w);
  edges.stream = stream_of(u);
  gossamer::device_build_options options;
  options.vertices = vertices;
  options.symmetrize = symmetrize;
  options.deduplicate = deduplicate;
  options.remove_self_loops = remove_self_loops;
  options.name = std::move(name);
  return made_on(edges.ordinal, options,
                 [edges](const auto& how) { return gossamer::build_on_device(edges, how); });
}

graph csr_on_gpu(const array_tuple& offsets, const array_tuple& indices,
                 const std::optional<array_tuple>& weights, std::optional<bool> sorted,
                 std::optional<bool> symmetric, std::string name, anything owner) {
  gossamer::device_csr_arrays arrays;
  arrays.ordinal = std::get<3>(indices);
  arrays.offsets = view_of_tuple(offsets);
  arrays.indices = view_of_tuple(indices);
  arrays.weights = optional_view(weights);
  arrays.stream = stream_of(indices);
  arrays.owner = keep_alive(std::move(owner));
  gossamer::device_csr_options options;
  options.sorted = sorted;
  options.symmetric = symmetric;
  options.name = std::move(name);
  return made_on(arrays.ordinal, options,
                 [arrays](const auto& how) { return gossamer::csr_on_device(arrays, how); });
}

/// (address, length, type, ordinal) of an array that only DLPack knows.
std::optional<std::tuple<std::uintptr_t, std::int64_t, std::string, int>> dlpack_array(
    const anything& array) {
  using view = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cuda>;
  view v;
  if (!nb::try_cast<view>(array, v, false)) return {};
  const char code = v.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float) ? 'f'
                    : v.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt)
                        ? 'u'
                        : 'i';
  return {{reinterpret_cast<std::uintptr_t>(v.data()), static_cast<std::int64_t>(v.size()),
           std::string("<") + code + std::to_string(v.dtype().bits / 8), v.device_id()}};
}

}  // namespace

void bind_gpu_graph(nb::module_& m) {
  m.def("gpu_from_edges", &edges_on_gpu, nb::arg("u"), nb::arg("v"), nb::arg("w").none(),
        nb::arg("vertices").none(), nb::arg("symmetrize"), nb::arg("deduplicate"),
        nb::arg("remove_self_loops"), nb::arg("name"),
        "A graph in the memory of the GPU that has the arrays.");
  m.def("gpu_from_csr", &csr_on_gpu, nb::arg("offsets"), nb::arg("indices"),
        nb::arg("weights").none(), nb::arg("sorted").none(), nb::arg("symmetric").none(),
        nb::arg("name"), nb::arg("owner"), "The same; shares what needs no conversion.");
  m.def("dlpack_array", &dlpack_array, nb::arg("array"),
        "(address, length, type, ordinal) of a contiguous array on a GPU; None for others.");
  m.def(
      "home_of",
      [](std::uintptr_t address) {
        return gossamer::gpu_of(reinterpret_cast<const void*>(address));
      },
      nb::arg("address"), "The GPU that memory is of; -1: none.");
  m.def(
      "on_host",
      [](const graph& g) { return run_work([g](work_control&) { return gossamer::on_host(g); }); },
      nb::arg("graph"));
}

}  // namespace gossamer_python
