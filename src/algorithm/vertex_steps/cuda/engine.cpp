// Steps on GPUs: a rank's rows, arrays and tables in its GPU's memory, one kernel a rank and turn.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/layouts/hub_order.hpp"
#include "algorithm/vertex_program/cuda/loaded_kernel.hpp"
#include "algorithm/vertex_steps/cuda/translate.hpp"
#include "algorithm/vertex_steps/cuda/view.hpp"
#include "algorithm/vertex_steps/engine.hpp"
#include "algorithm/vertex_steps/row_order.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::steps_detail {

namespace {

template <class T>
buffer<T> uploaded(const device& on, const T* from, std::size_t n) {
  auto there = make_native_buffer<T>(on, n);
  if (n > 0) copy_bytes(there.data(), from, n * sizeof(T));
  return there;
}

/// A rank's rows of one direction, and how lanes share them out.
class gpu_rows {
 public:
  gpu_rows(const device& on, std::span<const edge_offset> offsets, bool by_length) {
    const placed_rows rows = place_rows(offsets, by_length);
    places_ = uploaded(on, rows.places.data(), rows.places.size());
    shares_.places = places_.data();
    std::copy(rows.class_end.begin(), rows.class_end.end(), shares_.class_end);
    for (const int use : {for_pushes, for_gathers}) {
      const auto chunks = cut_rows(offsets, shortest_split[use], chunk_arcs[use]);
      chunks_[use] = uploaded(on, chunks.data(), chunks.size());
      shares_.chunks[use] = chunks_[use].data();
      shares_.chunk_count[use] = static_cast<long long>(chunks.size());
    }
    const std::size_t split = chunks_[for_gathers].size();
    parts_ = make_native_buffer<unsigned long long>(on, split);
    done_ = make_native_buffer<unsigned>(on, split);
    fill_bytes(native_memory(on), on.ordinal, done_.data(), 0, split * sizeof(unsigned));
    shares_.parts = parts_.data();
    shares_.done = done_.data();
  }
  /// `position`: [all ids] where their copies lie; `own`: the rank's.
  template <class Id>
  void move_hubs(const device& on, std::span<const int> position, const own_ids& own,
                 const rows_to_translate<Id>& rows) {
    const auto arcs = static_cast<std::size_t>(rows.arcs);
    const auto there = uploaded(on, position.data(), position.size());
    columns_ = make_native_buffer<int>(on, arcs);
    if (rows.weights != nullptr)
      weights_ =
          make_native_buffer<std::byte>(on, arcs * static_cast<std::size_t>(rows.weight_bytes));
    translate_columns(on, rows, there.data(), columns_.data(), weights_.data());
    position_ = uploaded(on, position.data() + own.first, static_cast<std::size_t>(own.count));
    shares_.columns = columns_.data();
    shares_.weights = weights_.data();
    shares_.position = position_.data();
  }
  [[nodiscard]] const row_shares& shares() const noexcept { return shares_; }

 private:
  buffer<row_place> places_;
  buffer<row_chunk> chunks_[2];
  buffer<unsigned long long> parts_;
  buffer<unsigned> done_;
  buffer<int> position_, columns_;
  buffer<std::byte> weights_;
  row_shares shares_{};
};

/// One rank's memory.
struct gpu_rank {
  struct array {
    buffer<std::byte> data;
    std::size_t element;
    bool shared;
    /// Where the element of id 0 would be.
    std::byte* biased;
  };

