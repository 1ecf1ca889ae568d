// The kernels of communities for GPUs that are not there: their own source, run by
// tests/emulated_gpu in the order of their streams, by one block.
#include "device.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <type_traits>

#include "algorithm/communities/sync/cuda/launch.hpp"
#include "algorithm/communities/sync/cuda/level_steps.cuh"
#include "algorithm/communities/sync/cuda/rounds.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::communities_detail::cuda {

namespace {

/// Those of GPUs, with fewer threads and small tables: rows of some dozens are in pieces.
struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads, table_bytes = 1024;
};
template <class Id, class Sum>
using steps = level_steps<emulated_sizes, Id, Sum>;

template <class T>
T* reached(T* at) {
  return at == nullptr ? nullptr
                       : static_cast<T*>(const_cast<void*>(
                             fake_gpu::reach(const_cast<const std::remove_cv_t<T>*>(at))));
}
template <class T>
requires(std::is_arithmetic_v<T>) T reached(T value) {
  return value;
}
template <class Sum>
arc_list<Sum> reached(arc_list<Sum> of) {
  of.ends = reached(of.ends);
  of.weights = reached(of.weights);
  of.count = reached(of.count);
  return of;
}
template <class Id, class Sum>
level_view<Id, Sum> reached(level_view<Id, Sum> of) {
  const auto reach = [](auto*&... at) { ((at = reached(at)), ...); };
  reach(of.offsets, of.columns, of.weights, of.strengths, of.community, of.total, of.size, of.awake,
        of.target, of.part, of.part_total, of.part_size, of.outward, of.bond, of.listed, of.pieces,
        of.choices, of.looked, of.keys, of.sums);
  return of;
}
template <class Id, class Sum>
move_view<Id, Sum> reached(move_view<Id, Sum> of) {
  of.level = reached(of.level);
  of.place = reached(of.place);
  of.state = reached(of.state);
  of.pause = 100;  // time counts calls
  return of;
}

std::mutex one;  // the emulator has one block at a time

template <class F>
void push(const launch_site& on, F work) {
  static_cast<fake_gpu::queue*>(on.stream)->push(std::move(work));
}
template <class F>
void launch(const launch_site& on, const F& work) {
  push(on, [=] {
    const std::lock_guard lock(one);
    emulated::run_block(work);
  });
}

template <auto Step, class Id, class Sum, class... Arguments>
void run_step(const launch_site& on, const level_view<Id, Sum>& given, std::int64_t,
              Arguments... arguments) {
  launch(on, [of = reached(given), ... all = reached(arguments)] {
    steps<Id, Sum> s(of);
    (s.*Step)(all...);
  });
}

template <class Id, class Sum>
block_memory<emulated_sizes, Id, Sum>& memory() {
  static block_memory<emulated_sizes, Id, Sum> mine;
  return mine;
}

}  // namespace

}  // namespace gossamer::communities_detail::cuda

#include "algorithm/communities/sync/cuda/launches.cuh"

namespace gossamer::communities_detail::cuda {

template <class Id, class Sum>
std::int64_t needs<Id, Sum>::pieces(std::int64_t arcs) {
  return most_pieces<emulated_sizes, Id, Sum>(arcs);
}

template <class Id, class Sum>
std::int64_t needs<Id, Sum>::work_bytes(std::int64_t, std::int64_t) {
  return 0;
}

template <class Id, class Sum>
int launches<Id, Sum>::prepare() {
  return 1;
}

template <class Id, class Sum>
void launches<Id, Sum>::move(const move_view<Id, Sum>& given) const {
  launch(on, [of = reached(given)] {
    rounds<emulated_sizes, Id, Sum, move_rule>(of, memory<Id, Sum>()).move();
  });
}

template <class Id, class Sum>
void launches<Id, Sum>::refine(const move_view<Id, Sum>& given) const {
  launch(on, [of = reached(given)] {
    rounds<emulated_sizes, Id, Sum, part_rule>(of, memory<Id, Sum>()).refine();
  });
}

template <class Id, class Sum>
void launches<Id, Sum>::number(const level& of, const Id* sizes, Id* name) const {
  push(on, [n = of.vertices, sizes = reached(sizes), name = reached(name)] {
    name[0] = 0;
    for (std::int64_t c = 0; c < n; ++c) name[c + 1] = name[c] + (sizes[c] > 0 ? 1 : 0);
  });
}

template <class Id, class Sum>
void launches<Id, Sum>::list_arcs(const level& given, const Id* label,
                                  const arc_list<Sum>& to) const {
  static append_memory mine;
  launch(on, [of = reached(given), label = reached(label), to = reached(to)] {
    steps<Id, Sum>(of).list_arcs(label, to, mine);
  });
}

template <class Id, class Sum>
unsigned long long* launches<Id, Sum>::merge_arcs(const arc_list<Sum>& given, std::int64_t arcs,
                                                  std::int64_t room, Sum* weights) const {
  push(on, [=, of = reached(given), weights = reached(weights)] {
    std::map<unsigned long long, Sum> all;
    for (std::int64_t i = 0; i < arcs; ++i)
      all[of.ends[i]] += of.weights == nullptr ? Sum{1} : of.weights[i];
    *of.count = all.size();
    std::int64_t at = 0;
    for (const auto& [ends, weight] : all) {
      of.ends[room + at] = ends;
      weights[at++] = weight;
    }
  });
  return given.ends + room;
}

#define GOSSAMER_INSTANTIATE(Id, Sum) \
  template struct needs<Id, Sum>;     \
  template struct launches<Id, Sum>;
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::int64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::int64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::communities_detail::cuda
