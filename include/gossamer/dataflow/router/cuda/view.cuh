// A device router as kernels see it: blocks send segments, receive and release them. The contract
// is at the head of dataflow/device_router.cuh, the protocol at that of router/buffer_words.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/dataflow/router/buffer_words.hpp"
#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::dataflow {

inline constexpr int most_router_ranks = 16;
inline constexpr int most_router_buffers = 64;  ///< of a destination: a bit each

/// Ranks in an order: a router's destinations, and what a policy makes of them.
class rank_list {
 public:
  [[nodiscard]] GOSSAMER_HD int size() const { return size_; }
  GOSSAMER_HD int operator[](int i) const { return ranks_[i]; }
  /// What finds no room is left out.
  GOSSAMER_HD void push(int rank) {
    if (size_ < most_router_ranks) ranks_[size_++] = rank;
  }

 private:
  int size_ = 0;
  int ranks_[most_router_ranks] = {};
};

/// What a policy and a receiver know of a segment beside its bytes.
struct routed_segment {
  std::int32_t source = 0;   ///< the rank that sent it
  std::uint32_t number = 0;  ///< among the segments of that rank, in order of their beginnings
  std::uint64_t offset = 0;  ///< where it begins in what the block sent, bytes
  std::uint64_t bytes = 0;
  std::uint64_t tag = 0;  ///< the program's own
};

/// Apart from routing_policy.hpp, where functions of these names make policies for hosts.
namespace device_policy {

/// All destinations, whichever has a free buffer first. The list begins with another one for each
/// segment, so that those that keep up get alike.
struct any_device {
  __device__ void operator()(const routed_segment& what, int source, const rank_list& destinations,
                             rank_list& possible) const {
    const auto n = static_cast<unsigned>(destinations.size());
    for (unsigned i = 0; i < n; ++i)
      possible.push(destinations[static_cast<int>(
          (static_cast<unsigned>(source) % n + what.number % n + i) % n)]);
  }
};
/// The destinations in turns, whether they have a free buffer or not; sources begin with different
/// ones.
struct round_robin {
  __device__ void operator()(const routed_segment& what, int source, const rank_list& destinations,
                             rank_list& possible) const {
    const auto n = static_cast<unsigned>(destinations.size());
    possible.push(
        destinations[static_cast<int>((static_cast<unsigned>(source) % n + what.number % n) % n)]);
  }
};

}  // namespace device_policy

/// A segment in a receive buffer, which is the block's until it is released.
class received_segment {
 public:
  received_segment() = default;
  __device__ received_segment(const routed_segment& what, std::byte* data, int buffer)
      : what_(what), data_(data), buffer_(buffer) {}
  [[nodiscard]] __device__ const routed_segment& what() const { return what_; }
  /// The bytes as elements, free to be changed; a rest smaller than one is left out.
  template <class T>
  [[nodiscard]] __device__ T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  [[nodiscard]] __device__ std::size_t count() const {
    return static_cast<std::size_t>(what_.bytes / sizeof(T));
  }
  [[nodiscard]] __device__ int buffer() const { return buffer_; }

 private:
  routed_segment what_;
  std::byte* data_ = nullptr;
  int buffer_ = 0;
};

namespace router_detail {

struct device_atomics {
  __device__ static std::uint64_t load_relaxed(const std::uint64_t& word) {
    return device_detail::load_relaxed(&word);
  }
  __device__ static std::uint64_t load_acquire(const std::uint64_t& word) {
    return device_detail::load_acquire(&word);
  }
  __device__ static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t operand) {
    return device_detail::fetch_add(&word, operand);
  }
  __device__ static std::uint64_t compare_and_swap(std::uint64_t& word, std::uint64_t expected,
                                                   std::uint64_t desired) {
    return device_detail::compare_and_swap(&word, expected, desired);
  }
};

/// What a rank's window begins with. Those of destinations go on with what is known of the segment
/// in each buffer, and with the buffers.
struct rank_memory {
  buffer_words words;       ///< others change them, too
  std::uint32_t sent;       ///< segments that blocks of this rank have begun
  std::uint32_t shut_down;  ///< blocks of this rank
};
inline constexpr std::size_t buffer_alignment = 128;
GOSSAMER_HD constexpr std::size_t in_lines(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// Where these lie. `segment`: bytes of a buffer, whole lines; `buffers`: of each destination.
struct router_places {
  std::size_t segment = 0, buffers = 0;

  [[nodiscard]] GOSSAMER_HD std::size_t notes() const { return sizeof(rank_memory); }
  [[nodiscard]] GOSSAMER_HD std::size_t data() const {
    return notes() + in_lines(buffers * sizeof(routed_segment));
  }
  /// Of a destination; another rank has `notes()`.
  [[nodiscard]] GOSSAMER_HD std::size_t bytes() const { return data() + buffers * segment; }
  /// What `free` begins with; the rest of rank_memory begins with zeros.
  [[nodiscard]] GOSSAMER_HD std::uint64_t all_free() const {
    return ~std::uint64_t{0} >> (most_router_buffers - buffers);
  }
};

}  // namespace router_detail

/// Trivially copyable, passed to kernels by value (best as __grid_constant__). All threads of a
/// block call each function together, with the same arguments.
template <class Policy>
class device_router_view {
 public:
  /// Sends n elements, each of 16 bytes or less, in as many segments as they need (one, if n is 0).
  /// Each goes into a free buffer of the first candidate that has one. `data` may be in shared
  /// memory, may have been written by any thread of the block just before, and may be overwritten
  /// on return. False: the run is being aborted, and the block should leave.
  template <class T>
  __device__ bool send(const T* data, std::size_t n, std::uint64_t tag = 0) const {
    static_assert(sizeof(T) <= 16);
    const std::size_t most = places_.segment / sizeof(T);
    std::size_t first = 0;
    do {
      const std::size_t here = n - first < most ? n - first : most;
      if (!send_segment(data + first, here, first * sizeof(T), tag)) return false;
      first += here;
    } while (first < n);
    return true;
  }