  gpu_rank(const step_graph& g, int r)
      : on(g.on()[r]),
        units(std::max(1, on.units / std::max(1, on.share))),
        own(g.own[static_cast<std::size_t>(r)]) {
    const current_device here(on.ordinal);
    require(own.count <= (std::int64_t{1} << 31) - 1,
            "vertex steps: a GPU holds 2^31 - 1 vertices");
    const auto p = static_cast<std::size_t>(g.on().size());
    view.first = own.first;
    view.last = own.first + own.count;
    view.shift = own.first - own.vertex;
    view.alone = false;
    view.rank = r;
    view.ranks = static_cast<int>(p);
    view.turn_ns = static_cast<unsigned long long>(turn_seconds * 1e9);
    for (std::size_t q = 0; q <= p; ++q) view.bounds[q] = g.placed->bounds()[q];
    add_rows(g, r, 0);
    if (g.source.symmetric) {
      view.rows[1] = view.rows[0];
      view.shares[1] = view.shares[0];
    } else {
      add_rows(g, r, 1);
    }
    places = make_native_buffer<void*>(on, p * most_arrays);
    control = make_native_buffer<std::byte>(on, control_bytes);
    reports = make_native_buffer<step_word>(on, static_cast<std::size_t>(units) * most_words);
    mail = make_native_buffer<step_word>(on, 2 * p * (most_words + 1));
    flags = make_native_buffer<std::uint64_t>(on, p);
    fill_bytes(native_memory(on), on.ordinal, control.data(), 0, control_bytes);
    fill_bytes(native_memory(on), on.ordinal, flags.data(), 0, p * sizeof(std::uint64_t));
    result = buffer<std::byte>(memory_kind::pinned, on.ordinal, result_bytes);
    std::memset(result.data(), 0, result_bytes);
    view.result = reinterpret_cast<step_result*>(result.data());
    view.control = reinterpret_cast<step_control*>(control.data());
    view.changing = reinterpret_cast<step_word*>(control.data() + sizeof(step_control));
    view.numbers = view.changing;
    view.reports = reports.data();
    view.everywhere = places.data();
    view.arrays = places.data() + static_cast<std::size_t>(r) * most_arrays;
    view.arrays_count = static_cast<int>(most_arrays);
  }

  void add_array(int element, bool shared, std::int64_t ids) {
    const current_device here(on.ordinal);
    const std::int64_t count = shared ? ids : own.count;
    array a{make_native_buffer<std::byte>(on, static_cast<std::size_t>(count * element)),
            static_cast<std::size_t>(element), shared, nullptr};
    fill_bytes(native_memory(on), on.ordinal, a.data.data(), 0, a.data.size());
    // Arithmetic on addresses: what lies before the array is never looked at.
    a.biased = reinterpret_cast<std::byte*>(
        reinterpret_cast<std::uintptr_t>(a.data.data()) -
        static_cast<std::uintptr_t>((shared ? 0 : own.first) * element));
    arrays.push_back(std::move(a));
  }
  /// For gathers of rows of `way` (0, where arcs lead both ways).
  void move_hubs(const step_graph& g, std::span<const int> position, int way) {
    const current_device here(on.ordinal);
    const auto offsets = g.offsets(view.rank, way);
    visit_slice(*g.placed, view.rank, [&](const auto& slice) {
      using id = std::decay_t<decltype(*slice.columns)>;
      const rows_to_translate<id> given{way == 0 ? slice.offsets : slice.in_offsets,
                                        own.count,
                                        offsets.back() - offsets.front(),
                                        way == 0 ? slice.columns : slice.in_columns,
                                        view.rows[way].weights,
                                        g.weight_bytes()};
      rows[static_cast<std::size_t>(way)].move_hubs(on, position, own, given);
    });
    view.shares[way] = rows[static_cast<std::size_t>(way)].shares();
    if (g.source.symmetric) view.shares[1] = view.shares[0];
  }
  [[nodiscard]] std::byte* own_part(int which) const {
    const array& a = arrays.at(static_cast<std::size_t>(which));
    return a.data.data() + (a.shared ? static_cast<std::size_t>(own.first) * a.element : 0);
  }

  static constexpr std::size_t number_bytes = most_numbers * sizeof(step_word),
                               control_bytes = sizeof(step_control) + number_bytes,
                               result_bytes = sizeof(step_result) + number_bytes;
  [[nodiscard]] std::byte* numbers() const { return result.data() + sizeof(step_result); }

  const device on;
  const int units;
  const own_ids own;
  gpu_step_view view{};
  bool numbers_changed = true;  ///< since the GPU had them
  std::vector<gpu_rows> rows;
  std::vector<buffer<std::byte>> weights;
  std::vector<array> arrays;
  buffer<void*> places;  ///< [ranks x most_arrays]
  buffer<std::byte> control;
  buffer<std::byte> result;  ///< a step_result and numbers, where the host reads them
  buffer<step_word> reports, mail;
  buffer<std::uint64_t> flags;

