#include "gossamer/graph/csr.hpp"

namespace gossamer {}
