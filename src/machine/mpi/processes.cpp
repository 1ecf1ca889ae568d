// The table of processes of a job: who they are, and who shares memory with whom.
#include "machine/processes.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)  // Open MPI's; it needs mpi.h first
#include <mpi-ext.h>
#endif
#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <random>

#include "gossamer/base/check_mpi.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/version.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/device.hpp"
#include "machine/mpi/pulses.hpp"
#include "machine/mpi/start.hpp"
#include "machine/shared_block.hpp"

namespace gossamer {

using mpi::world;

namespace {

// What a process says of itself when it joins; sent as bytes.
struct introduction {
  std::array<char, 128> processor{};
  std::int64_t cores = 1, memory = 0;
  std::array<std::uint64_t, 16> mask{};  ///< of the first 1,024 cores
  std::array<std::uint64_t, 2> token{};  ///< also written into the block
  shared_block::address block;
};

introduction introduce(const shared_block& block) {
  introduction mine;
  const host_processor processor = host();
  std::strncpy(mine.processor.data(), processor.name.c_str(), mine.processor.size() - 1);
  mine.cores = processor.cores;
  mine.memory = host_memory_limit().bytes;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE && cpu < 1024; ++cpu)
      if (CPU_ISSET(cpu, &set)) mine.mask[static_cast<std::size_t>(cpu / 64)] |= 1ull << (cpu % 64);
  std::random_device entropy;
  for (auto& word : mine.token) word = (std::uint64_t{entropy()} << 32) | entropy();
  mine.block = block.where();
  std::memcpy(block.data(), mine.token.data(), sizeof mine.token);
  return mine;
}

/// Cores that processes of one host may use, each counted once. A cgroup's quota shows as fewer
/// cores than the mask has, and holds for all of them.
class cores_together {
 public:
  void add(const introduction& one) {
    int masked = 0;
    for (std::size_t i = 0; i < one.mask.size(); ++i) {
      masked += std::popcount(one.mask[i]);
      mask_[i] |= one.mask[i];
    }
    const auto cores = static_cast<int>(one.cores);
    most_ = std::max(most_, cores);
    limited_ = limited_ || cores < masked;
  }
  [[nodiscard]] int count() const {
    int all = 0;
    for (const auto word : mask_) all += std::popcount(word);
    return limited_ ? most_ : std::max(all, most_);
  }

 private:
  std::array<std::uint64_t, 16> mask_{};
  int most_ = 1;
  bool limited_ = false;
};

using calls_lock = std::unique_lock<std::mutex>;

/// Waits for a request; `what` names the step for the message of the time-out. The lock is open
/// between two looks: other machines of this process go on meanwhile.
void finish(MPI_Request& request, const char* what, calls_lock& calls) {
  const auto deadline = configuration::default_deadline();
  watchful_clock clock(deadline);
  backoff pace;
  for (int done = 0; done == 0;) {
    GOSSAMER_CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
    calls.unlock();
    const bool slow = pace.pause();
    calls.lock();
    if (!slow || clock.look() < deadline) continue;
    world().lost = true;  // whoever is awaited here is awaited by MPI_Finalize
    throw rank_error(std::string("not every MPI process joined within the deadline (") + what +
                         "): all of them have to open an mpi machine",
                     -1, -1, true);
  }
}

MPI_Comm duplicate(calls_lock& calls) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  GOSSAMER_CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
  finish(request, "making a communicator", calls);
  GOSSAMER_CHECK_MPI(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

template <class T>
std::vector<T> gather_all(const T* mine, std::size_t n, int size, const char* what,
                          calls_lock& calls) {
  std::vector<T> all(n * static_cast<std::size_t>(size));
  const int bytes = static_cast<int>(n * sizeof(T));
  MPI_Request request = MPI_REQUEST_NULL;
  GOSSAMER_CHECK_MPI(MPI_Iallgather(mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE,
                                    world().communicator, &request));
  finish(request, what, calls);
  return all;
}

processes::job alone() {
  processes::job job;
  const host_processor processor = host();
  const int cores = processor.cores;
  job.members.push_back({processor.name, cores, host_memory_limit().bytes, 0, 0, cores});
  return job;
}

/// First of all, since what else is exchanged may differ by version, too.
void compare_versions(std::size_t processes, calls_lock& calls) {
  using text = std::array<char, 32>;
  text mine{};
  std::strncpy(mine.data(), version(), mine.size() - 1);
  const auto all = gather_all(&mine, 1, static_cast<int>(processes), "versions", calls);
  for (std::size_t r = 1; r < processes; ++r)
    if (all[r] != all[0])
      throw usage_error("mpi: rank " + std::to_string(r) + " has version " + all[r].data() +
                        " of Gossamer, and rank 0 has " + all[0].data() +
                        ": all processes need the same");
}

processes::job make_job() {
  int initialized = 0;
  GOSSAMER_CHECK_MPI(MPI_Initialized(&initialized));
  if (!processes::launched() && initialized == 0) return alone();
  calls_lock lock(world().calls);
  mpi::start();
  processes::job job;
  int size = 1;
  GOSSAMER_CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &job.rank));
  GOSSAMER_CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
  world().communicator = duplicate(lock);

