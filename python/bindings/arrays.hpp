// Arrays across the border: NumPy views of C++ memory, and C++ views of Python's.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>

#include "bindings.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shared_array.hpp"
#include "work.hpp"

namespace gossamer_python {

/// A capsule that holds a share of `owner`.
inline nb::capsule owner_capsule(std::shared_ptr<void> owner) {
  return nb::capsule(new std::shared_ptr<void>(std::move(owner)),
                     [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
}

/// One-dimensional NumPy array over the same memory; read-only when T is const.
template <class T>
nb::object numpy_view(T* data, std::size_t n, std::shared_ptr<void> owner) {
  static std::remove_const_t<T> nothing{};  // empty arrays need an address too
  const std::size_t shape[1] = {n};
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(n == 0 ? &nothing : data, 1, shape,
                                                         owner_capsule(std::move(owner))));
}
template <class T>
nb::object numpy_view(const gossamer::shared_array<T>& a) {
  return numpy_view<T>(a.data(), a.size(), a.owner());
}
template <class T>
nb::object numpy_constant_view(const gossamer::shared_array<T>& a) {
  return numpy_view<const T>(a.data(), a.size(), a.owner());
}

/// The memory of a contiguous one-dimensional host array, shared; the Python object stays alive.
template <class T>
gossamer::shared_array<T> share(const nb::object& array) {
  using view = nb::ndarray<nb::ro, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  view v;
  if (!nb::try_cast<view>(array, v, /*convert=*/false))
    throw gossamer::usage_error("expected a contiguous one-dimensional array of another type");
  // Graphs are immutable: nothing writes through this pointer.
  return {const_cast<T*>(v.data()), v.size(), keep_alive(array)};
}

/// True when `array` is a contiguous one-dimensional host array of T.
template <class T>
bool holds(const nb::object& array) {
  using view = nb::ndarray<nb::ro, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  view v;
  return nb::try_cast<view>(array, v, false);
}

/// Memory of any device as an object with __dlpack__ and __dlpack_device__. `ordinal` < 0: host.
anything dlpack_view(void* data, std::size_t n, nb::dlpack::dtype type, int ordinal,
                     std::shared_ptr<void> owner);

}  // namespace gossamer_python
