// What the library asks of a GPU's stand-in (tests/fake_gpu), which may fail as if the GPU had no
// memory left. The linker sends each function of the backend, by its mangled name, to a wrapper.
#include <cstddef>

#include "failure/faults.hpp"
#include "gossamer/base/error.hpp"

namespace {

using gossamer::faults::blocks_on_a_gpu;

void take() {
  if (gossamer::faults::fails(gossamer::faults::kind::on_a_gpu))
    throw gossamer::capacity_error("cuda:0 (stand-in): no memory is left");
}

}  // namespace

#define GOSSAMER_REAL(name) __real__ZN8gossamer12cuda_backend##name
#define GOSSAMER_WRAP(name) __wrap__ZN8gossamer12cuda_backend##name

#define GOSSAMER_TAKES(name, parameters, arguments)   \
  void* GOSSAMER_REAL(name) parameters;               \
  void* GOSSAMER_WRAP(name) parameters {              \
    take();                                           \
    void* const made = GOSSAMER_REAL(name) arguments; \
    ++blocks_on_a_gpu;                                \
    return made;                                      \
  }
#define GOSSAMER_GIVES_BACK(name, parameters, arguments) \
  void GOSSAMER_REAL(name) parameters;                   \
  void GOSSAMER_WRAP(name) parameters {                  \
    --blocks_on_a_gpu;                                   \
    GOSSAMER_REAL(name) arguments;                       \
  }

extern "C" {
GOSSAMER_TAKES(15allocate_deviceEim, (int ordinal, std::size_t bytes), (ordinal, bytes))
GOSSAMER_TAKES(15allocate_pinnedEim, (int ordinal, std::size_t bytes), (ordinal, bytes))
GOSSAMER_TAKES(13create_streamEib, (int ordinal, bool first), (ordinal, first))
GOSSAMER_TAKES(12create_eventEi, (int ordinal), (ordinal))
GOSSAMER_GIVES_BACK(14release_deviceEiPv, (int ordinal, void* data), (ordinal, data))
GOSSAMER_GIVES_BACK(14release_pinnedEPv, (void* data), (data))
GOSSAMER_GIVES_BACK(14destroy_streamEPv, (void* stream), (stream))
GOSSAMER_GIVES_BACK(13destroy_eventEPv, (void* event), (event))
}