  const auto p = static_cast<std::size_t>(size);
  compare_versions(p, lock);
  shared_block mine(4096);
  const introduction me = introduce(mine);
  const auto all = gather_all(&me, 1, size, "introductions", lock);
  // Memory is shared with whoever's token is found where it says: one host, and one container.
  std::vector<char> reach(p, 0);
  std::vector<shared_block> blocks;
  for (std::size_t r = 0; r < p; ++r) {
    const auto& theirs = blocks.emplace_back(all[r].block);
    reach[r] = theirs.data() != nullptr &&
               std::memcmp(theirs.data(), all[r].token.data(), sizeof me.token) == 0;
  }
  const auto reaches = gather_all(reach.data(), p, size, "shared memory", lock);
  const bool sharing = configuration::mpi_shared();
  for (std::size_t r = 0; r < p; ++r) {
    processes::member m{all[r].processor.data(), 1, all[r].memory, static_cast<int>(r),
                        static_cast<int>(r),     1};
    cores_together cores;
    int same_host = 0, same_cores = 0;
    for (std::size_t other = p; other-- > 0;) {
      if (r != other && (reaches[r * p + other] == 0 || reaches[other * p + r] == 0)) continue;
      m.host = static_cast<int>(other);
      ++same_host;
      cores.add(all[other]);
      same_cores += all[r].mask == all[other].mask ? 1 : 0;
    }
    if (sharing) m.group = m.host;
    m.threads = std::max(1, static_cast<int>(all[r].cores) / same_cores);
    m.memory /= same_host;
    m.host_cores = cores.count();
    job.members.push_back(std::move(m));
  }
  if (size == 1) return job;
  const int group = job.members[static_cast<std::size_t>(job.rank)].group;
  for (std::size_t r = 0; r < p; ++r)
    if (job.members[r].group != group) blocks[r] = {};
  const MPI_Comm of_signs = duplicate(lock);
  world().signs =
      std::make_unique<mpi::pulses>(job.rank, std::move(mine), std::move(blocks), of_signs);
  return job;
}

}  // namespace

namespace processes {

bool compiled() noexcept {
  return true;
}

bool launched() noexcept {
  // Open MPI; PMI-1 and PMI-2 (MPICH, Intel MPI, Slurm); PMIx (Open MPI 5, Slurm); MVAPICH.
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_SIZE"})
    if (std::getenv(name) != nullptr) return true;  // NOLINT(concurrency-mt-unsafe): read alone
  return false;
}

const job& join() {
  static const job joined = make_job();
  return joined;
}

std::vector<std::byte> gather(std::span<const std::byte> mine) {
  const int size = join().size();
  if (size == 1) return {mine.begin(), mine.end()};
  calls_lock lock(world().calls);
  return gather_all(mine.data(), mine.size(), size, "set-up data", lock);
}

bool takes_gpu_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (world().communicator == MPI_COMM_NULL) return false;  // MPI was not started
  std::lock_guard lock(world().calls);
  return MPIX_Query_cuda_support() != 0;
#else
  return false;
#endif
}

std::string lost(int rank, std::chrono::nanoseconds limit) {
  const auto& signs = world().signs;
  return signs == nullptr ? std::string() : signs->lost(rank, limit);
}

void lost_one() noexcept {
  world().lost = true;
}

}  // namespace processes

}  // namespace gossamer
