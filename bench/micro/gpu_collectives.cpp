// Collectives on GPUs beside NCCL in one run, as one JSON object on standard output.
//
//   bench_gpu_collectives [SPEC…] [--latency] [--bandwidth] [--wire] [--operations N]
//                         [--sizes 64K,1M,…] [--only NAME,…] [--pieces N,…]
//
// latency: each of the operations at 8 B to 4 KiB, every algorithm as one kernel, N dependent
// operations in a captured graph; and an allreduce called from inside a kernel. bandwidth: 1 MiB to
// 256 MiB (or as --sizes has it), by one kernel, by steps (copy engines), and by NCCL as an
// algorithm
// (`nccl`, by library) and called directly (by nccl). wire: one pair, stores and copy engine.
// Without a part, all three. --only: these algorithms beside NCCL. --pieces: algorithms of many
// pieces also run with that many (0 = their own choice). Every plan's result is first compared with
// the sequential one. A build running beside it disturbs the times: graphs start when hosts launch
// them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "collective_chain.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "gpu_collectives.hpp"

namespace gossamer::bench {

namespace {

const std::vector<collective_op> small_ops = {collective_op::broadcast, collective_op::scatter,
                                              collective_op::gather,    collective_op::reduce,
                                              collective_op::allgather, collective_op::allreduce};
const std::vector<collective_op> large_ops = {collective_op::broadcast, collective_op::reduce,
                                              collective_op::allgather, collective_op::allreduce};

run_options room_for(collective_op op, int ranks, std::size_t bytes, const plan_options& how = {}) {
  run_options options;
  collective_request q;
  q.op = op;
  q.ranks = ranks;
  q.count = bytes / sizeof(double);
  q.element = sizeof(double);
  q.direct = false;
  q.segments = how.segments;
  const auto e = extent_of(op, ranks, q.count);
  for (int r = 0; r < ranks; ++r) {
    arena_plan plan{(e.in + e.out) * sizeof(double) + (1 << 20), 1 << 20};
    for (int root = 0; root < (has_root(op) ? ranks : 1); ++root) {
      q.root = root;
      arena_plan most;
      for (const auto& a : collective_algorithms()) {
        if (a.op != op || (how.algorithm.empty() ? a.host_scratch : a.name != how.algorithm))
          continue;
        const auto one = bytes_needed(schedule(q, a.name), r);
        most.native = std::max(most.native, one.native);
        most.host = std::max(most.host, one.host);
      }
      plan.native += most.native;
      plan.host += most.host;
    }
    options.arenas.push_back(plan);
  }
  return options;
}

class report {
 public:
  report() {
    std::printf("{\"bench\": \"gpu_collectives\", \"nccl\": \"%s\", \"results\": [",
                rival::version().c_str());
  }
  /// The results that follow are of this machine.
  void begin(const machine& m) {
    machine_ = "\"machine\": \"" + m.spec() + "\", \"device\": \"" + m[0].name +
               "\", \"ranks\": " + std::to_string(m.size());
  }
  void add(const measurement& x) {
    std::printf(
        "%s\n  {%s, \"operation\": \"%s\", \"algorithm\": \"%s\", \"by\": \"%s\", \"pieces\": %d, "
        "\"bytes\": %zu, \"microseconds\": %.3f}",
        first_ ? "" : ",", machine_.c_str(), x.operation.c_str(), x.algorithm.c_str(), x.by.c_str(),
        x.pieces, x.bytes, x.microseconds);
    std::fflush(stdout);
    first_ = false;
  }
  ~report() { std::printf("\n]}\n"); }

 private:
  std::string machine_;
  bool first_ = true;
};

/// What of the measurements was asked for.
struct selection {
  std::vector<std::size_t> sizes = {1 << 20, 16 << 20, 256 << 20};  ///< bytes
  std::vector<std::string> only;  ///< names of algorithms; empty = all
  std::vector<int> pieces = {0};

