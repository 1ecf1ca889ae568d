#include "algorithm/driver/balance_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

bool steals(const std::string& algorithm, const std::string& balance) {
  require(balance == "none" || balance == "steal",
          algorithm + ": there is no balance '" + balance + "': none and steal are");
  return balance == "steal";
}

void check_balance(const std::string& algorithm, const std::string& balance,
                   const std::string& engine, const machine& m) {
  if (!steals(algorithm, balance)) return;
  require(engine == "async",
          algorithm + ": balance 'steal' is of engine 'async', and this is '" + engine + "'");
  if (m[0].is_cuda())
    throw not_compiled("balance 'steal' of " + algorithm + " on GPUs",
                       "it is for CPU and modelled ranks");
}

}  // namespace gossamer::algorithm_detail
