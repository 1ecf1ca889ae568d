// Device side of guard.hpp: loads and stores of words that other threads change, and what bounds a
// kernel's waits. They are PTX, not libcu++: programs that are compiled at run time have these
// headers as text, and no others (algorithm/vertex_program).
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer {

namespace device_detail {

/// A word of four or eight bytes, or another type of that size, as PTX takes it.
template <class T>
union word_bits {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  T value;
  std::uint32_t narrow;
  std::uint64_t wide;
};

#define GOSSAMER_DEVICE_LOAD(name, how)                                                    \
  template <class T>                                                                       \
  __device__ inline T name(const T* word) {                                                \
    word_bits<T> bits;                                                                     \
    if constexpr (sizeof(T) == 4)                                                          \
      asm volatile("ld." how ".u32 %0, [%1];" : "=r"(bits.narrow) : "l"(word) : "memory"); \
    else                                                                                   \
      asm volatile("ld." how ".u64 %0, [%1];" : "=l"(bits.wide) : "l"(word) : "memory");   \
    return bits.value;                                                                     \
  }
#define GOSSAMER_DEVICE_STORE(name, how)                                                 \
  template <class T>                                                                     \
  __device__ inline void name(T* word, T value) {                                        \
    word_bits<T> bits;                                                                   \
    bits.value = value;                                                                  \
    if constexpr (sizeof(T) == 4)                                                        \
      asm volatile("st." how ".u32 [%0], %1;" ::"l"(word), "r"(bits.narrow) : "memory"); \
    else                                                                                 \
      asm volatile("st." how ".u64 [%0], %1;" ::"l"(word), "l"(bits.wide) : "memory");   \
  }

// Of the whole system, unless the name says otherwise.
GOSSAMER_DEVICE_LOAD(load_acquire, "acquire.sys")
GOSSAMER_DEVICE_LOAD(load_relaxed, "relaxed.sys")
GOSSAMER_DEVICE_LOAD(load_acquire_on_device, "acquire.gpu")
GOSSAMER_DEVICE_LOAD(load_relaxed_on_device, "relaxed.gpu")
GOSSAMER_DEVICE_LOAD(load_relaxed_in_block, "relaxed.cta")
GOSSAMER_DEVICE_STORE(store_release, "release.sys")
GOSSAMER_DEVICE_STORE(store_relaxed, "relaxed.sys")
GOSSAMER_DEVICE_STORE(store_release_on_device, "release.gpu")
#undef GOSSAMER_DEVICE_LOAD
#undef GOSSAMER_DEVICE_STORE

/// Acquire and release; returns the word before.
__device__ inline std::uint32_t fetch_add_on_device(std::uint32_t* word, std::uint32_t operand) {
  std::uint32_t before;
  asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(word), "r"(operand)
               : "memory");
  return before;
}

/// The same over the whole system: kernels of several GPUs that change one word. Not for host
/// memory.
__device__ inline std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t operand) {
  std::uint64_t before;
  asm volatile("atom.acq_rel.sys.add.u64 %0, [%1], %2;"
               : "=l"(before)
               : "l"(word), "l"(operand)
               : "memory");
  return before;
}
/// Stores `desired` if the word was `expected`.
__device__ inline std::uint64_t compare_and_swap(std::uint64_t* word, std::uint64_t expected,
                                                 std::uint64_t desired) {
  std::uint64_t before;
  asm volatile("atom.acq_rel.sys.cas.b64 %0, [%1], %2, %3;"
               : "=l"(before)
               : "l"(word), "l"(expected), "l"(desired)
               : "memory");
  return before;
}

/// Two words at once, 16-byte aligned: one transaction, each word whole, no order between the two.
__device__ inline void store_relaxed(std::uint64_t* words, std::uint64_t a, std::uint64_t b) {
  asm volatile("st.relaxed.sys.v2.u64 [%0], {%1, %2};" ::"l"(words), "l"(a), "l"(b) : "memory");
}
__device__ inline void load_relaxed(const std::uint64_t* words, std::uint64_t& a,
                                    std::uint64_t& b) {
  asm volatile("ld.relaxed.sys.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(words) : "memory");
}

__device__ inline std::uint64_t global_timer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

}  // namespace device_detail

/// Bounds one wait of one thread. Not copyable across threads; lives in registers.
class device_wait_bound {
 public:
  __device__ device_wait_bound(const device_guard& guard, int from) : guard_(guard), from_(from) {}
  /// Called after every failed poll. True = give up now.
  __device__ bool expired() {
    if ((++polls_ & 1023) != 0) return false;
    using namespace device_detail;
    if (load_relaxed(&guard_.abort->state) != 0) return true;
    if (load_relaxed(&guard_.boards[guard_.rank].failed) != 0) return true;
    const std::uint64_t now = global_timer(), beat = beats();
    if (since_ == 0 || beat != last_) {
      since_ = now;
      last_ = beat;
      return false;
    }
    return now - since_ > guard_.deadline_ns;
  }
  /// Another rank is waited for.
  __device__ void blame(int from) { from_ = from; }
  /// Writes the rank's board: who was waited for, on what. Plain stores, `failed` last.
  __device__ void give_up(std::uint32_t window, std::uint64_t index, std::uint64_t wanted,
                          std::uint64_t seen) const {
    using namespace device_detail;
    rank_board& board = guard_.boards[guard_.rank];
    store_relaxed(&board.peer, static_cast<std::int32_t>(from_));
    store_relaxed(&board.window, window);
    store_relaxed(&board.signal, index);
    store_relaxed(&board.wanted, wanted);
    store_relaxed(&board.seen, seen);
    store_release(&board.failed, std::uint32_t{1});
  }

 private:
  struct relaxed {
    template <class T>
    __device__ T operator()(const T& word) const {
      return device_detail::load_relaxed(&word);
    }
  };
  __device__ std::uint64_t beats() const {
    return chain_of_beats(guard_.boards, guard_.ranks, guard_.rank, from_, relaxed{});
  }
  const device_guard& guard_;
  int from_;
  std::uint32_t polls_ = 0;
  std::uint64_t since_ = 0, last_ = 0;
};

}  // namespace gossamer
