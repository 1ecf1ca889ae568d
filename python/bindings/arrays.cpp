// Arrays on GPUs: copies to the host, and views that others take by DLPack.
#include "arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>

#include "gossamer/machine/memory.hpp"
#include "streams.hpp"

namespace gossamer_python {

namespace {

using byte_array = gossamer::shared_array<std::uint8_t>;

byte_array copy_from(const void* data, std::size_t n) {
  byte_array host(n);
  gossamer::copy_bytes(host.data(), data, n);
  return host;
}

// The producer has ordered its work before the legacy default stream (DLPack, stream=None), which
// a synchronous copy waits for.
std::tuple<octets, int, int> dlpack_to_host(const anything& array) {
  using view = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>;
  view v;
  if (!nb::try_cast<view>(array, v, false))
    throw gossamer::usage_error("expected a contiguous one-dimensional array");
  const auto type = v.dtype();
  const void* data = v.data();
  const std::size_t n = v.nbytes();
  byte_array host =
      run_work([=](work_control&) { return copy_from(data, n); }, {.may_abandon = false});
  return {numpy_view(host), static_cast<int>(type.code), static_cast<int>(type.bits)};
}

octets pointer_to_host(std::uintptr_t pointer, std::size_t n, std::optional<std::uintptr_t> on) {
  byte_array host = run_work(
      [=](work_control&) {
        if (on) synchronize_stream(*on);
        return copy_from(reinterpret_cast<const void*>(pointer), n);
      },
      {.may_abandon = false});
  return numpy_view(host);
}

}  // namespace

// A consumer may let go of an array while its kernels still read it, and a search reuses the memory
// of results nobody holds: what has been handed out returns only after the GPU's work so far.
static std::shared_ptr<void> returned_when_idle(int ordinal, std::shared_ptr<void> owner) {
  void* address = owner.get();
  return {address, [ordinal, owner = std::move(owner)](void*) mutable {
            if (nb::is_alive()) {
              const nb::gil_scoped_acquire held;  // as it may be already: the stable ABI cannot ask
              const without_gil released;
              synchronize_device(ordinal);
            } else {
              synchronize_device(ordinal);
            }
            owner.reset();
          }};
}

anything dlpack_view(void* data, std::size_t n, nb::dlpack::dtype type, int ordinal,
                     std::shared_ptr<void> owner) {
  const std::size_t shape[1] = {n};
  if (ordinal >= 0) owner = returned_when_idle(ordinal, std::move(owner));
  return nb::cast(nb::ndarray<nb::array_api>(
      data, 1, shape, owner_capsule(std::move(owner)), nullptr, type,
      ordinal < 0 ? nb::device::cpu::value : nb::device::cuda::value, ordinal < 0 ? 0 : ordinal));
}

void bind_arrays(nb::module_& m) {
  m.def("dlpack_to_host", &dlpack_to_host, nb::arg("array"),
        "(uint8 array, DLPack type code, bits): a copy of an array on any device.");
  m.def("pointer_to_host", &pointer_to_host, nb::arg("pointer"), nb::arg("bytes"),
        nb::arg("stream").none(),
        "A copy of device memory, after the work submitted to `stream` (None: no wait).");
  m.def(
      "upload",
      [](const numbers& array, int ordinal) {
        using view = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
        view v;
        if (!nb::try_cast<view>(array, v, false))
          throw gossamer::usage_error("expected a contiguous one-dimensional host array");
        const void* data = v.data();
        const std::size_t n = v.nbytes();
        using block = gossamer::buffer<std::uint8_t>;
        auto there = run_work(
            [=](work_control&) {
              auto b = std::make_shared<block>(gossamer::memory_kind::device, ordinal, n);
              gossamer::copy_bytes(b->data(), data, n);
              return b;
            },
            {.may_abandon = false});
        const auto address = reinterpret_cast<std::uintptr_t>(there->data());
        return std::make_tuple(dlpack_view(there->data(), v.size(), v.dtype(), ordinal, there),
                               address);
      },
      nb::arg("array"), nb::arg("ordinal"), "(DLPack view, address) of a copy on a GPU.");
}

}  // namespace gossamer_python
