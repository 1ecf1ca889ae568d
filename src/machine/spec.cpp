// resolve_spec: from the text of a machine spec to one device per rank.
#include "gossamer/machine/spec.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/shown.hpp"
#include "gossamer/machine/system.hpp"
#include "machine/process_gpus.hpp"
#include "machine/processes.hpp"

namespace gossamer {

namespace {

constexpr int most_ranks = 4096;    // a p x p table is kept, so p has to stay moderate
constexpr int most_threads = 4096;  // catches typing errors before the system runs out of threads

/// One part of a sum, with what an error message needs.
struct part {
  std::string_view text;
  [[noreturn]] void fail(const std::string& why) const {
    throw usage_error("machine spec '" + shown(text, 200) + "': " + why);
  }
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || end != text.data() + text.size() ||
      failed != std::errc())
    return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const auto end = text.find(at);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

void append_cpu(const part& spec, std::optional<std::string_view> arguments,
                std::vector<device>& ranks) {
  const host_processor processor = host();
  int p = 1;
  int threads = processor.cores;
  if (arguments) {
    const auto pieces = split(*arguments, 'x');
    const auto first = number(pieces[0]);
    const auto second = pieces.size() > 1 ? number(pieces[1]) : std::optional<int>(1);
    if (pieces.size() > 2 || !first || !second)
      spec.fail("expected cpu, cpu:P or cpu:PxT (P ranks of T threads each)");
    p = *first;
    if (p < 1) spec.fail("at least one rank");
    if (p > most_ranks) spec.fail("at most " + std::to_string(most_ranks) + " ranks");
    threads = pieces.size() > 1 ? *second : std::max(1, processor.cores / p);
    if (threads < 1) spec.fail("at least one thread a rank");
    if (threads > most_threads)
      spec.fail("at most " + std::to_string(most_threads) + " threads a rank");
  }
  device d;
  d.kind = device_kind::cpu;
  d.threads = threads;
  d.name = processor.name;
  d.memory = host_memory_limit().bytes;
  d.units = std::min(threads, processor.cores);
  ranks.insert(ranks.end(), static_cast<std::size_t>(p), d);
}

/// "1 CUDA device (0)", "4 CUDA devices (0-3)".
std::string count_devices(std::size_t n) {
  if (n == 1) return "1 CUDA device (0)";
  return std::to_string(n) + " CUDA devices (0-" + std::to_string(n - 1) + ")";
}

void append_cuda(const part& spec, std::optional<std::string_view> arguments,
                 std::vector<device>& ranks) {
  // The grammar is checked before the hardware: a typing error reads the same on every machine.
  struct item {
    int first, last, share;
  };
  std::vector<item> items;
  for (std::string_view text :
       arguments ? split(*arguments, ',') : std::vector<std::string_view>()) {
    const auto factors = split(text, '*');
    const auto ends = split(factors[0], '-');
    const auto first = number(ends[0]);
    const auto last = ends.size() > 1 ? number(ends[1]) : first;
    const auto share = factors.size() > 1 ? number(factors[1]) : std::optional<int>(1);
    if (factors.size() > 2 || ends.size() > 2 || !first || !last || !share)
      spec.fail("expected cuda or cuda:LIST, for example cuda:0-3, cuda:0,2 or cuda:0*3, got '" +
                shown(text) + "'");
    if (*last < *first) spec.fail("the range '" + shown(factors[0]) + "' is empty");
    if (*share < 1) spec.fail("at least one rank a GPU");
    if (*share > most_ranks) spec.fail("at most " + std::to_string(most_ranks) + " ranks");
    items.push_back({*first, *last, *share});
  }
  const auto devices = cuda_devices();
  if (devices.empty()) {
    const std::string reason = cuda_unavailable_reason();
    if (reason == "not compiled in")
      throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
    spec.fail("this host has no CUDA device (" + reason + ")");
  }
  const int count = static_cast<int>(devices.size());
  if (!arguments) items.push_back({0, count - 1, 1});
  for (const item& it : items) {
    if (it.last >= count) spec.fail("this host has " + count_devices(devices.size()));
    for (int ordinal = it.first; ordinal <= it.last; ++ordinal)
      ranks.insert(ranks.end(), static_cast<std::size_t>(it.share),
                   devices[static_cast<std::size_t>(ordinal)]);
  }
}

void append_mpi(const part& spec, std::optional<std::string_view> arguments,
                std::vector<device>& ranks) {
  if (arguments == "cuda") {
    ranks = processes::gpus().devices;
    return;
  }
  std::optional<int> threads;
  if (arguments) {
    threads = number(*arguments);
    if (!threads) spec.fail("expected mpi, mpi:T (T threads a rank) or mpi:cuda (a GPU a rank)");
    if (*threads < 1) spec.fail("at least one thread a rank");
    if (*threads > most_threads)
      spec.fail("at most " + std::to_string(most_threads) + " threads a rank");
  }
  const processes::job& job = processes::join();
  if (job.size() > most_ranks) spec.fail("at most " + std::to_string(most_ranks) + " ranks");
  for (int rank = 0; rank < job.size(); ++rank) {
    const auto& member = job.members[static_cast<std::size_t>(rank)];
    device d;
    d.kind = device_kind::cpu;
    d.threads = threads.value_or(member.threads);
    d.name = member.processor;
    d.memory = member.memory;
    d.units = std::min(d.threads, member.threads);
    d.process = rank;
    d.memory_group = member.group;
    ranks.push_back(std::move(d));
  }
}

void append(const part& spec, std::vector<device>& ranks) {
  const auto colon = spec.text.find(':');
  const std::string_view kind = spec.text.substr(0, colon);
  std::optional<std::string_view> arguments;
  if (colon != std::string_view::npos) arguments = spec.text.substr(colon + 1);
  if (kind == "cpu") return append_cpu(spec, arguments, ranks);
  if (kind == "cuda") return append_cuda(spec, arguments, ranks);
  if (kind == "mpi") return append_mpi(spec, arguments, ranks);
  if (kind == "nvshmem") throw not_compiled("ranks over NVSHMEM (nvshmem)", "not in this version");
  if (kind == "sim") spec.fail("sim stands alone, without other parts");
  if (kind == "auto") spec.fail("auto stands alone, without arguments or other parts");
  spec.fail("unknown kind '" + shown(kind) + "', expected auto, cpu, cuda, mpi or sim");
}

/// True for "+cpu:2" at the end, not for a path with a plus sign.
bool names_another_part(std::string_view text) {
  const auto plus = text.rfind('+');
  if (plus == std::string_view::npos) return false;
  const auto kind = text.substr(plus + 1, text.find(':', plus) - plus - 1);
  constexpr std::string_view kinds[] = {"auto", "cpu", "cuda", "mpi", "nvshmem", "sim"};
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

std::vector<device> resolve_sim(const part& spec) {
  if (names_another_part(spec.text))
    spec.fail("sim stands alone: modelled ranks do not combine with other parts");
  const auto pieces = split(spec.text.substr(spec.text.find(':') + 1), ',');
  if (pieces[0].empty()) spec.fail("expected sim:SYSTEM,ranks=P");
  std::optional<int> p;
  std::vector<std::string> changes;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].substr(0, 6) != "ranks=") {
      changes.emplace_back(pieces[i]);
      continue;
    }
    p = number(pieces[i].substr(6));
    if (!p || *p < 1) spec.fail("ranks: expected a whole number, at least 1");
    if (*p > most_ranks) spec.fail("at most " + std::to_string(most_ranks) + " ranks");
  }
  const auto system = model::load_system(std::string(pieces[0]), changes);
  if (!p) p = std::max(1, system->nodes);
  system->check_ranks(*p);
  device d;
  d.name = system->node;
  d.memory = host_memory_limit().bytes;
  d.units = 1;
  d.model = system;
  return std::vector<device>(static_cast<std::size_t>(*p), d);
}