 private:
  void add_rows(const step_graph& g, int r, int way) {
    const auto offsets = g.offsets(r, way);
    rows.emplace_back(on, offsets, g.skewed);
    view.shares[way] = rows.back().shares();
    const auto arcs = static_cast<std::size_t>(offsets.back() - offsets.front());
    const auto beside = g.weights(r, way);
    if (beside != nullptr)
      weights.push_back(uploaded(on, static_cast<const std::byte*>(beside.get()),
                                 arcs * static_cast<std::size_t>(g.weight_bytes())));
    visit_slice(*g.placed, r, [&](const auto& slice) {
      view.rows[way] = {
          reinterpret_cast<const long long*>(way == 0 ? slice.offsets : slice.in_offsets),
          way == 0 ? slice.columns : slice.in_columns,
          beside == nullptr ? nullptr : weights.back().data()};
    });
  }
};

class gpu_engine final : public step_engine {
 public:
  explicit gpu_engine(const step_graph& g) : g_(g) {
    const int p = g.on().size();
    require(p <= most_step_ranks,
            "vertex steps: at most " + std::to_string(most_step_ranks) + " GPU ranks");
    for (int r = 0; r < p; ++r) ranks_.push_back(std::make_unique<gpu_rank>(g, r));
    for (const auto& mine : ranks_)
      for (std::size_t q = 0; q < ranks_.size(); ++q) {
        mine->view.mail[q] = ranks_[q]->mail.data();
        mine->view.flags[q] = ranks_[q]->flags.data();
      }
  }

  void add_array(int element, bool shared) override {
    require(ranks_[0]->arrays.size() < most_arrays,
            "vertex steps: at most " + std::to_string(most_arrays) + " arrays");
    for (const auto& r : ranks_) r->add_array(element, shared, g_.placed->bounds().back());
    std::vector<void*> places(ranks_.size() * most_arrays);
    for (std::size_t q = 0; q < ranks_.size(); ++q)
      for (std::size_t i = 0; i < ranks_[q]->arrays.size(); ++i)
        places[q * most_arrays + i] = ranks_[q]->arrays[i].biased;
    for (const auto& r : ranks_)
      copy_bytes(r->places.data(), places.data(), places.size() * sizeof(void*));
  }
  void write(int array, std::span<const std::byte> from) override {
    for (const auto& r : ranks_) {
      const std::size_t size = r->arrays.at(static_cast<std::size_t>(array)).element;
      copy_bytes(r->own_part(array), from.data() + static_cast<std::size_t>(r->own.vertex) * size,
                 static_cast<std::size_t>(r->own.count) * size);
    }
  }
  void read(int array, std::span<std::byte> to) const override {
    for (const auto& r : ranks_) {
      const std::size_t size = r->arrays.at(static_cast<std::size_t>(array)).element;
      copy_bytes(to.data() + static_cast<std::size_t>(r->own.vertex) * size, r->own_part(array),
                 static_cast<std::size_t>(r->own.count) * size);
    }
  }

  void add_program(compiled_steps program) override {
    require(static_cast<std::size_t>(program.words) <= most_words,
            "vertex steps: at most " + std::to_string(most_words) + " reductions at once");
    move_hubs(program.gathered);
    program_code code{{}, 0};
    for (const auto& r : ranks_) {
      const current_device here(r->on.ordinal);
      code.kernels.push_back(std::make_shared<program_detail::loaded_kernel>(
          program.images.at(program_detail::architecture_of(r->on)), "gossamer_steps"));
      if (program.gathered != 0) code.hub_bytes = room_for_hubs(r->on, code.kernels.back()->get());
    }
    programs_.push_back(std::move(code));
  }

