// Sources of a run, whatever searches from them: the order that batches take them in, and where
// their numbers go.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>

#include "algorithm/distances/engine.hpp"
#include "algorithm/distances/sync/lane_total.hpp"
#include "algorithm/distances/sync/near_order.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/base/shared_array.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::distances_detail {

/// The order of near_order.hpp.
struct near_vertices {
  shared_array<std::int64_t> order;
};

template <class Id>
class source_batches {
 public:
  /// `of`: the graph; `along`: the rows that searches follow. `room`: of twice the vertices.
  source_batches(const graph& of, const csr_view<Id>& along, bool inward, distance_measure measure,
                 shared_array<std::int64_t> room)
      : of_(of), along_(along), inward_(inward), measure_(measure), room_(std::move(room)) {}

  /// Those of a run, ordered if they are more than `worth_an_order`, which takes seconds where it
  /// was not done before. Numbers are those of sources without arcs.
  void begin(const request& asked, std::int64_t worth_an_order, const std::stop_token& cancel,
             distances_result& result) {
    asked_ = &asked;
    result_ = &result;
    order(worth_an_order, cancel);
    take_results();
  }
  /// As many as possible at once, up to `most`, but a batch for each of `workers`.
  void divide(std::int64_t workers, std::int64_t most) {
    lanes_ = std::clamp<std::int64_t>((searched_ + workers - 1) / workers, 1, most);
    batches_ = (searched_ + lanes_ - 1) / lanes_;
  }

  [[nodiscard]] std::int64_t degree(std::int64_t v) const {
    return along_.offsets[v + 1] - along_.offsets[v];
  }
  [[nodiscard]] std::int64_t sources() const {
    return asked_->sources ? std::ssize(*asked_->sources) : along_.vertices();
  }
  [[nodiscard]] std::int64_t source(std::int64_t at) const {
    return asked_->sources ? (*asked_->sources)[static_cast<std::size_t>(at)] : at;
  }

  // Those whose searches meet others, in the order that batches take them. Numbers of the rest are
  // known.
  [[nodiscard]] std::int64_t searched() const { return searched_; }
  [[nodiscard]] std::int64_t lanes() const { return lanes_; }
  [[nodiscard]] std::int64_t batches() const { return batches_; }
  [[nodiscard]] std::span<const std::int64_t> places(std::int64_t first, std::int64_t last) const {
    return places_.span().subspan(static_cast<std::size_t>(first),
                                  static_cast<std::size_t>(last - first));
  }
  [[nodiscard]] std::span<const std::int64_t> places_of(std::int64_t batch) const {
    return places(batch * lanes_, std::min(searched_, (batch + 1) * lanes_));
  }

  /// By several threads, each of other places.
  void put(std::int64_t place, const lane_total& total) {
    const auto at = static_cast<std::size_t>(place);
    result_->eccentricities[at] = total.eccentricity;
    if (total.reached != along_.vertices()) met_all_.store(false, std::memory_order_relaxed);
    if (measure_ != distance_measure::sums) return;
    result_->reached[at] = total.reached;
    result_->sums[at] = total.sum;
    result_->reciprocals[at] = total.reciprocals;
  }

  /// Rows of sources that were not searched from.
  template <class Depth>
  void put_lonely_rows(Depth* matrix) const {
    const auto targets = *asked_->targets;
    const std::int64_t columns = std::ssize(targets);
    for (std::int64_t i = 0; i < sources(); ++i)
      if (degree(source(i)) == 0)
        std::transform(targets.begin(), targets.end(), matrix + i * columns,
                       [&](std::int64_t v) { return static_cast<Depth>(v == source(i) ? 0 : -1); });
  }

  void sum_up() {
    distances_result& result = *result_;
    result.searches = searched_;
    result.all_reached = met_all_;
    for (std::int64_t i = 0; i < sources(); ++i) {
      const std::int32_t found = result.eccentricities[static_cast<std::size_t>(i)];
      if (result.end >= 0 && found <= result.diameter) continue;
      result.diameter = found;
      result.end = source(i);
    }
    if (measure_ == distance_measure::diameter) result.eccentricities = {};
  }

  /// Seconds that finding the order took; 0 where it was there, or was not worth it.
  [[nodiscard]] double ordering() const { return ordering_; }

 private:
  void order(std::int64_t worth_an_order, const std::stop_token& cancel) {
    places_ = room_;
    if (sources() > along_.vertices()) places_ = make_array<std::int64_t>(sources());
    std::int64_t* const places = places_.data();
    searched_ = 0;
    ordering_ = 0;
    const std::int64_t* order = nullptr;
    if (sources() > worth_an_order) order = near(cancel);
    if (order != nullptr && !asked_->sources) {
      for (std::int64_t i = 0; i < along_.vertices(); ++i)
        if (degree(order[i]) > 0) places[searched_++] = order[i];
    } else {
      for (std::int64_t i = 0; i < sources(); ++i)
        if (degree(source(i)) > 0) places[searched_++] = i;
      if (order != nullptr) {
        std::int64_t* const position = room_.data() + along_.vertices();
        for (std::int64_t i = 0; i < along_.vertices(); ++i) position[order[i]] = i;
        std::sort(places, places + searched_, [&](std::int64_t a, std::int64_t b) {
          return std::pair(position[source(a)], a) < std::pair(position[source(b)], b);
        });
      }
    }
  }

  const std::int64_t* near(const std::stop_token& cancel) {
    order_ = kept::of_graph<near_vertices>(
        of_, inward_ ? "near vertices, inward" : "near vertices", [&](const graph&) {
          const auto begin = std::chrono::steady_clock::now();
          auto made = std::make_shared<near_vertices>();
          made->order = make_array<std::int64_t>(static_cast<std::size_t>(along_.vertices()));
          near_order<Id>(along_, lanes_at_most, made->order.data(), [&] {
            if (cancel.stop_requested()) throw cancelled_error("distances: stopped");
            return true;
          });
          ordering_ =
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
          return made;
        });
    return order_->order.data();
  }

  void take_results() {
    const auto n = static_cast<std::size_t>(sources());
    distances_result& result = *result_;
    if (measure_ == distance_measure::sums) {
      result.reached = make_array<std::int64_t>(n);
      result.sums = make_array<std::int64_t>(n);
      result.reciprocals = make_array<double>(n);
    }
    result.eccentricities = make_array<std::int32_t>(n);
    for (std::int64_t i = 0; i < sources(); ++i) put(i, {});
    met_all_ = along_.vertices() <= 1 || searched_ == sources();
  }

  const graph& of_;
  const csr_view<Id> along_;
  bool inward_;
  distance_measure measure_;
  shared_array<std::int64_t> room_, places_;
  std::shared_ptr<const near_vertices> order_;
  const request* asked_ = nullptr;
  distances_result* result_ = nullptr;
  std::int64_t searched_ = 0, lanes_ = 1, batches_ = 0;
  double ordering_ = 0;
  std::atomic<bool> met_all_{true};
};

}  // namespace gossamer::distances_detail
