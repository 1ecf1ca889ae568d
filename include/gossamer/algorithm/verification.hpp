// What verifiers of algorithms answer.
#pragma once

#include <cstdint>
#include <string>

namespace gossamer {

/// What a verifier found.
struct verification {
  bool ok = true;
  std::string reason;  ///< first violation, naming vertices in the file's own ids
};

/// Which trees verifiers of searches take.
enum class parent_rule : std::uint8_t {
  any,       ///< every right tree
  smallest,  ///< the one that deterministic results have: of possible parents the smallest id
};

}  // namespace gossamer