  steps_outcome run(int which, std::span<std::int64_t> numbers, const run_options& how) override {
    require(numbers.size() <= most_numbers,
            "vertex steps: at most " + std::to_string(most_numbers) + " numbers");
    steps_outcome out;
    for (const auto& r : ranks_) {
      r->view.begin = 0;
      r->view.number_count = static_cast<int>(numbers.size());
      // The GPU has them as it left them.
      r->numbers_changed = std::memcmp(r->numbers(), numbers.data(), numbers.size_bytes()) != 0;
      std::memcpy(r->numbers(), numbers.data(), numbers.size_bytes());
    }
    while (ranks_[0]->view.begin >= 0) {
      std::vector<turn> turns(ranks_.size());
      g_.on().run([&](rank& r) { take_turn(r, which, numbers.size_bytes(), turns); }, how);
      out.milliseconds += 1e3 * algorithm_detail::slowest_rank(turns).seconds;
      out.stages += ranks_[0]->view.result->stages;
    }
    std::memcpy(numbers.data(), ranks_[0]->numbers(), numbers.size_bytes());
    return out;
  }

 private:
  struct turn {
    double seconds = 0;
  };
  /// A program, by rank, and what its blocks keep of hubs' copies.
  struct program_code {
    std::vector<std::shared_ptr<program_detail::loaded_kernel>> kernels;
    int hub_bytes;
  };

  /// As much of a block's memory as leaves the L1 enough for the rest (docs/design/pagerank.md).
  static int room_for_hubs(const device& on, const void* kernel) {
    constexpr int wanted = 192 << 10;
    int most = 0;
    GOSSAMER_CHECK_CUDA(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, on.ordinal));
    cudaFuncAttributes attributes{};
    GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    const int room = std::min(wanted, most - static_cast<int>(attributes.sharedSizeBytes)) & ~15;
    GOSSAMER_CHECK_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    return room;
  }

  /// For the first program that gathers along rows of a direction.
  void move_hubs(int gathered) {
    for (int way = 0; way < 2; ++way) {
      const int of = g_.source.symmetric ? 0 : way;
      if ((gathered >> way & 1) == 0 || ranks_[0]->view.shares[of].position != nullptr) continue;
      const auto position = positions_of(of);
      for (const auto& r : ranks_) r->move_hubs(g_, position, of);
    }
  }
  /// [all ids] where copies lie that gathers of rows of `way` read, each rank's hubs first.
  [[nodiscard]] std::vector<int> positions_of(int way) const {
    std::vector<std::int64_t> first;
    for (const own_ids& own : g_.own) first.push_back(own.vertex);
    first.push_back(g_.source.vertices());
    const graph& senders = way == 0 && !g_.source.symmetric ? g_.reversed : g_.source;
    const auto by_vertex = algorithm_detail::hub_positions<vertex32>(senders.offsets.span(), first);
    std::vector<int> position(static_cast<std::size_t>(g_.placed->bounds().back()));
    for (const own_ids& own : g_.own)
      for (std::int64_t i = 0; i < own.count; ++i)
        position[static_cast<std::size_t>(own.first + i)] = static_cast<int>(
            by_vertex[static_cast<std::size_t>(own.vertex + i)] - own.vertex + own.first);
    return position;
  }

  void take_turn(rank& r, int which, std::size_t bytes, std::vector<turn>& turns) {
    const auto me = static_cast<std::size_t>(r.id());
    gpu_rank& mine = *ranks_[me];
    const double begin = r.clock();
    mine.view.guard = r.guard();
    const auto stream = static_cast<cudaStream_t>(r.stream().native());
    if (std::exchange(mine.numbers_changed, false))
      GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(mine.view.changing, mine.numbers(), bytes,
                                          cudaMemcpyHostToDevice, stream));
    const program_code& code = programs_[static_cast<std::size_t>(which)];
    mine.view.hub_bytes = code.hub_bytes;
    std::array<void*, 1> arguments = {&mine.view};
    GOSSAMER_CHECK_CUDA(cudaLaunchKernel(
        code.kernels[me]->get(), dim3(static_cast<unsigned>(mine.units)), dim3(step_threads),
        arguments.data(), static_cast<std::size_t>(code.hub_bytes), stream));
    r.synchronize();
    mine.view.begin = mine.view.result->stage;
    turns[me].seconds = r.clock() - begin;
    trace_run(r, "steps", begin, turns[me].seconds);
  }

  const step_graph& g_;
  std::vector<std::unique_ptr<gpu_rank>> ranks_;
  std::vector<program_code> programs_;
};

}  // namespace

std::unique_ptr<step_engine> make_gpu_steps(const step_graph& g) {
  return std::make_unique<gpu_engine>(g);
}

}  // namespace gossamer::steps_detail
