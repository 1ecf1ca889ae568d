// The transports: the only place that lists them. Each is `make` in the folder of its name. One
// that needs a carrier of its own has `make_carrier`; the others use that of threads.
#pragma once

#include "fabric/carrier.hpp"
#include "fabric/channel.hpp"

namespace gossamer {

using channel_maker = std::unique_ptr<channel>(const machine& m, fabric_resources& resources,
                                               int from, int to);
using carrier_maker = std::unique_ptr<carrier>(machine& m);
namespace threads {
channel_maker make;
carrier_maker make_carrier;
}  // namespace threads
namespace peer {
channel_maker make;
}
namespace pinned {
channel_maker make;
}
namespace mpi {
channel_maker make;
carrier_maker make_carrier;
}  // namespace mpi
namespace sim {
channel_maker make;
carrier_maker make_carrier;
}  // namespace sim

}  // namespace gossamer
