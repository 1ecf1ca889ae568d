// Inputs of a collective whose outputs are known, and what is wrong with outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gossamer/collective/schedule.hpp"

namespace gossamer::known_elements {

using element = double;

/// What a rank brings: whole numbers below 2^20, whose sums are exact in any order. They look
/// drawn, so that elements that change places, and those of another round, are seen.
inline element input_of(int rank, std::size_t i, int round) {
  std::uint64_t x = (static_cast<std::uint64_t>(rank) << 40) ^
                    (static_cast<std::uint64_t>(round) << 56) ^ (i + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;  // splitmix64 (Steele, Lea, Flood 2014)
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<element>(((x ^ (x >> 31)) >> 44) + 1);
}

/// What an operation with root 0 leaves at element i of a rank, by its definition.
inline element output_of(const collective_request& q, int rank, std::size_t i, int round) {
  using op = collective_op;
  const std::size_t n = q.count, r = static_cast<std::size_t>(rank);
  const auto sum = [&](std::size_t at) {
    element all = 0;
    for (int k = 0; k < q.ranks; ++k) all += input_of(k, at, round);
    return all;
  };
  const auto from = [&](std::size_t at) {
    return input_of(static_cast<int>(i / n), at + i % n, round);
  };
  switch (q.op) {
    case op::broadcast:
      return input_of(0, i, round);
    case op::scatter:
      return input_of(0, r * n + i, round);
    case op::gather:
    case op::allgather:
      return from(0);
    case op::reduce:
    case op::allreduce:
      return sum(i);
    case op::reduce_scatter:
      return sum(r * n + i);
    case op::all_to_all:
    case op::all_to_all_v:
      return from(r * n);
    case op::barrier:
      break;
  }
  return 0;
}

/// The first element of a rank's output that is not what the operation leaves there; or empty.
inline std::string wrong_element(const collective_request& q, int rank, int round,
                                 std::span<const element> output) {
  for (std::size_t i = 0; i < output.size(); ++i)
    if (const element want = output_of(q, rank, i, round); output[i] != want)
      return "element " + std::to_string(i) + " of rank " + std::to_string(rank) + " is " +
             std::to_string(output[i]) + ", not " + std::to_string(want);
  return {};
}

}  // namespace gossamer::known_elements
