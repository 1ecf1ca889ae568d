// The direction vector's way to the ranks that read it: prepared once a run, started once an
// iteration.
//
// Flow control: a rank overwrites a peer's entries of iteration k + 1 only after an allreduce. The
// peer entered that after it had read those of iteration k (its contribution is p'q, made from q =
// A p). So one buffer is enough, and signals only say "arrived".
#pragma once

#include <memory>
#include <vector>

#include "algorithm/cg/engine.hpp"

namespace gossamer::cg_detail {

class vector_exchange {
 public:
  virtual ~vector_exchange() = default;
  /// Sends the own part of p and returns when (on GPU ranks: queues the wait until) the entries
  /// this rank needs are here.
  virtual void exchange() = 0;
  /// After it the own part of p may be written again. Called where the rank has just waited for an
  /// allreduce, so that its puts are long done.
  virtual void release() = 0;
  /// How ranks are placed in the network, where somebody chose (see collective_request::mapping).
  [[nodiscard]] virtual std::vector<int> mapping() const { return {}; }
};

/// Collective: all ranks make it, in the same order. `extended` is the window of extended vectors.
std::unique_ptr<vector_exchange> make_exchange(rank& r, const layout& l,
                                               const window<double>& extended, cg_engine& engine);
/// Bytes it takes from a rank's native arena.
std::int64_t exchange_bytes(const layout& l, int rank);

}  // namespace gossamer::cg_detail