/// Ranks that name the same GPU share it, however the spec spelt that; CPU ranks use the copy
/// engines of the GPUs they put to.
void count_shares(std::vector<device>& ranks) {
  if (ranks.front().process >= 0) return;  // ordinals of other processes mean nothing here
  std::map<int, int> seen;
  bool mixed = false;
  for (device& d : ranks)
    if (d.is_cuda())
      d.share_index = seen[d.ordinal]++;
    else
      mixed = true;
  for (device& d : ranks) {
    if (!d.is_cuda()) continue;
    d.share = seen[d.ordinal];
    d.own_engines = d.share == 1 && !mixed;
  }
}

}  // namespace

std::vector<device> resolve_spec(std::string_view spec) {
  if (spec == "auto") {
    const auto chosen = configuration::default_machine();
    if (chosen && *chosen != "auto") {
      try {
        return resolve_spec(*chosen);
      } catch (const not_compiled&) {
        throw;  // names the feature and its option already
      } catch (const usage_error& e) {
        throw usage_error(std::string("GOSSAMER_MACHINE: ") + e.what());
      }
    }
    if (processes::launched())
      spec = "mpi";
    else
      spec = cuda_devices().empty() ? "cpu" : "cuda";
  }
  if (spec.empty())
    throw usage_error("machine spec '': empty, expected auto, cpu, cuda, mpi or sim");
  // A path may hold a '+', so the spec of a model is not taken apart there.
  if (spec == "sim" || spec.substr(0, 4) == "sim:") {
    if (spec == "sim") part{spec}.fail("expected sim:SYSTEM,ranks=P");
    return resolve_sim(part{spec});
  }
  std::vector<device> ranks;
  const auto parts = split(spec, '+');
  if (std::find(parts.begin(), parts.end(), "") != parts.end()) part{spec}.fail("a part is empty");
  for (std::string_view text : parts) {
    if (parts.size() > 1 && processes::compiled() && text.substr(0, text.find(':')) == "mpi")
      part{spec}.fail("mpi stands alone: every rank is a process");
    append(part{text}, ranks);
    if (ranks.size() > most_ranks)
      part{spec}.fail("at most " + std::to_string(most_ranks) + " ranks");
  }
  count_shares(ranks);
  return ranks;
}

}  // namespace gossamer