  [[nodiscard]] bool takes(std::string_view name) const {
    return only.empty() || std::ranges::find(only, name) != only.end();
  }
};

double time_plan(machine& m, collective_op op, std::size_t bytes, const plan_options& how,
                 int operations) {
  double result = 0;
  m.run(
      [&](rank& r) {
        chain c(r, op, bytes / sizeof(double), how);
        c.verify(r);
        const auto one = [&](int k, cudaStream_t) { c.run(root_of(k, r.size())); };
        const int launches = 21;
        // Steps number their epochs on the host, so a graph of them cannot be replayed.
        const double time = how.runner == plan_runner::steps
                                ? time_in_stream(r, one, operations, launches)
                                : time_in_graph(r, one, operations, launches);
        c.verify(r);
        if (r.id() == 0) result = time;
      },
      room_for(op, m.size(), bytes, how));
  return result;
}

double time_rival(machine& m, collective_op op, std::size_t bytes, int operations) {
  double result = 0;
  m.run(
      [&](rank& r) {
        const std::size_t n = bytes / sizeof(double);
        const auto e = extent_of(op, r.size(), n);
        const auto in = r.scratch<double>(e.in), out = r.scratch<double>(e.out);
        rival nccl(r);
        const auto one = [&](int k, cudaStream_t on) {
          nccl.enqueue(op, root_of(k, r.size()), in.data(), out.data(), n, on);
        };
        // Every pair connects with its first transfer, which cannot be captured.
        for (int k = 0; k < r.size() * r.size(); ++k)
          one(k, static_cast<cudaStream_t>(r.stream().native()));
        r.synchronize();
        const double time = time_in_graph(r, one, operations, 21);
        if (r.id() == 0) result = time;
      },
      room_for(op, m.size(), bytes));
  return result;
}

/// An algorithm of steps by both runners.
void compare_one(machine& m, report& out, const algorithm_info& a, std::size_t bytes,
                 const selection& what, int operations) {
  const bool large = bytes >= 1 << 20;
  for (const int pieces : a.many_pieces&& large ? what.pieces : std::vector<int>{0})
    for (const auto runner : {plan_runner::one_kernel, plan_runner::steps}) {
      if (runner == plan_runner::steps && !large) continue;
      plan_options how;
      how.algorithm = a.name;
      how.runner = runner;
      how.segments = pieces;
      out.add({std::string(name_of(a.op)), std::string(a.name),
               runner == plan_runner::steps ? "steps" : "one_kernel", bytes,
               time_plan(m, a.op, bytes, how, operations), pieces});
    }
}

/// NCCL as a plan; nothing where it is not compiled in or not there.
void compare_library(machine& m, report& out, const algorithm_info& a, std::size_t bytes,
                     int operations) {
  plan_options how;
  how.algorithm = a.name;
  try {
    out.add({std::string(name_of(a.op)), std::string(a.name), "library", bytes,
             time_plan(m, a.op, bytes, how, operations)});
  } catch (const usage_error& e) {
    std::fprintf(stderr, "bench_gpu_collectives: without %s: %s\n", how.algorithm.c_str(),
                 e.what());
  }
}

void compare(machine& m, report& out, const std::vector<collective_op>& ops, std::size_t bytes,
             const selection& what, int operations) {
  for (const auto op : ops) {
    for (const auto& a : collective_algorithms())
      if (a.op == op && !a.host_scratch && what.takes(a.name))
        compare_one(m, out, a, bytes, what, operations);
    for (const auto& a : library_algorithms())
      if (a.op == op && what.takes(a.name)) compare_library(m, out, a, bytes, operations);
    out.add(
        {std::string(name_of(op)), "", "default", bytes, time_plan(m, op, bytes, {}, operations)});
    if (rival::compiled_in())
      out.add({std::string(name_of(op)), "", "nccl", bytes, time_rival(m, op, bytes, operations)});
  }
}

void in_kernel(machine& m, report& out) {
  double time = 0;
  m.run([&](rank& r) {
    const double mine = time_in_kernel(r, 10000);
    if (r.id() == 0) time = mine;
  });
  out.add({"allreduce", "one_shot", "inside a kernel", 8, time});
}

void wire(machine& m, report& out) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  run_options options;
  options.arenas = {{2 * bytes + (1 << 20), 1 << 20}};
  for (const bool stores : {true, false}) {
    double rate = 0;
    m.run(
        [&](rank& r) {
          const double mine = stores ? store_rate(r, bytes) : put_rate(r, bytes);
          if (r.id() == 0) rate = mine;
        },
        options);
    out.add({"put", "", stores ? "stores" : "copy engine", bytes,
             static_cast<double>(bytes) / rate * 1e6});
  }
}

void measure(const std::string& spec, const std::string& parts, const selection& what,
             int operations, report& out) {
  auto m = machine::open(spec);
  if (!m[0].is_cuda()) throw usage_error("needs GPUs, not " + spec);
  out.begin(m);
  const auto wanted = [&](const char* part) {
    return parts.empty() || parts.find(part) != std::string::npos;
  };
  if (wanted("wire")) wire(m, out);
  if (wanted("latency")) {
    in_kernel(m, out);
    for (const std::size_t bytes : {8, 64, 512, 4096})
      compare(m, out, small_ops, bytes, what, operations);
  }
  if (wanted("bandwidth"))
    for (const std::size_t bytes : what.sizes) compare(m, out, large_ops, bytes, what, 10);
}

/// "16,256" as numbers or names.
template <class T>
std::vector<T> listed(const std::string& text) {
  std::vector<T> all;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    std::istringstream one(item);
    T value{};
    if (!(one >> value) || !one.eof()) throw usage_error("no list: " + text);
    all.push_back(value);
  }
  return all;
}

std::vector<std::size_t> sizes_of(const std::vector<std::string>& texts) {
  std::vector<std::size_t> all;
  for (const auto& text : texts)
    all.push_back(static_cast<std::size_t>(configuration::parse_bytes(text)));
  return all;
}

}  // namespace

}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  std::vector<std::string> specs;
  std::string parts;
  selection what;
  int operations = 200;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string option = argv[i];
      const auto is = [&](const char* name) { return option == name && i + 1 < argc; };
      if (is("--operations"))
        operations = std::atoi(argv[++i]);
      else if (is("--sizes"))
        what.sizes = sizes_of(listed<std::string>(argv[++i]));
      else if (is("--only"))
        what.only = listed<std::string>(argv[++i]);
      else if (is("--pieces"))
        what.pieces = listed<int>(argv[++i]);
      else if (option.starts_with("--"))
        parts += option;
      else
        specs.push_back(option);
    }
    if (specs.empty()) specs.emplace_back("cuda");
    report out;
    for (const auto& spec : specs) measure(spec, parts, what, operations, out);
    return 0;
  } catch (const gossamer::error& e) {
    std::fprintf(stderr, "bench_gpu_collectives: %s\n", e.what());
    return 1;
  }
}
