// What a rank's program does while a wiring runs: send, receive, give back.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <optional>
#include <span>

#include "arrays.hpp"
#include "dataflow.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace gossamer_python {

namespace {

namespace dataflow = gossamer::dataflow;
using dataflow::flow;
using dataflow::link_id;

struct sending {
  flow_handle of;
  dataflow::send_future future;
};

struct segment {
  flow_handle of;
  link_id link;
  dataflow::pending_segment what;
  bool released = false;
  bool of_callback = false;  ///< given back behind the callback
};
using segment_handle = std::shared_ptr<segment>;

// What others did with the segment in a stream of theirs comes before its buffer is written again.
// By default they use the legacy stream, as CuPy and Torch do.
void await(const open_flow& of, std::optional<std::uintptr_t> stream) {
  if (of.ordinal >= 0) synchronize_stream_of(of.ordinal, stream.value_or(1));
}

void release(const segment_handle& self, std::optional<std::uintptr_t> stream) {
  gossamer::require(!self->released, "dataflow: the segment was released already");
  self->of->ask([&](flow& f) {
    await(*self->of, stream);
    if (!self->of_callback) f[self->link].release(self->what);
  });
  self->released = true;
}

/// NumPy's bytes on a CPU rank; (DLPack view, address) on a GPU, of elements of the type.
anything view(const segment& self, int code, int bits) {
  gossamer::require(!self.released, "dataflow: the segment was released; what it held is gone");
  const auto bytes = self.what.bytes();
  auto owner = self.of->memory;
  if (self.of->ordinal < 0)
    return numpy_view(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size(), owner);
  const std::size_t shape[1] = {bytes.size() / static_cast<std::size_t>(bits / 8)};
  const nb::dlpack::dtype type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  return nb::make_tuple(nb::cast(nb::ndarray<nb::array_api>(
                            bytes.data(), 1, shape, owner_capsule(std::move(owner)), nullptr, type,
                            nb::device::cuda::value, self.of->ordinal)),
                        reinterpret_cast<std::uintptr_t>(bytes.data()));
}

sending send(const flow_handle& self, int link, std::uintptr_t address, std::size_t bytes,
             std::size_t element, std::uint64_t tag, int to, std::optional<std::uintptr_t> after) {
  return {self, self->ask([&](flow& f) {
            if (after) await(*self, after);
            const std::span data(reinterpret_cast<const std::byte*>(address), bytes);
            return f[link_id{link}].send_bytes(data, element, {.tag = tag, .to = {to}});
          })};
}

/// None at the end of the stream.
std::optional<segment_handle> receive(const flow_handle& self, int link) {
  const auto found = self->ask([&](flow& f) { return f[link_id{link}].receive().get(); });
  if (found.empty()) return {};
  return std::make_shared<segment>(self, link_id{link}, found);
}

using receiver = stated<"collections.abc.Callable[[Segment], None]">;

void on_receive(const flow_handle& self, int link, const receiver& callback) {
  self->ask([&](flow& f) {
    f[link_id{link}].on_receive([of = self, link, callback = nb::handle(callback)](
                                    const dataflow::pending_segment& arrived) {
      of->call([&] {
        const auto given = std::make_shared<segment>(of, link_id{link}, arrived, false, true);
        callback(given);
        if (!given->released) {
          const nb::gil_scoped_release released;
          await(*of, {});
        }
        given->released = true;
      });
    });
  });
}

}  // namespace

void bind_flow(nb::module_& m) {
  nb::class_<sending>(m, "Sending")
      .def("done",
           [](const sending& s) { return s.of->ask([&](flow&) { return s.future.done(); }); })
      .def("wait", [](const sending& s) { s.of->ask([&](flow&) { s.future.wait(); }); });
  nb::class_<segment>(m, "Segment")
      .def_ro("released", &segment::released)
      .def_prop_ro("usable", [](const segment& s) { return !s.released && s.of->is_open_here(); })
      .def_prop_ro("ordinal", [](const segment& s) { return s.of->ordinal; })
      .def_prop_ro("number", [](const segment& s) { return s.what.what().number; })
      .def_prop_ro("offset", [](const segment& s) { return s.what.what().offset; })
      .def_prop_ro("bytes", [](const segment& s) { return s.what.bytes().size(); })
      .def_prop_ro("total", [](const segment& s) { return s.what.what().total; })
      .def_prop_ro("tag", [](const segment& s) { return s.what.what().tag; })
      .def_prop_ro("source", [](const segment& s) { return s.what.source().index; })
      .def("view", &view, nb::arg("code"), nb::arg("bits"))
      .def("release", &release, nb::arg("stream").none());
  nb::class_<open_flow>(m, "Flow")
      .def_ro("rank", &open_flow::rank)
      .def_ro("ranks", &open_flow::ranks)
      .def_ro("ordinal", &open_flow::ordinal)
      .def(
          "check",
          [](const flow_handle& f, int link) {
            f->ask([&](flow& at) { static_cast<void>(at[link_id{link}]); });
          },
          nb::arg("link"))
      .def("send", &send, nb::arg("link"), nb::arg("address"), nb::arg("bytes"), nb::arg("element"),
           nb::arg("tag"), nb::arg("to"), nb::arg("after").none())
      .def(
          "shutdown",
          [](const flow_handle& f, int link) {
            f->ask([&](flow& at) { at[link_id{link}].shutdown(); });
          },
          nb::arg("link"))
      .def(
          "ready",
          [](const flow_handle& f, int link) {
            return f->ask([&](flow& at) { return at[link_id{link}].receive().ready(); });
          },
          nb::arg("link"))
      .def("receive", &receive, nb::arg("link"))
      .def("on_receive", &on_receive, nb::arg("link"), nb::arg("callback"))
      .def("progress", [](const flow_handle& f) { f->ask([](flow& at) { at.progress(); }); })
      .def("serve", [](const flow_handle& f) { f->ask([](flow& at) { at.serve(); }); })
      .def("finish", [](const flow_handle& f) { f->ask([](flow& at) { at.finish(); }); })
      .def("clock",
           [](const flow_handle& f) { return f->ask([](flow& at) { return at.rank().clock(); }); })
      .def(
          "charge",
          [](const flow_handle& f, double seconds) {
            f->ask([&](flow& at) { at.rank().charge(seconds); });
          },
          nb::arg("seconds"));
}

}  // namespace gossamer_python
