// Values by vertex, where a run left them: in host memory, or on a GPU until somebody asks for them
// here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer {

/// Values in the memory of one GPU, in the graph's numbering; whoever has this keeps them there.
struct gpu_values {
  std::shared_ptr<const void> data;
  std::int64_t size = 0;
  int ordinal = -1;
};

/// `Variant`: of shared_array<T>, one alternative for each type that there may be.
template <class Variant>
class result_values {
 public:
  result_values() : result_values(Variant()) {}
  result_values(Variant here) : shared_(std::make_shared<state>()) {  // NOLINT
    shared_->here = std::move(here);
    shared_->type = shared_->here.index();
  }
  template <class T>
  result_values(shared_array<T> here) : result_values(Variant(std::move(here))) {}  // NOLINT
  /// Of `there`, an array of T.
  template <class T>
  static result_values on_gpu(gpu_values there) {
    result_values made;
    made.shared_->here = shared_array<T>();
    made.shared_->type = made.shared_->here.index();
    made.shared_->there = std::move(there);
    made.shared_->away = made.shared_->there.size > 0;
    return made;
  }

  /// In host memory; brought there by the first call. Any thread.
  [[nodiscard]] const Variant& get() const {
    const std::lock_guard mine(shared_->bringing);
    if (std::exchange(shared_->away, false)) {
      try {
        std::visit([&]<class T>(shared_array<T>& here) { here = brought<T>(); }, shared_->here);
      } catch (...) {
        shared_->away = true;
        throw;
      }
    }
    return shared_->here;
  }
  operator const Variant&() const { return get(); }  // NOLINT(google-explicit-constructor)
  /// Where they are on a GPU; no data where they are in host memory alone.
  [[nodiscard]] const gpu_values& there() const { return shared_->there; }
  /// Which alternative, without bringing any.
  [[nodiscard]] std::size_t type() const { return shared_->type; }
  /// An empty array of the same type.
  [[nodiscard]] Variant type_only() const { return of_type<0>(); }

 private:
  struct state {
    std::mutex bringing;
    bool away = false;  ///< on the GPU alone
    std::size_t type = 0;
    Variant here;
    gpu_values there;
  };

  template <std::size_t I>
  [[nodiscard]] Variant of_type() const {
    if constexpr (I + 1 < std::variant_size_v<Variant>)
      if (shared_->type != I) return of_type<I + 1>();
    return Variant(std::in_place_index<I>);
  }

  template <class T>
  [[nodiscard]] shared_array<T> brought() const {
    const gpu_values& from = shared_->there;
    auto here = make_array<T>(static_cast<std::size_t>(from.size));
    read_elements(static_cast<const T*>(from.data.get()), here.size(),
                  [&](std::size_t first, std::span<const T> some) {
                    std::copy(some.begin(), some.end(), here.data() + first);
                  });
    return here;
  }

  std::shared_ptr<state> shared_;
};

}  // namespace gossamer
