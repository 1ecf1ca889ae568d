// One rank's vertex program and its worklist: what searches without levels have in common.
//
// A vertex waits at most once in each list, so that a list for rank r with as many places as r has
// vertices never overflows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/balance_choice.hpp"
#include "algorithm/priority_choice.hpp"
#include "gossamer/dataflow/vertex_program.hpp"

namespace gossamer::algorithm_detail {

/// `delta`: width of the first window of soft priorities.
inline worklist_options named_worklist(std::string name, double delta) {
  worklist_options options;
  options.name = std::move(name);
  options.delta = delta;
  return options;
}

/// The same, with balance and priority by the names in an algorithm's options.
template <class Asked>
worklist_options worklist_of(const std::string& algorithm, double delta, const Asked& asked) {
  worklist_options options = named_worklist(algorithm, delta);
  options.steal = steals(algorithm, asked.balance);
  options.soft_priority = soft_priority(algorithm, asked.priority);
  return options;
}

/// How many vertices each rank has, by anything with local_size(rank).
template <class Owners>
std::vector<std::int64_t> capacities(const Owners& owners, int ranks) {
  std::vector<std::int64_t> all;
  for (int r = 0; r < ranks; ++r) all.push_back(owners.local_size(r));
  return all;
}

/// The same of ranks that own ranges of ids: `bounds` of a placement.
inline std::vector<std::int64_t> capacities(const std::vector<std::int64_t>& bounds) {
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r + 1 < bounds.size(); ++r) all.push_back(bounds[r + 1] - bounds[r]);
  return all;
}

template <class Operator, class Id, class Weight, class Owners>
class vertex_worklist {
 public:
  using program = vertex_program<Operator, Id, Weight, Owners>;
  using value = typename Operator::value;

  /// `capacity[r]`: vertices of rank r; `placed`: placed ids in all.
  vertex_worklist(const Operator& by, const weighted_rows<Id, Weight>& rows, Owners owners,
                  int self, const std::vector<std::int64_t>& capacity, std::int64_t placed,
                  const worklist_options& options)
      : values_(by, rows, std::move(owners), self, static_cast<int>(capacity.size()), placed),
        work_(values_, self, capacity, options) {}
  vertex_worklist(const vertex_worklist&) = delete;  // the list knows where its program is
  vertex_worklist& operator=(const vertex_worklist&) = delete;
  ~vertex_worklist() = default;

  /// Bytes of the constructor, given the same; `soft`: with soft priorities.
  static std::int64_t bytes(int self, const std::vector<std::int64_t>& capacity,
                            std::int64_t placed, bool soft = true) {
    worklist_options options;
    options.soft_priority = soft;
    return program::bytes(placed) + distributed_worklist<program>::bytes(self, capacity, options);
  }
  /// Bytes of begin() in the run's arena, native memory.
  static std::int64_t window_bytes(int ranks) {
    return distributed_worklist<program>::window_bytes(ranks, worklist_options());
  }

  /// Collective, inside a run: makes windows, empties lists; the value at v becomes initial(v).
  template <class Initial>
  void begin_each(rank& r, const Initial& initial) {
    values_.clear_each(initial);
    work_.begin(r);
  }
  void begin(rank& r, const value& initial) {
    begin_each(r, [&](Id) { return initial; });
  }
  /// Between begin() and run(): offers `first` to the own vertex `v`.
  void start(Id v, const value& first) { values_.start(work_, v, first); }
  /// The same, with the value that it began with.
  void start(Id v) { work_.push(v); }
  /// Collective: returns when all work of all ranks is done.
  void run() { work_.run(); }

  /// Of a placed id; final for own ones after run().
  [[nodiscard]] const value& operator[](std::int64_t placed) const { return values_[placed]; }
  [[nodiscard]] const worklist_counters& counters() const noexcept { return work_.counters(); }
  [[nodiscard]] const parcel_traffic& traffic() const noexcept { return work_.traffic(); }

 private:
  program values_;
  distributed_worklist<program> work_;
};

}  // namespace gossamer::algorithm_detail
