// Launches of the kernels of a host-driven worklist. Included by one .cu file an operator.
#pragma once

#include <algorithm>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/host_driven/cuda/kernels.cuh"
#include "algorithm/host_driven/cuda/launch.hpp"

namespace gossamer::algorithm_detail::cuda {

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::begin(void* stream, int blocks, const view& v,
                                                       const Start& start) {
  const auto on = static_cast<cudaStream_t>(stream);
  const auto grid = static_cast<unsigned>(blocks);
  host_clear_kernel<view, Start><<<grid, list_threads, 0, on>>>(v, start);
  launched();
  host_begin_kernel<view, Start><<<grid, list_threads, 0, on>>>(v, start);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::turn(void* stream, const view& v,
                                                      const turn_orders& orders,
                                                      shown_words* shown) {
  host_turn_kernel<view><<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(v, orders, shown);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::split(void* stream, int blocks, const view& v) {
  host_split_kernel<Operator, Weight>
      <<<static_cast<unsigned>(blocks), list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::relax(void* stream, int blocks, const view& v) {
  host_relax_kernel<Operator, Weight>
      <<<static_cast<unsigned>(blocks), list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::take_long_rows(void* stream, int blocks,
                                                                const view& v) {
  if constexpr (is_sum<Operator>) {
    host_long_rows_kernel<Operator, Weight>
        <<<static_cast<unsigned>(blocks), list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v);
    launched();
  }
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::add_up(void* stream, int blocks, const view& v) {
  if constexpr (is_sum<Operator>) {
    host_add_up_kernel<view>
        <<<static_cast<unsigned>(blocks), list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v);
    launched();
  }
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::take(void* stream, int most_blocks, const view& v,
                                                      const message* from, std::uint64_t n) {
  const auto needed = blocks_for(static_cast<std::int64_t>(n), list_threads);
  const unsigned grid = std::min(needed, static_cast<unsigned>(most_blocks));
  host_take_kernel<Operator, Weight>
      <<<grid, list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v, from, n);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::grant(void* stream, const view& v,
                                                       std::uint64_t first, std::uint64_t n,
                                                       message* into) {
  host_grant_kernel<Operator, Weight>
      <<<blocks_for(static_cast<std::int64_t>(n), pack_threads), pack_threads, 0,
         static_cast<cudaStream_t>(stream)>>>(v, first, n, into);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::work_off(void* stream, int most_blocks,
                                                          const view& v, const message* items,
                                                          std::uint64_t n) {
  const auto needed = blocks_for(static_cast<std::int64_t>(n), list_warps);
  const unsigned grid = std::min(needed, static_cast<unsigned>(most_blocks));
  host_work_off_kernel<Operator, Weight>
      <<<grid, list_threads, 0, static_cast<cudaStream_t>(stream)>>>(v, items, n);
  launched();
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::pack(void* stream, const view& v, int to,
                                                      std::uint64_t first, std::uint64_t n,
                                                      message* into) {
  host_pack_kernel<Operator, Weight>
      <<<blocks_for(static_cast<std::int64_t>(n), pack_threads), pack_threads, 0,
         static_cast<cudaStream_t>(stream)>>>(v, to, first, n, into);
  launched();
}

}  // namespace gossamer::algorithm_detail::cuda
