// schedule: a request and an algorithm; parts are made when asked for.
#include "gossamer/collective/schedule.hpp"

#include <utility>

#include "collective/algorithm/registry.hpp"
#include "collective/schedule/layout.hpp"
#include "collective/schedule/state.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

schedule::schedule(collective_request request, std::string_view algorithm) {
  const auto index = find_algorithm(request.op, algorithm, false);
  state_ = std::make_shared<const state>(state{layout(std::move(request)), index});
}

const collective_request& schedule::request() const noexcept {
  return state_->shape.request();
}
const algorithm_info& schedule::algorithm() const noexcept {
  return algorithm_at(state_->algorithm);
}
std::size_t schedule::input_size(int rank) const {
  return state_->shape.input_size(rank);
}
std::size_t schedule::output_size(int rank) const {
  return state_->shape.output_size(rank);
}
std::size_t schedule::in_place_offset(int rank) const {
  return state_->shape.in_place_offset(rank);
}

rank_schedule schedule::of(int rank) const {
  if (rank < 0 || rank >= ranks())
    throw usage_error("schedule: no rank " + std::to_string(rank) + " among " +
                      std::to_string(ranks()));
  const auto code = algorithm_code(state_->algorithm);
  if (code == nullptr)
    throw usage_error(std::string(name_of(request().op)) + ' ' + std::string(algorithm().name) +
                      ": a library runs it, it has no steps");
  builder b(state_->shape, rank);
  code(b);
  return std::move(b).finish();
}

}  // namespace gossamer
