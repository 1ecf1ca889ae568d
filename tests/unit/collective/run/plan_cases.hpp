// One collective against a sequential reference: any algorithm, type, reduction, root and homes of
// buffers, several epochs back to back with changing inputs. For plans on every kind of machine.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "unit/collective/run/plan_variants.hpp"

namespace gossamer::plan_cases {

/// Rank r's input element i in an epoch: small integers, so that sums of floats are exact in any
/// order and only the right elements give the right result.
template <class T>
T input_of(int rank, std::size_t i, int epoch) {
  const std::size_t x =
      (static_cast<std::size_t>(rank) * 31 + i * 7 + static_cast<std::size_t>(epoch) * 13) % 1021;
  return static_cast<T>(x + 1);
}

template <class T>
T reduce_at(int p, std::size_t i, int epoch, reduction how) {
  T sum = input_of<T>(0, i, epoch);
  for (int r = 1; r < p; ++r) {
    const T x = input_of<T>(r, i, epoch);
    if (how == reduction::sum) sum = static_cast<T>(sum + x);
    if (how == reduction::min) sum = std::min(sum, x);
    if (how == reduction::max) sum = std::max(sum, x);
    if constexpr (std::is_integral_v<T>)
      if (how == reduction::bit_or) sum = static_cast<T>(sum | x);
  }
  return sum;
}

/// Rank `self`'s whole output, computed from everybody's inputs.
template <class T>
std::vector<T> reference(collective_op op, int p, int self, const variant& v, int epoch) {
  std::vector<T> out;
  const auto add = [&](int from, std::size_t begin, std::size_t n) {
    for (std::size_t i = begin; i < begin + n; ++i) out.push_back(input_of<T>(from, i, epoch));
  };
  const auto add_reduced = [&](std::size_t begin) {
    for (std::size_t i = begin; i < begin + v.count; ++i)
      out.push_back(reduce_at<T>(p, i, epoch, v.how));
  };
  const std::size_t mine = static_cast<std::size_t>(self) * v.count;
  switch (op) {
    case collective_op::broadcast:
      add(v.root, 0, v.count);
      break;
    case collective_op::scatter:
      add(v.root, mine, v.count);
      break;
    case collective_op::gather:
      if (self != v.root) break;
      [[fallthrough]];
    case collective_op::allgather:
      for (int r = 0; r < p; ++r) add(r, 0, v.count);
      break;
    case collective_op::reduce:
      if (self != v.root) break;
      [[fallthrough]];
    case collective_op::allreduce:
      add_reduced(0);
      break;
    case collective_op::reduce_scatter:
      add_reduced(mine);
      break;
    case collective_op::all_to_all:
      for (int r = 0; r < p; ++r) add(r, mine, v.count);
      break;
    case collective_op::all_to_all_v:
      for (int r = 0; r < p; ++r) {
        std::size_t begin = 0;
        for (int to = 0; to < self; ++to) begin += pair_count(v, r, to);
        add(r, begin, pair_count(v, r, self));
      }
      break;
    case collective_op::barrier:
      break;
  }
  return out;
}

inline bool has_root(collective_op op) {
  return op == collective_op::broadcast || op == collective_op::scatter ||
         op == collective_op::gather || op == collective_op::reduce;
}

/// A plan of any operation.
template <class T>
collective_plan make_plan(rank& r, collective_op op, std::span<const T> in, output_range<T> out,
                          const variant& v, const plan_options& options) {
  plan_options complete = options;
  if (op == collective_op::all_to_all_v)
    for (int to = 0; to < r.size(); ++to) complete.counts.push_back(pair_count(v, r.id(), to));
  return plan_collective<T>(r, op, v.root, op == collective_op::all_to_all_v ? 0 : v.count, in, out,
                            v.how, complete);
}

/// Runs `v.epochs` epochs and returns what was wrong first, or nothing.
template <class T>
std::string wrong_in(rank& r, const algorithm_info& a, const variant& v) {
  const int p = r.size(), self = r.id();
  collective_request q;
  q.op = a.op;
  q.ranks = p;
  q.root = v.root;
  q.count = v.count;
  q.in_place = v.in_place;
  if (a.op == collective_op::all_to_all_v) q.pair_count = pairs_of(v);
  const schedule shape(q, a.name);
  const std::size_t in_size = shape.input_size(self), out_size = shape.output_size(self);
  const bool rooted = has_root(a.op);
  // Broadcast has one buffer; in all_to_all_v the two differ in size.
  const bool alias =
      a.op == collective_op::broadcast ||
      (v.in_place && (!rooted || self == v.root) && a.op != collective_op::all_to_all_v);

  const std::size_t whole = alias ? std::max(in_size, out_size) : out_size, margin = 2;
  const homes at_home = homes_of(v, self);
  window<T> w;
  std::span<T> out;
  if (v.windowed) {
    w = r.make_window<T>(whole + margin, at_home.output);
    out = w.local().subspan(margin);
  } else {
    out = r.scratch<T>(whole, at_home.output);
  }
  const std::size_t at = alias ? shape.in_place_offset(self) : 0;
  std::span<T> in = alias ? out : r.scratch<T>(in_size, at_home.input);
  std::size_t out_at = 0;
  if (alias && in_size < out_size) in = out.subspan(at, in_size);
  if (alias && out_size < in_size) {
    out_at = at;
    out = out.subspan(at, out_size);
  }
  plan_options options;
  options.algorithm = a.name;
  options.segments = v.segments;
  options.runner = a.host_scratch ? plan_runner::steps : v.runner;
  if (v.mapped)
    for (int i = 0; i < p; ++i) options.mapping.push_back(p - 1 - i);
  output_range<T> target(out);
  if (v.windowed) target = output_range<T>(w, margin + out_at, out_size);
  auto plan = make_plan<T>(r, a.op, in, target, v, options);

  std::vector<T> host;
  for (int epoch = 1; epoch <= v.epochs; ++epoch) {
    host.resize(in_size);
    for (std::size_t i = 0; i < in_size; ++i) host[i] = input_of<T>(self, i, epoch);
    if (in_size != 0) copy_bytes(in.data(), host.data(), in_size * sizeof(T));
    plan.start();
    plan.wait();
    r.synchronize();
    host.resize(out_size);
    if (out_size != 0) copy_bytes(host.data(), out.data(), out_size * sizeof(T));
    const auto right = reference<T>(a.op, p, self, v, epoch);
    for (std::size_t i = 0; i < out_size; ++i)
      if (i >= right.size() || host[i] != right[i])
        return std::string(name_of(a.op)) + ' ' + std::string(a.name) + " of " + std::to_string(p) +
               ", rank " + std::to_string(self) + ", epoch " + std::to_string(epoch) +
               ", element " + std::to_string(i) + " of " + std::to_string(out_size);
  }
  return {};
}

/// wrong_in for the i-th of the six types.
inline std::string wrong_in_type(int type, rank& r, const algorithm_info& a, variant v) {
  if (type >= 4 && v.how == reduction::bit_or) v.how = reduction::max;
  switch (type) {
    case 0:
      return wrong_in<std::int32_t>(r, a, v);
    case 1:
      return wrong_in<std::uint32_t>(r, a, v);
    case 2:
      return wrong_in<std::int64_t>(r, a, v);
    case 3:
      return wrong_in<std::uint64_t>(r, a, v);
    case 4:
      return wrong_in<float>(r, a, v);
    default:
      return wrong_in<double>(r, a, v);
  }
}

}  // namespace gossamer::plan_cases
