// Messages between the kernels of two ranks: how they lie in a ring, and how one is awaited.
//
// A message is a vertex and a value. With a value of four bytes both are one pair of words, else
// two pairs. The count that a pair carries is the lap of its ring, from 1 on; rings are zeroed
// before a run.
#pragma once

#include "gossamer/collective/termination.hpp"
#include "gossamer/collective/word_pair.hpp"
#include "gossamer/dataflow/worklist/cuda/values.cuh"
#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::dataflow::cuda {

template <class Value>
inline constexpr int message_pairs = sizeof(Value) == 4 ? 1 : 2;

/// Rings have 1 << bits places.
__device__ inline std::uint64_t lap_of(std::uint64_t place, int bits) {
  return word_pair::tag(static_cast<std::uint32_t>((place >> bits) + 1));
}
__device__ inline std::uint64_t turn_of(std::uint64_t place, int bits) {
  return place & ((std::uint64_t{1} << bits) - 1);
}

template <class Value>
__device__ inline void write_message(std::uint64_t* ring, int bits, std::uint64_t place,
                                     std::int32_t vertex, const Value& content) {
  const std::uint64_t lap = lap_of(place, bits);
  std::uint64_t* to = ring + turn_of(place, bits) * 2 * message_pairs<Value>;
  const std::uint64_t word = to_word(content);
  const auto name = static_cast<std::uint64_t>(static_cast<std::uint32_t>(vertex));
  const auto first = word_pair::of(sizeof(Value) == 4 ? name << 32 | word : word, lap);
  device_detail::store_relaxed(to, first.low, first.high);
  if constexpr (message_pairs<Value> == 2) {
    const auto second = word_pair::of(name, lap);
    device_detail::store_relaxed(to + 2, second.low, second.high);
  }
}

/// The data of a pair that is on its way; false: gave up.
__device__ inline bool await_pair(const device_guard& guard, int from, const std::uint64_t* at,
                                  std::uint64_t tag, std::uint64_t& data) {
  device_wait_bound bound(guard, from);
  while (true) {
    word_pair words;
    device_detail::load_relaxed(at, words.low, words.high);
    if (words.arrived(tag)) {
      data = words.data();
      return true;
    }
    if (!bound.expired()) continue;
    bound.give_up(0, 0, tag, words.low);
    return false;
  }
}

/// Waits for a message that was announced; false: gave up.
template <class Value>
__device__ inline bool read_message(const device_guard& guard, int from, const std::uint64_t* ring,
                                    int bits, std::uint64_t place, std::int32_t& vertex,
                                    Value& content) {
  const std::uint64_t lap = lap_of(place, bits);
  const std::uint64_t* at = ring + turn_of(place, bits) * 2 * message_pairs<Value>;
  std::uint64_t first = 0, name = 0;
  if (!await_pair(guard, from, at, lap, first)) return false;
  if constexpr (message_pairs<Value> == 2) {
    if (!await_pair(guard, from, at + 2, lap, name)) return false;
  } else {
    name = first >> 32;
  }
  vertex = static_cast<std::int32_t>(static_cast<std::uint32_t>(name));
  content = from_word<Value>(static_cast<word_of<Value>>(first));
  return true;
}

/// termination_detector's mail between kernels. Reports lie in the receiver's memory, two for each
/// rank, by parity.
///
/// Accesses are relaxed, and a report is whole when its words carry the round. What the detector's
/// proof orders by release and acquire is ordered here by one thread a rank, which counts, posts
/// and fetches in its own order. A count is in a register before the report that carries it is
/// written. A report of round k + 1 is written when those of round k have been read, since their
/// values decide whether it is.
struct kernel_mail {
  const std::uint64_t* mine;
  std::uint64_t* at[most_list_ranks];
  int rank, ranks;

  __device__ void post(int to, std::uint64_t round, const work_report& report) const {
    const std::uint64_t numbers[report_words / 2] = {
        report.created, report.finished, report.repeated,
        static_cast<std::uint64_t>(__double_as_longlong(report.deferred))};
    for (int i = 0; i < report_words / 2; ++i) {
      const auto words = word_pair::of(numbers[i], tag(round));
      device_detail::store_relaxed(at[to] + place(rank, round) + 2 * i, words.low, words.high);
    }
  }
  __device__ bool fetch(int from, std::uint64_t round, work_report& into) const {
    std::uint64_t numbers[report_words / 2];
    for (int i = 0; i < report_words / 2; ++i) {
      word_pair words;
      device_detail::load_relaxed(mine + place(from, round) + 2 * i, words.low, words.high);
      if (!words.arrived(tag(round))) return false;
      numbers[i] = words.data();
    }
    into.created = numbers[0];
    into.finished = numbers[1];
    into.repeated = numbers[2];
    into.deferred = __longlong_as_double(static_cast<long long>(numbers[3]));
    return true;
  }

 private:
  [[nodiscard]] __device__ int place(int from, std::uint64_t round) const {
    return (static_cast<int>(round & 1) * ranks + from) * report_words;
  }
  __device__ static std::uint64_t tag(std::uint64_t round) {
    return word_pair::tag(static_cast<std::uint32_t>(round + 1));
  }
};

}  // namespace gossamer::dataflow::cuda
