// The kernels of a host-driven worklist as functions: the host code (engine.hpp) sees no launch
// syntax. Instantiated by one .cu file an operator; all are asynchronous.
#pragma once

#include "algorithm/host_driven/cuda/view.hpp"

namespace gossamer::algorithm_detail::cuda {

template <class Operator, class Weight, class Start>
struct host_list_kernels {
  using view = host_list_view<Operator, Weight>;
  using message = device_message<typename Operator::value>;

  /// Values, marks and the first work; `blocks` as for all that work: one a multiprocessor.
  static void begin(void* stream, int blocks, const view& v, const Start& start);
  static void turn(void* stream, const view& v, const turn_orders& orders, shown_words* shown);
  static void split(void* stream, int blocks, const view& v);
  /// Of sums, as the next; before relax().
  static void take_long_rows(void* stream, int blocks, const view& v);
  /// … what is known here and was not taken, into the totals; when all is done.
  static void add_up(void* stream, int blocks, const view& v);
  static void relax(void* stream, int blocks, const view& v);
  static void take(void* stream, int most_blocks, const view& v, const message* from,
                   std::uint64_t n);
  /// Items `first` … of those that the last turn left out.
  static void grant(void* stream, const view& v, std::uint64_t first, std::uint64_t n,
                    message* into);
  /// Items of another rank, all of the same.
  static void work_off(void* stream, int most_blocks, const view& v, const message* items,
                       std::uint64_t n);
  static void pack(void* stream, const view& v, int to, std::uint64_t first, std::uint64_t n,
                   message* into);
};

}  // namespace gossamer::algorithm_detail::cuda
