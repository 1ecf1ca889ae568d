// What tests of device routers run on GPUs and on their emulator: sources send numbers, receivers
// count how often each has come.
#pragma once

#include <cstdint>

#include "gossamer/dataflow/router/cuda/view.cuh"

namespace gossamer::dataflow::testing_router {

inline constexpr unsigned most_sent = 1500;  ///< numbers of a message

/// Never the source itself, where there is another.
struct to_others {
  __device__ void operator()(const routed_segment& what, int source, const rank_list& destinations,
                             rank_list& possible) const {
    rank_list all;
    device_policy::any_device{}(what, source, destinations, all);
    for (int i = 0; i < all.size(); ++i)
      if (all[i] != source || all.size() == 1) possible.push(all[i]);
  }
};

/// One rank's part. Pointers lead to its own memory.
struct number_work {
  std::uint32_t first = 0, count = 0;  ///< it sends these
  std::uint32_t message = 1;           ///< … so many at a time
  unsigned sending = 0;                ///< its first blocks are senders
  bool after_own = false;              ///< its receivers begin when the first sender has sent
  std::uint32_t* seen = nullptr;       ///< by number
  std::uint32_t* segments = nullptr;   ///< what came, then what was not as it should, then a gate
};

template <class View>
__device__ void send_numbers(const View& route, const number_work& w) {
  __shared__ std::uint32_t some[most_sent];
  for (std::uint32_t at = blockIdx.x * w.message; at < w.count; at += w.sending * w.message) {
    const std::uint32_t n = w.count - at < w.message ? w.count - at : w.message;
    for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) some[i] = w.first + at + i;
    if (!route.send(some, n, w.first + at)) return;
  }
  if (threadIdx.x == 0 && blockIdx.x == 0)
    device_detail::store_release(w.segments + 2, std::uint32_t{1});
  route.shutdown();
}

template <class View>
__device__ void receive_numbers(const View& route, const number_work& w) {
  // Bounded, so that a test that goes wrong ends.
  if (w.after_own && threadIdx.x == 0)
    for (int i = 0; i < 1 << 24 && device_detail::load_acquire(w.segments + 2) == 0; ++i) continue;
  received_segment s;
  while (route.receive(s)) {
    const auto first = static_cast<std::uint32_t>(s.what().tag + s.what().offset / 4);
    for (std::size_t i = threadIdx.x; i < s.count<std::uint32_t>(); i += blockDim.x) {
      const std::uint32_t number = s.as<std::uint32_t>()[i];
      if (number == first + i)
        atomicAdd(w.seen + number, 1u);
      else
        atomicAdd(w.segments + 1, 1u);
    }
    route.release(s);
    if (threadIdx.x == 0) atomicAdd(w.segments, 1u);
  }
}

template <class View>
__device__ void route_numbers(const View& route, const number_work& w) {
  if (blockIdx.x < w.sending)
    send_numbers(route, w);
  else
    receive_numbers(route, w);
}

}  // namespace gossamer::dataflow::testing_router
