// Machine specs: the text that names devices, as the command line and `machine::open` take it.
//
//   auto               every GPU, else one rank over all CPU cores ("mpi" under mpirun, when built)
//   cpu | cpu:P | cpu:PxT        P ranks (default 1) of T threads (default: cores / P, at least 1)
//   cuda | cuda:0-3 | cuda:0,2   one rank per GPU, in the order given
//   cuda:0*3                     three ranks share GPU 0
//   mpi | mpi:T                  one CPU rank per process of the MPI job, of T threads (default:
//                                the cores a process may use, divided among those that share them)
//   mpi:cuda                     one GPU per process of the MPI job: the one at its rank among the
//                                processes of its host, modulo the GPUs that it sees
//   A+B                          both, ranks of A first
//   sim:SYSTEM,ranks=P[,table.key=value…]   P nodes of a modelled system in virtual time (default:
//                                as many as the system has); stands alone. See system.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gossamer/machine/device.hpp"

namespace gossamer {

/// Resolves a spec against the hardware: one entry per rank. Throws usage_error naming the part
/// that is malformed or the device that is not there, not_compiled for transports of other builds
/// (mpi, nvshmem). The first time, mpi is collective over the processes of the job.
std::vector<device> resolve_spec(std::string_view spec);

}  // namespace gossamer
