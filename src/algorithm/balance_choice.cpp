#include "algorithm/balance_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

void check_balance(const std::string& algorithm, const std::string& balance,
                   const std::string& engine, const machine& m) {
  if (balance_by_name(algorithm, balance) == balance_policy::none) return;
  require(engine == "async", algorithm + ": balance '" + balance +
                                 "' is of engine 'async', and this is '" + engine + "'");
  if (m[0].is_cuda())
    throw not_compiled("balance '" + balance + "' of " + algorithm + " on GPUs",
                       "it is for CPU and modelled ranks");
}

balance_options balance_of(const std::string& algorithm, const std::string& balance,
                           std::int64_t arcs, int ranks) {
  balance_options chosen;
  chosen.policy = balance_by_name(algorithm, balance);
  if (chosen.policy == balance_policy::move) chosen.guest_arcs = arcs / ranks + 1;
  return chosen;
}

}  // namespace gossamer::algorithm_detail
