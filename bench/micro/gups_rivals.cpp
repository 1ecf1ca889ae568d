// What examples/gups is compared with, under `mpirun -n P`: the same updates of the same table by
// MPI_Accumulate on a window of MPI_Win_allocate, and by a plain loop of each process on its own
// part, where nothing is sent. Prints million updates a second of each, best of REPEAT runs.
//
//   mpirun -n 2 bench_gups_rivals [LOG2_WORDS [UPDATES [REPEAT]]]     of each process; 20 1000000 3
//
// The window is locked once for all; every process flushes at its end, then a barrier: MPI may
// collect as much as it likes in between. Checked: after each pass twice, every word is as before.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using word = std::uint64_t;

/// As in examples/gups.cpp.
word value(std::uint64_t k) {
  word x = (k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct table {
  explicit table(int bits) {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    each = (word{1} << bits) / static_cast<word>(ranks);
    MPI_Win_allocate(static_cast<MPI_Aint>(each * sizeof(word)), sizeof(word), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &words, &window);
    for (word i = 0; i < each; ++i) words[i] = first() + i;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  }
  ~table() {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
  table(const table&) = delete;
  [[nodiscard]] word first() const { return static_cast<word>(rank) * each; }
  [[nodiscard]] bool intact() const {
    for (word i = 0; i < each; ++i)
      if (words[i] != first() + i) return false;
    return true;
  }

  int ranks = 1, rank = 0;
  word each = 0;
  word* words = nullptr;
  MPI_Win window = MPI_WIN_NULL;
};

/// Ranges of the whole, where GUPS deals out blocks: to random words that is the same.
void accumulate(table& t, std::uint64_t updates) {
  const auto first = static_cast<std::uint64_t>(t.rank) * updates;
  const word all = t.each * static_cast<word>(t.ranks);
  // MPI may read an origin until the flush: each update has a place of its own.
  std::vector<word> origins(updates);
  for (std::uint64_t k = 0; k < updates; ++k) {
    const word x = origins[k] = value(first + k), at = x % all;
    MPI_Accumulate(&origins[k], 1, MPI_UINT64_T, static_cast<int>(at / t.each),
                   static_cast<MPI_Aint>(at % t.each), 1, MPI_UINT64_T, MPI_BXOR, t.window);
  }
  MPI_Win_flush_all(t.window);
}

void loop(table& t, std::uint64_t updates) {
  const auto first = static_cast<std::uint64_t>(t.rank) * updates;
  const word mask = t.each - 1;  // a power of two, when the number of processes is one
  for (std::uint64_t k = first; k < first + updates; ++k) {
    const word x = value(k);
    t.words[x & mask] ^= x;
  }
}

/// Million updates a second of all processes together.
double best(table& t, void (*pass)(table&, std::uint64_t), std::uint64_t updates, int repeat) {
  double fastest = 1e300;
  for (int run = 0; run < 2 * repeat; ++run) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    pass(t, updates);
    MPI_Barrier(MPI_COMM_WORLD);
    fastest = std::min(fastest, MPI_Wtime() - begin);
  }
  return static_cast<double>(updates) * t.ranks / fastest / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int bits = count > 1 ? std::atoi(arguments[1]) : 20;
  const std::uint64_t updates = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1000000;
  const int repeat = count > 3 ? std::atoi(arguments[3]) : 3;
  int status = 0;
  {
    table t(bits);
    const double local = best(t, loop, 10 * updates, repeat);
    const double by_mpi = best(t, accumulate, updates, repeat);
    int right = t.intact() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (t.rank == 0)
      std::printf(
          "2^%d words over %d processes, %s\n%g by loops on local words\n%g by "
          "MPI_Accumulate\n",
          bits, t.ranks, right == 1 ? "verified" : "WRONG", local, by_mpi);
    status = right == 1 ? 0 : 3;
  }
  MPI_Finalize();
  return status;
}
