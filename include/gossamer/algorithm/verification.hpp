// What verifiers of algorithms answer.
#pragma once

#include <string>

namespace gossamer {

/// What a verifier found.
struct verification {
  bool ok = true;
  std::string reason;  ///< first violation, naming vertices in the file's own ids
};

}  // namespace gossamer
