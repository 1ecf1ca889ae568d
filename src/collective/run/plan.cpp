// Planning: what is asked for, agreed between the ranks, becomes a schedule and is bound.
#include "gossamer/collective/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "collective/algorithm/registry.hpp"
#include "collective/choose/choice.hpp"
#include "collective/kernel/packed_hops.hpp"
#include "collective/kernel/packing.hpp"
#include "collective/run/plan_state.hpp"
#include "collective/schedule/layout.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/replay.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::plan_detail {

namespace {

/// What every rank tells the others; all but the last seven must agree.
struct proposal {
  std::uint64_t op, algorithm, root, count, element;
  std::uint64_t details;  ///< hash of type, reduction, counts, mapping, pieces
  std::uint64_t in_place, has_window, window, offset;
  std::uint64_t obstacle;     ///< kernel_obstacle: why this rank cannot run it as one kernel
  std::uint64_t library;      ///< by default a library does it, where buffers allow
  std::uint64_t longest_hop;  ///< see hop_of
};

// FNV-1a over 64-bit words: to compare what would be long to send.
class hash {
 public:
  void add(std::uint64_t x) { value_ = (value_ ^ x) * 0x100000001b3u; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::string describe(const proposal& p) {
  return std::string(name_of(static_cast<collective_op>(p.op))) + ' ' +
         std::string(algorithm_at(p.algorithm).name) + " of " + std::to_string(p.count) +
         " elements of " + std::to_string(p.element) + " bytes with root " + std::to_string(p.root);
}

void agree(const std::vector<proposal>& all, int self) {
  const auto& mine = all[static_cast<std::size_t>(self)];
  for (std::size_t peer = 0; peer < all.size(); ++peer) {
    const auto& other = all[peer];
    const bool same = mine.op == other.op && mine.algorithm == other.algorithm &&
                      mine.root == other.root && mine.count == other.count &&
                      mine.element == other.element;
    if (same && mine.details == other.details) continue;
    const int low = std::min(self, static_cast<int>(peer));
    const int high = std::max(self, static_cast<int>(peer));
    const std::string who = "ranks " + std::to_string(low) + " and " + std::to_string(high);
    const auto what_of = [&](int r) { return describe(all[static_cast<std::size_t>(r)]); };
    throw rank_error(
        who + (same ? " plan " + what_of(low) +
                          " with different types, reductions, counts, mappings, pieces or runners"
                    : " plan different collectives: " + what_of(low) + " against " + what_of(high)),
        self, static_cast<int>(peer), false);
  }
}

/// True when input and output are the same memory as in-place operation has it; usage_error when
/// they overlap otherwise.
bool in_place(const layout& shape, int self, const buffers& where) {
  const auto& q = shape.request();
  const std::size_t in = shape.input_size(self) * q.element,
                    out = shape.output_size(self) * q.element;
  if (in == 0 || out == 0) return false;
  const auto* input = static_cast<const std::byte*>(where.input);
  const auto* output = static_cast<const std::byte*>(where.output);
  const std::size_t at = shape.in_place_offset(self) * q.element;
  if (in < out ? input == output + at : output == input + at) return true;
  require(input >= output + out || output >= input + in,
          std::string(name_of(q.op)) + ": input and output overlap, but not as in-place has it");
  return false;
}

void check_size(const char* which, collective_op op, int self, std::size_t has, std::size_t needs) {
  if (has == needs || (needs == 0 && op != collective_op::all_to_all_v)) return;
  throw usage_error(std::string(name_of(op)) + ": rank " + std::to_string(self) + "'s " + which +
                    " holds " + std::to_string(has) + " elements, not " + std::to_string(needs));
}

/// all_to_all_v: the table of counts, [from * p + to].
void exchange_counts(rank& r, collective_request& q) {
  const auto p = static_cast<std::size_t>(r.size());
  require(q.counts.size() == p, "all_to_all_v: needs one send count per rank");
  auto table = std::make_shared<std::vector<std::size_t>>(p * p);
  r.exchange(std::as_bytes(std::span(q.counts)), std::as_writable_bytes(std::span(*table)));
  q.counts.clear();
  q.pair_count = [table, p](int from, int to) {
    return (*table)[static_cast<std::size_t>(from) * p + static_cast<std::size_t>(to)];
  };
}

/// Everybody's buffers lie in host memory, and a modelled device's are another memory. All ranks
/// answer alike: from it follow the algorithm and where scratch is, and only some may have buffers
/// in the device's memory, or none at all.
bool in_host(rank& r, const buffers& where) {
  const auto& on = r.dev().model;
  if (on == nullptr || on->native == model::memory::host) return false;
  const bool native = (where.input_count > 0 && r.is_native(where.input)) ||
                      (where.output_count > 0 && r.is_native(where.output));
  const std::byte mine{native};
  std::vector<std::byte> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::span(&mine, 1), all);
  return std::ranges::none_of(all, [](std::byte b) { return b != std::byte{0}; });
}

/// Whether a plan for which no runner was asked should be one kernel. As measured on GPUs that
/// address each other (docs/design/collectives.md), that leads up to 16 MiB, and at 256 MiB where
/// data is combined or goes in many pieces. Where data is only moved, copy engines lead there.
/// Between the two lengths nothing was measured: the limit is one of them in the middle.
bool suits_one_kernel(const rank& r, const layout& shape, const std::vector<proposal>& all) {
  constexpr std::size_t longest = std::size_t{64} << 20;
  for (int i = 0; i < r.size(); ++i)
    if (!r.owner()[i].is_cuda()) return false;
  const bool leads = shape.reduces() || algorithm_at(all.front().algorithm).many_pieces;
  return (leads || message_bytes(shape) <= longest) &&
         std::ranges::all_of(all, [](const proposal& p) { return p.obstacle == 0; });
}

/// All ranks answer alike.
bool in_one_kernel(const rank& r, const layout& shape, const std::vector<proposal>& all,
                   plan_runner asked) {
  if (asked == plan_runner::automatic) return suits_one_kernel(r, shape, all);
  if (asked != plan_runner::one_kernel) return false;
  for (std::size_t i = 0; i < all.size(); ++i)
    require(all[i].obstacle == 0, "runner one_kernel: rank " + std::to_string(i) + " cannot: " +
                                      describe(static_cast<kernel_obstacle>(all[i].obstacle)));
  return true;
}

/// Bytes of a hop (packed_hops.hpp) whose blocks run at once, beside those of all ranks that share
/// the GPU.
std::size_t hop_of(const device& on) {
  if (!on.is_cuda()) return 0;
  const auto blocks = std::bit_floor(static_cast<std::size_t>(on.units / std::max(1, on.share)));
  return std::min(longest_hop, blocks * packed_hops::most_threads * 8);
}

/// A plan without steps.
collective_plan by_library(rank& r, collective_request q, const std::string& name,
                           element_type type, reduction op, const buffers& where,
                           const plan_options& options) {
  auto call = plan_nccl(r, q, type, op, where, options.runner);
  auto plan = std::make_unique<collective_plan::state>(schedule(std::move(q), name));
  plan->r = &r;
  plan->on = options.on != nullptr ? options.on : &r.stream();
  plan->cuda = true;
  plan->library = std::move(call);
  return collective_plan(std::move(plan));
}

}  // namespace

collective_plan make(rank& r, collective_request q, element_type type, reduction op,
                     const buffers& where, const plan_options& options) {
  const int self = r.id();
  q.ranks = r.size();
  q.mapping = options.mapping;
  require(options.segments >= 0, "collective: the number of segments must not be negative");
  q.segments = options.segments;
  q.counts = options.counts;
  if (q.op == collective_op::all_to_all_v) exchange_counts(r, q);
  const layout shape(q);
  if (shape.reduces()) {
    const std::string name(name_of(q.op));
    require(type != element_type::other,
            name + ": reductions take int32, uint32, int64, uint64, float and double");
    require(
        op != reduction::bit_or || (type != element_type::float32 && type != element_type::float64),
        name + ": bit_or needs an integer type");
  }
  check_size("input", q.op, self, where.input_count, shape.input_size(self));
  check_size("output", q.op, self, where.output_count, shape.output_size(self));
  std::string name;
  q.via_host = options.via_host;
  q.apart = options.apart;
  const bool host = in_host(r, where);
  bool library = false;
  if (const auto* row = own_software(r, shape, host, options)) {
    name = row->algorithm;
    q.via_host = row->via_host;
    if (row->searched && q.mapping.empty())
      q.mapping = model::searched_mapping(q, name, r.dev().model);
  } else {
    const auto chosen = choose(r, shape, op, options);
    name = chosen.name;
    library = chosen.library;
  }
  require(!q.via_host || !r.dev().is_cuda(), "via_host: not on GPU ranks");
  const std::size_t algorithm = find_algorithm(q.op, name);
  const auto obstacle = q.via_host ? kernel_obstacle::host_reduction
                                   : obstacle_to_one_kernel(r, algorithm_at(algorithm), where);

  hash details;
  details.add(static_cast<std::uint64_t>(type));
  details.add(static_cast<std::uint64_t>(op));
  for (const auto n : q.counts) details.add(n);
  for (const auto v : q.mapping) details.add(static_cast<std::uint64_t>(v) + 1);
  details.add(static_cast<std::uint64_t>(q.segments));
  details.add(static_cast<std::uint64_t>(options.runner));
  details.add(q.via_host ? 2 : 1);
  details.add(q.apart ? 2 : 1);
  const bool has_window = where.table != nullptr;
  const proposal mine{static_cast<std::uint64_t>(q.op),
                      algorithm,
                      static_cast<std::uint64_t>(q.root),
                      q.count,
                      q.element,
                      details.value(),
                      in_place(shape, self, where),
                      has_window,
                      has_window ? where.table->id : 0,
                      where.offset,
                      static_cast<std::uint64_t>(obstacle),
                      library,
                      hop_of(r.dev())};
  std::vector<proposal> all(static_cast<std::size_t>(q.ranks));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  agree(all, self);
  if (algorithm_code(algorithm) == nullptr)
    return by_library(r, std::move(q), name, type, op, where, options);
  // What a kernel cannot address, a library cannot either.
  if (std::ranges::all_of(all, [](const proposal& p) { return p.library != 0 && p.obstacle == 0; }))
    return by_library(r, std::move(q), "nccl", type, op, where, options);
  const bool one_kernel = in_one_kernel(r, shape, all, options.runner);
  q.by_calls = !one_kernel && any_gpu(r);

  plan_places places{where, {}};
  q.in_place = mine.in_place != 0;
  q.direct = true;
  bool any_in_place = false;
  for (const auto& p : all) {
    q.direct = q.direct && p.has_window != 0 && p.window == all[0].window;
    any_in_place = any_in_place || p.in_place != 0;
    places.offsets.push_back(p.offset);
  }
  // Packed transfers need no word from the receiver that its output may be written: one trip less.
  if (one_kernel) q.longest_hop = std::ranges::min(all, {}, &proposal::longest_hop).longest_hop;
  if (one_kernel && all_packed(q, name)) q.direct = false;
  if (any_in_place && (q.op == collective_op::all_to_all || q.op == collective_op::all_to_all_v))
    q.direct = false;

  auto plan = std::make_unique<collective_plan::state>(schedule(std::move(q), name));
  plan->r = &r;
  plan->type = type;
  plan->op = op;
  plan->cuda = r.dev().is_cuda();
  plan->host_work = plan->what.host_scratch() || host;
  plan->on = options.on != nullptr ? options.on : plan->cuda ? &r.stream() : nullptr;
  plan->one_kernel = one_kernel;
  if (one_kernel)
    bind_commands(*plan, plan->what.of(self), places);
  else
    bind(*plan, plan->what.of(self), places);
  return collective_plan(std::move(plan));
}

}  // namespace gossamer::plan_detail
