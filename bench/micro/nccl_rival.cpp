// NCCL on the ranks of a machine, for comparison (gpu_collectives.hpp). Without nccl.h a rival that
// says it is not there.
#include "gossamer/base/error.hpp"
#include "gpu_collectives.hpp"

#if defined(GOSSAMER_BENCH_NCCL)
#include <nccl.h>

#include <cstring>
#endif

namespace gossamer::bench {

#if defined(GOSSAMER_BENCH_NCCL)

namespace {

void check(ncclResult_t result) {
  if (result != ncclSuccess) throw usage_error(std::string("NCCL: ") + ncclGetErrorString(result));
}

}  // namespace

bool rival::compiled_in() {
  return true;
}

std::string rival::version() {
  int v = 0;
  check(ncclGetVersion(&v));
  return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." +
         std::to_string(v % 100);
}

rival::rival(rank& r) : id_(r.id()), ranks_(r.size()) {
  ncclUniqueId id{};
  if (id_ == 0) check(ncclGetUniqueId(&id));
  std::vector<std::byte> mine(sizeof id), all(sizeof id * static_cast<std::size_t>(ranks_));
  std::memcpy(mine.data(), &id, sizeof id);
  r.exchange(mine, all);
  std::memcpy(&id, all.data(), sizeof id);
  ncclComm_t made = nullptr;
  check(ncclCommInitRank(&made, ranks_, id, id_));
  communicator_ = made;
}

rival::~rival() {
  ncclCommDestroy(static_cast<ncclComm_t>(communicator_));
}

void rival::enqueue(collective_op op, int root, const double* in, double* out, std::size_t count,
                    cudaStream_t on) {
  auto* c = static_cast<ncclComm_t>(communicator_);
  const auto block = [&](auto* base, int i) { return base + static_cast<std::size_t>(i) * count; };
  switch (op) {
    case collective_op::broadcast:
      return check(ncclBroadcast(out, out, count, ncclDouble, root, c, on));
    case collective_op::reduce:
      return check(ncclReduce(in, out, count, ncclDouble, ncclSum, root, c, on));
    case collective_op::allreduce:
      return check(ncclAllReduce(in, out, count, ncclDouble, ncclSum, c, on));
    case collective_op::allgather:
      return check(ncclAllGather(in, out, count, ncclDouble, c, on));
    case collective_op::reduce_scatter:
      return check(ncclReduceScatter(in, out, count, ncclDouble, ncclSum, c, on));
    default:
      break;
  }
  const bool scatters = op == collective_op::scatter, gathers = op == collective_op::gather;
  check(ncclGroupStart());
  for (int i = 0; i < ranks_; ++i) {
    if (!gathers && (!scatters || id_ == root))
      check(ncclSend(block(in, i), count, ncclDouble, i, c, on));
    if (gathers && i == root) check(ncclSend(in, count, ncclDouble, i, c, on));
    if (!scatters && (!gathers || id_ == root))
      check(ncclRecv(block(out, i), count, ncclDouble, i, c, on));
    if (scatters && i == root) check(ncclRecv(out, count, ncclDouble, i, c, on));
  }
  check(ncclGroupEnd());
}

#else

bool rival::compiled_in() {
  return false;
}
std::string rival::version() {
  return "";
}
rival::rival(rank& r) : id_(r.id()), ranks_(r.size()) {
  throw not_compiled("NCCL was not found when the bench was configured");
}
rival::~rival() = default;
void rival::enqueue(collective_op, int, const double*, double*, std::size_t, cudaStream_t) {}

#endif

}  // namespace gossamer::bench