  /// The next segment for this rank, whichever of its blocks asks. False: the stream has ended, or
  /// the run is being aborted; either way the block should leave.
  __device__ bool receive(received_segment& into) const {
    __shared__ int found;
    if (threadIdx.x == 0) found = await_segment();
    __syncthreads();
    const int buffer = found;
    __syncthreads();  // the next call writes it
    if (buffer < 0) return false;
    // The first thread acquired both, and the block's barrier passes that on to the others.
    std::byte* const mine = at_[guard_.rank];
    into = received_segment(note_at(mine)[buffer], data_at(mine, buffer), buffer);
    return true;
  }
  /// Gives the buffer back, once for each segment that was received.
  __device__ void release(const received_segment& s) const {
    __syncthreads();  // all threads have read it
    if (threadIdx.x == 0)
      router_detail::give_buffer<atomics>(memory(guard_.rank).words.free.bits, s.buffer());
  }

  /// Once by each of the source's sending blocks, as the last that it sends. The last of them tells
  /// all destinations. Its addition on the device acquires what the others released, and so their
  /// segments come before the end for whoever sees it.
  __device__ void shutdown() const {
    if (threadIdx.x != 0) return;
    const std::uint32_t before =
        device_detail::fetch_add_on_device(&memory(guard_.rank).shut_down, 1);
    if (before + 1 != sending_blocks_) return;
    for (int i = 0; i < destinations_.size(); ++i)
      router_detail::end_source<atomics>(memory(destinations_[i]).words);
  }

  [[nodiscard]] __device__ const rank_list& destinations() const { return destinations_; }

  /// By the host: `guard`, `window`: as waits report them. `destinations`: of all sources alike.
  device_router_view(const Policy& by, router_detail::router_places places,
                     const device_guard& guard, std::uint32_t window, const rank_list& destinations,
                     int sources, unsigned sending_blocks)
      : guard_(guard),
        by_(by),
        places_(places),
        destinations_(destinations),
        window_(window),
        sources_(static_cast<std::uint64_t>(sources)),
        sending_blocks_(sending_blocks) {}
  /// By the host: where the window of a rank lies, as this rank addresses it.
  void reach(int rank, std::byte* window) { at_[rank] = window; }

 private:
  using atomics = router_detail::device_atomics;

  template <class T>
  __device__ bool send_segment(const T* data, std::size_t n, std::size_t offset,
                               std::uint64_t tag) const {
    __shared__ int to, buffer;
    routed_segment what;  // the first thread's
    if (threadIdx.x == 0) {
      what.source = guard_.rank;
      what.number = device_detail::fetch_add_on_device(&memory(guard_.rank).sent, 1);
      what.offset = offset;
      what.bytes = n * sizeof(T);
      what.tag = tag;
      buffer = claim(what, to);
    }
    __syncthreads();
    const int there = to, which = buffer;
    __syncthreads();  // the next call writes them
    if (which < 0) return false;
    T* const into = reinterpret_cast<T*>(data_at(at_[there], which));
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) into[i] = data[i];
    // The barrier orders all threads' stores before the first one's release.
    __syncthreads();
    if (threadIdx.x == 0) {
      note_at(at_[there])[which] = what;
      router_detail::give_buffer<atomics>(memory(there).words.full.bits, which);
    }
    return true;
  }

  /// A buffer of one of the policy's candidates, which is asked anew as long as none has one.
  __device__ int claim(const routed_segment& what, int& to) const {
    device_wait_bound bound(guard_, -1);
    while (true) {
      rank_list possible;
      by_(what, guard_.rank, destinations_, possible);
      for (int i = 0; i < possible.size(); ++i) {
        to = possible[i];
        const int which = router_detail::take_buffer<atomics>(memory(to).words.free.bits);
        if (which >= 0) return which;
      }
      bound.blame(possible.size() == 1 ? possible[0] : -1);
      if (!bound.expired()) continue;
      bound.give_up(window_, 0, 1, 0);
      return router_detail::nothing_there;
    }
  }
  __device__ int await_segment() const {
    device_wait_bound bound(guard_, -1);
    router_detail::buffer_words& mine = memory(guard_.rank).words;
    while (true) {
      const int which = router_detail::take_segment<atomics>(mine, sources_);
      if (which != router_detail::nothing_there) return which;
      if (!bound.expired()) continue;
      bound.give_up(window_, 1, sources_, device_detail::load_relaxed(&mine.ended.bits));
      return which;
    }
  }

  [[nodiscard]] __device__ router_detail::rank_memory& memory(int rank) const {
    return *reinterpret_cast<router_detail::rank_memory*>(at_[rank]);
  }
  [[nodiscard]] __device__ routed_segment* note_at(std::byte* window) const {
    return reinterpret_cast<routed_segment*>(window + places_.notes());
  }
  [[nodiscard]] __device__ std::byte* data_at(std::byte* window, int buffer) const {
    return window + places_.data() + static_cast<std::size_t>(buffer) * places_.segment;
  }

  device_guard guard_;
  Policy by_;
  router_detail::router_places places_;
  rank_list destinations_;
  std::byte* at_[most_router_ranks] = {};  ///< by rank; destinations and this one
  std::uint32_t window_;
  std::uint64_t sources_;
  std::uint32_t sending_blocks_;
};

}  // namespace gossamer::dataflow
