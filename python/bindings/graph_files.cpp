// Reading and writing graph files, and what reading will take.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <tuple>

#include "arrays.hpp"
#include "gossamer/graph/edge_table.hpp"
#include "gossamer/graph/io.hpp"
#include "gossamer/graph/numbers.hpp"
#include "gossamer/graph/xz_decoder.hpp"
#include "text.hpp"

namespace gossamer_python {

using gossamer::graph;
using gossamer::read_plan;

namespace {

/// Source, target and weight by name; empty: as they are found.
using columns = std::tuple<std::string, std::string, std::string>;

gossamer::column_names named(const columns& given) {
  return {std::get<0>(given), std::get<1>(given), std::get<2>(given)};
}

gossamer::read_options make_options(const std::string& format, bool symmetrize, bool deduplicate,
                                    bool remove_self_loops, int threads, std::int64_t memory,
                                    bool verify_data) {
  gossamer::read_options o;
  o.format =
      format == "auto" ? gossamer::file_format::automatic : gossamer::format_from_name(format);
  o.build.symmetrize = symmetrize;
  o.build.deduplicate = deduplicate;
  o.build.remove_self_loops = remove_self_loops;
  o.build.threads = threads;
  o.threads = threads;
  o.memory_limit = memory;
  o.verify_data = verify_data;
  return o;
}

graph read(const std::filesystem::path& path, const std::string& format, bool symmetrize,
           bool deduplicate, bool remove_self_loops, int threads, std::int64_t memory,
           bool verify_data, progress_function progress, const columns& by_name) {
  auto o = make_options(format, symmetrize, deduplicate, remove_self_loops, threads, memory,
                        verify_data);
  o.columns = named(by_name);
  return run_work(
      [path, o](work_control& c) mutable {
        o.stop = c.stop.get_token();
        o.on_progress = [&c](const gossamer::read_progress& p) {
          c.total.store(p.total, std::memory_order_relaxed);
          c.done.store(p.bytes, std::memory_order_relaxed);
        };
        return gossamer::read_graph(path.string(), o);
      },
      {.progress = std::move(progress)});
}

// Thrown out of on_plan to end a read before anything is taken.
struct plan_seen {};

fields plan_fields(const read_plan& plan) {
  const auto item = [](const auto& i) { return std::make_tuple(i.what, i.bytes); };
  fields out = GOSSAMER_NAMED(plan.vertices, plan.arcs, plan.estimated, plan.weight_bytes,
                              plan.symmetric, plan.limit, plan.limit_source);
  out["items"] = list_of(plan.items, item);
  return out;
}

fields plan_read(const std::filesystem::path& path, const std::string& format, bool symmetrize,
                 bool deduplicate, bool remove_self_loops, int threads, std::int64_t memory,
                 const columns& by_name) {
  auto o = make_options(format, symmetrize, deduplicate, remove_self_loops, threads, memory, true);
  o.columns = named(by_name);
  const read_plan plan = run_work([path, o](work_control& c) mutable {
    read_plan found;
    o.stop = c.stop.get_token();
    o.on_plan = [&found](const read_plan& p) {
      found = p;
      throw plan_seen{};
    };
    try {
      gossamer::read_graph(path.string(), o);
    } catch (const plan_seen&) {  // nothing more is wanted
    }
    return found;
  });
  return plan_fields(plan);
}

void require_python() {
  if (python_has_ended()) throw gossamer::cancelled_error("reading .xz: the interpreter has ended");
}

// Calls decode(more, room) -> (bytes, wants_more); threads of the library do.
gossamer::decoded_part decode_in_python(const std::shared_ptr<void>& decode, std::string_view more,
                                        std::size_t room) {
  require_python();
  nb::gil_scoped_acquire acquire;
  try {
    const nb::handle call(static_cast<PyObject*>(decode.get()));
    const nb::object out = call(nb::bytes(more.data(), more.size()), room);
    const auto bytes = nb::cast<nb::bytes>(out[0]);
    return {{bytes.c_str(), bytes.size()}, nb::cast<bool>(out[1])};
  } catch (const nb::python_error& e) {
    if (e.matches(PyExc_MemoryError)) throw std::bad_alloc();
    throw gossamer::input_error(nb::str(e.value()).c_str());
  }
}

using decoder_maker = stated<
    "collections.abc.Callable[[], collections.abc.Callable[[bytes, int], tuple[bytes, bool]]]">;

void use_xz_decoder(decoder_maker make) {
  if (make.is_none()) return gossamer::use_xz_decoder({});
  gossamer::use_xz_decoder([make = keep_alive(std::move(make))]() -> gossamer::xz_decoder {
    require_python();
    nb::gil_scoped_acquire acquire;
    return [decode = keep_alive(nb::handle(static_cast<PyObject*>(make.get()))())](
               std::string_view more, std::size_t room) {
      return decode_in_python(decode, more, room);
    };
  });
}

using edge_table = std::shared_ptr<gossamer::edge_table>;

void bind_edge_table(nb::module_& m) {
  m.def(
      "edge_columns",
      [](const std::vector<std::string>& names, const columns& by_name) {
        const auto found = gossamer::find_edge_columns(names, named(by_name));
        return std::make_tuple(found.source, found.target, found.weight);
      },
      nb::arg("names"), nb::arg("columns"),
      "(source, target, weight) of columns with these names; -1: none.");
  struct table {
    edge_table edges;
    fields plan;
  };
  nb::class_<table>(m, "EdgeTable", "Edges that come block by block, as readers collect them.")
      .def(
          "__init__",
          [](table* self, const std::filesystem::path& path, std::int64_t edges, int weight_bytes,
             std::int64_t decoding_bytes, bool symmetrize, bool deduplicate, bool remove_self_loops,
             int threads, std::int64_t memory) {
            auto o = make_options("auto", symmetrize, deduplicate, remove_self_loops, threads,
                                  memory, true);
            const auto plan = std::make_shared<read_plan>();
            o.on_plan = [plan](const read_plan& p) { *plan = p; };
            auto made = std::make_shared<gossamer::edge_table>(path.string(), edges, weight_bytes,
                                                               decoding_bytes, o);
            new (self) table{std::move(made), plan_fields(*plan)};
          },
          nb::arg("path"), nb::arg("edges"), nb::arg("weight_bytes"), nb::arg("decoding_bytes"),
          nb::arg("symmetrize"), nb::arg("deduplicate"), nb::arg("remove_self_loops"),
          nb::arg("threads"), nb::arg("memory"))
      .def_ro("plan", &table::plan, "What reading takes at its peak, by the number of edges.")
      .def(
          "append",
          [](table& self, const int64s& sources, const int64s& targets,
             const std::optional<doubles>& weights) {
            const auto u = share<std::int64_t>(sources), v = share<std::int64_t>(targets);
            const auto w = weights ? share<double>(*weights) : gossamer::shared_array<double>();
            run_work([edges = self.edges, u, v, w](work_control&) {
              edges->append({u.data(), u.size()}, {v.data(), v.size()}, {w.data(), w.size()});
            });
          },
          nb::arg("sources"), nb::arg("targets"), nb::arg("weights").none())
      .def(
          "finish",
          [](table& self, std::int64_t vertices) {
            return run_work([edges = self.edges, vertices](work_control& c) {
              return edges->finish(vertices, c.stop.get_token());
            });
          },
          nb::arg("vertices"), "The graph; 0 vertices: ids are any numbers.");
}

}  // namespace

void bind_graph_files(nb::module_& m) {
  bind_edge_table(m);
  m.def("read", &read, nb::arg("path"), nb::arg("format"), nb::arg("symmetrize"),
        nb::arg("deduplicate"), nb::arg("remove_self_loops"), nb::arg("threads"), nb::arg("memory"),
        nb::arg("verify_data"), nb::arg("progress").none(), nb::arg("columns"));
  m.def("plan_read", &plan_read, nb::arg("path"), nb::arg("format"), nb::arg("symmetrize"),
        nb::arg("deduplicate"), nb::arg("remove_self_loops"), nb::arg("threads"), nb::arg("memory"),
        nb::arg("columns"), "The memory that reading takes at its peak; reads no edges.");
  m.def(
      "write",
      [](const graph& g, const std::filesystem::path& path, const std::string& format) {
        const auto f = format == "auto" ? gossamer::file_format::automatic
                                        : gossamer::format_from_name(format);
        // A file that is half written is renamed or removed only by its writer: no abandoning.
        run_work(
            [g, path, f](work_control& c) {
              gossamer::write_graph(g, path.string(), f, c.stop.get_token());
            },
            {.may_abandon = false});
      },
      nb::arg("graph"), nb::arg("path"), nb::arg("format"));
  m.def("use_xz_decoder", &use_xz_decoder, nb::arg("make").none(),
        "make() gives decode(more, room) -> (bytes, wants_more); None: the library's own.");
  m.def("formats", [] {
    return list_of(gossamer::formats(), [](const auto& f) {
      return std::make_tuple(std::string(f.name), std::string(f.title), std::string(f.suffixes),
                             f.reads, f.writes);
    });
  });
  m.def(
      "read_partition",
      [](const std::filesystem::path& path, std::int64_t vertices, int parts) -> int32s {
        auto part_of = run_work([=](work_control& c) {
          return gossamer::read_partition(path.string(), vertices, parts, c.stop.get_token());
        });
        auto owner = std::make_shared<std::vector<std::int32_t>>(std::move(part_of));
        return numpy_view<std::int32_t>(owner->data(), owner->size(), owner);
      },
      nb::arg("path"), nb::arg("vertices"), nb::arg("parts"));
  m.def(
      "read_numbers",
      [](const std::filesystem::path& path, const std::string& name) {
        const auto found = run_work([=](work_control& c) {
          return gossamer::read_numbers(path.string(), name, c.stop.get_token());
        });
        const octets bytes = numpy_view(reinterpret_cast<const std::uint8_t*>(found.bytes.data()),
                                        found.bytes.size(), found.bytes.owner());
        return std::make_tuple(bytes, found.type);
      },
      nb::arg("path"), nb::arg("name"), "(bytes of the numbers, NumPy's name of their type).");
}

}  // namespace gossamer_python
