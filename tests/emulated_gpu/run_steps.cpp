// Runs a program of steps, its text for GPUs, on emulated GPUs of several blocks each.
//
//   run_steps INPUT OUTPUT BLOCKS TURN    (TURN: looks at the clock before others may have the GPU)
//
// INPUT and OUTPUT: 64-bit numbers and blocks, each a length in bytes and that many; in the order
// of read_all() and main().
#include "program.hpp"

#include <cstdio>
#include <vector>

#include "algorithm/vertex_steps/row_order.cpp"

namespace {

using namespace gossamer::steps_detail;

FILE* input;

long long number() {
  long long value = 0;
  if (std::fread(&value, sizeof value, 1, input) != 1) std::exit(2);
  return value;
}
template <class T>
T* block(std::size_t& n) {
  const auto bytes = static_cast<std::size_t>(number());
  n = bytes / sizeof(T);
  T* const data = emulated::shared<T>(n);
  if (bytes > 0 && std::fread(data, 1, bytes, input) != bytes) std::exit(2);
  return data;
}
template <class T>
T* copied(const std::vector<T>& from) {
  T* const to = emulated::shared<T>(from.size());
  std::copy(from.begin(), from.end(), to);
  return to;
}

struct rank_arrays {
  std::vector<char*> data;
  std::vector<std::size_t> bytes;
};

/// One direction's rows of a rank; hubs' positions and columns as they were given.
void read_rows(gpu_step_view& v, int way) {
  std::size_t n = 0, rows = 0;
  v.rows[way].offsets = block<long long>(rows);
  v.rows[way].columns = block<char>(n);
  v.rows[way].weights = block<char>(n);
  const auto* const position = block<int>(n);
  row_shares& shares = v.shares[way];
  shares.position = n == 0 ? nullptr : position;
  shares.columns = block<int>(n);
  shares.weights = block<char>(n);
  const std::span offsets(reinterpret_cast<const std::int64_t*>(v.rows[way].offsets), rows);
  const placed_rows placed = place_rows(offsets, shares.position != nullptr);
  shares.places = copied(placed.places);
  std::copy(placed.class_end.begin(), placed.class_end.end(), shares.class_end);
  for (const int use : {for_pushes, for_gathers}) {
    const auto chunks = cut_rows(offsets, shortest_split[use], chunk_arcs[use]);
    shares.chunks[use] = copied(chunks);
    shares.chunk_count[use] = static_cast<long long>(chunks.size());
  }
  const auto split = static_cast<std::size_t>(shares.chunk_count[for_gathers]);
  shares.parts = emulated::shared<unsigned long long>(split);
  shares.done = emulated::shared<unsigned>(split);
}

/// Every block of every rank is a process.
bool run_turn(std::vector<gpu_step_view>& views, int blocks) {
  emulated::blocks running;
  for (auto& v : views)
    running.launch(
        static_cast<unsigned>(blocks), [&] { gs::run(v); }, static_cast<unsigned>(v.rank));
  const bool ok = running.end();
  for (auto& v : views) v.begin = v.result->stage;
  return ok;
}

}  // namespace

int main(int, char** argv) {
  input = std::fopen(argv[1], "rb");
  const int blocks = std::atoi(argv[3]);
  const auto ranks = static_cast<std::size_t>(number()),
             arrays = static_cast<std::size_t>(number());
  std::vector<gpu_step_view> views(ranks);
  std::vector<rank_arrays> held(ranks);
  std::vector<long long> bounds;
  for (std::size_t r = 0; r <= ranks; ++r) bounds.push_back(number());
  std::size_t numbers = 0;
  const auto* const before = block<step_word>(numbers);
  auto** const everywhere = emulated::shared<void*>(ranks * arrays);
  for (std::size_t r = 0; r < ranks; ++r) {
    gpu_step_view& v = views[r];
    v.first = bounds[r];
    v.last = bounds[r + 1];
    read_rows(v, 0);
    read_rows(v, 1);
    for (std::size_t a = 0; a < arrays; ++a) {
      const long long element = number(), shared = number();
      std::size_t bytes = 0;
      held[r].data.push_back(block<char>(bytes));
      held[r].bytes.push_back(bytes);
      everywhere[r * arrays + a] = held[r].data.back() - (shared != 0 ? 0 : v.first * element);
    }
    v.changing = emulated::shared<step_word>(numbers);
    std::copy_n(before, numbers, v.changing);
    v.numbers = v.changing;
    v.number_count = static_cast<int>(numbers);
    v.hub_bytes = 1024;
    v.result = reinterpret_cast<step_result*>(
        emulated::shared<char>(sizeof(step_result) + numbers * sizeof(step_word)));
    v.control = emulated::shared<step_control>(1);
    v.reports = emulated::shared<step_word>(static_cast<std::size_t>(blocks) * 64);
    v.rank = static_cast<int>(r);
    v.ranks = static_cast<int>(ranks);
    v.arrays_count = static_cast<int>(arrays);
    v.everywhere = everywhere;
    v.arrays = everywhere + r * arrays;
    v.turn_ns = static_cast<unsigned long long>(std::atoll(argv[4]));
    std::copy(bounds.begin(), bounds.end(), v.bounds);
  }
  for (std::size_t q = 0; q < ranks; ++q) {
    auto* const mail = emulated::shared<step_word>(2 * ranks * 65);
    auto* const flags = emulated::shared<std::uint64_t>(ranks);
    for (auto& v : views) {
      v.mail[q] = mail;
      v.flags[q] = flags;
    }
  }
  gridDim.x = static_cast<unsigned>(blocks);
  long long turns = 0;
  for (; views[0].begin >= 0; ++turns)
    if (!run_turn(views, blocks)) return 1;
  FILE* const output = std::fopen(argv[2], "wb");
  std::fwrite(&turns, sizeof turns, 1, output);
  std::fwrite(views[0].result + 1, sizeof(step_word), numbers, output);
  for (const auto& h : held)
    for (std::size_t a = 0; a < arrays; ++a) std::fwrite(h.data[a], 1, h.bytes[a], output);
  return std::fclose(output);
}
