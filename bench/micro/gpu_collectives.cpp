// Collectives on GPUs beside NCCL in one run, as one JSON object on standard output.
//
//   bench_gpu_collectives [SPEC] [--latency] [--bandwidth] [--wire] [--operations N]
//
// latency: each of the operations at 8 B to 4 KiB, every algorithm as one kernel, N dependent
// operations in a captured graph; and an allreduce called from inside a kernel. bandwidth: 1 MiB to
// 256 MiB, by one kernel and by steps (copy engines). wire: one pair, stores and copy engine.
// Without a part all three. Every plan's result is compared with the sequential one first.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/memory.hpp"
#include "gpu_collectives.hpp"

namespace gossamer::bench {

namespace {

const std::vector<collective_op> small_ops = {collective_op::broadcast, collective_op::scatter,
                                              collective_op::gather,    collective_op::reduce,
                                              collective_op::allgather, collective_op::allreduce};
const std::vector<collective_op> large_ops = {collective_op::broadcast, collective_op::reduce,
                                              collective_op::allgather, collective_op::allreduce};

bool has_root(collective_op op) {
  return op == collective_op::broadcast || op == collective_op::scatter ||
         op == collective_op::gather || op == collective_op::reduce;
}

/// Roots of a chain: from one operation to the next by strides of 1, 2, … p - 1 in turn, so that
/// every pair of neighbours occurs and no algorithm's own order is favoured.
int root_of(int k, int ranks) {
  int root = 0;
  for (int i = 0; i < k; ++i) root = (root + 1 + i % std::max(ranks - 1, 1)) % ranks;
  return root;
}

/// What rank `r` contributes at element `i`; sums of a few are exact.
double contribution(int r, std::size_t i) {
  return static_cast<double>((static_cast<std::size_t>(r) * 7919 + i * 31) % 1021);
}

/// One operation with all its roots' plans, on its own buffers.
struct chain {
  collective_op op;
  std::size_t count;
  std::span<double> in;
  window<double> out;
  std::vector<collective_plan> plans;  ///< by root

  chain(rank& r, collective_op what, std::size_t n, const std::string& algorithm,
        plan_runner runner)
      : op(what), count(n) {
    const auto e = extent_of(op, r.size(), n);
    in = r.scratch<double>(e.in);
    out = r.make_window<double>(e.out);
    std::vector<double> host(e.in);
    for (std::size_t i = 0; i < e.in; ++i) host[i] = contribution(r.id(), i);
    copy_bytes(in.data(), host.data(), in.size_bytes());
    plan_options o;
    o.algorithm = algorithm;
    o.runner = runner;
    for (int root = 0; root < (has_root(op) ? r.size() : 1); ++root)
      plans.push_back(plan_collective<double>(r, op, root, n, in, out, reduction::sum, o));
  }
  void run(int root) { plans[static_cast<std::size_t>(root) % plans.size()].run(); }

  [[nodiscard]] double expected(int self, int ranks, std::size_t i) const {
    double sum = 0;
    switch (op) {
      case collective_op::broadcast:
        return contribution(0, i);
      case collective_op::scatter:
        return contribution(0, static_cast<std::size_t>(self) * count + i);
      case collective_op::gather:
      case collective_op::allgather:
        return contribution(static_cast<int>(i / count), i % count);
      default:
        for (int r = 0; r < ranks; ++r) sum += contribution(r, i);
        return sum;
    }
  }
  /// One operation from root 0, compared with what it must give.
  void verify(rank& r) {
    if (op == collective_op::broadcast && r.id() == 0)
      copy_bytes(out.local().data(), in.data(), in.size_bytes());
    r.synchronize();
    run(0);
    r.synchronize();
    if (r.id() != 0 && (op == collective_op::gather || op == collective_op::reduce)) return;
    // All of a short result; of a long one pieces from everywhere, the last element among them.
    constexpr std::size_t piece = 1 << 16, pieces = 64;
    const std::size_t n = out.local().size(), step = std::max(piece, n / pieces);
    for (std::size_t at = 0; at < n; at += step) {
      const std::size_t begin = at + step >= n && n > piece ? n - piece : at;
      std::vector<double> got(std::min(piece, n - begin));
      copy_bytes(got.data(), out.local().data() + begin, got.size() * sizeof(double));
      for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != expected(r.id(), r.size(), begin + i))
          throw verification_error(std::string(name_of(op)) + ": wrong element " +
                                   std::to_string(begin + i));
    }
  }
};

run_options room_for(collective_op op, int ranks, std::size_t bytes, const std::string& algorithm) {
  run_options options;
  collective_request q;
  q.op = op;
  q.ranks = ranks;
  q.count = bytes / sizeof(double);
  q.element = sizeof(double);
  q.direct = false;
  const auto e = extent_of(op, ranks, q.count);
  for (int r = 0; r < ranks; ++r) {
    arena_plan plan{(e.in + e.out) * sizeof(double) + (1 << 20), 1 << 20};
    for (int root = 0; !algorithm.empty() && root < (has_root(op) ? ranks : 1); ++root) {
      q.root = root;
      const auto one = bytes_needed(schedule(q, algorithm), r);
      plan.native += one.native;
      plan.host += one.host;
    }
    options.arenas.push_back(plan);
  }
  return options;
}

class report {
 public:
  explicit report(const machine& m) {
    std::printf("{\"bench\": \"gpu_collectives\", \"machine\": \"%s\", \"devices\": [",
                m.spec().c_str());
    for (int r = 0; r < m.size(); ++r)
      std::printf("%s\"%s\"", r == 0 ? "" : ", ", m[r].name.c_str());
    std::printf("], \"nccl\": \"%s\", \"results\": [", rival::version().c_str());
  }
  void add(const measurement& x) {
    std::printf(
        "%s\n  {\"operation\": \"%s\", \"algorithm\": \"%s\", \"by\": \"%s\", \"bytes\": "
        "%zu, \"microseconds\": %.3f}",
        first_ ? "" : ",", x.operation.c_str(), x.algorithm.c_str(), x.by.c_str(), x.bytes,
        x.microseconds);
    std::fflush(stdout);
    first_ = false;
  }
  ~report() { std::printf("\n]}\n"); }

 private:
  bool first_ = true;
};

double time_plan(machine& m, const algorithm_info& a, std::size_t bytes, plan_runner runner,
                 int operations) {
  double result = 0;
  m.run(
      [&](rank& r) {
        chain c(r, a.op, bytes / sizeof(double), std::string(a.name), runner);
        c.verify(r);
        const auto one = [&](int k, cudaStream_t) { c.run(root_of(k, r.size())); };
        const int launches = 21;
        // Steps number their epochs on the host, so a graph of them cannot be replayed.
        const double time = runner == plan_runner::one_kernel
                                ? time_in_graph(r, one, operations, launches)
                                : time_in_stream(r, one, operations, launches);
        c.verify(r);
        if (r.id() == 0) result = time;
      },
      room_for(a.op, m.size(), bytes, std::string(a.name)));
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
      room_for(op, m.size(), bytes, ""));
  return result;
}

void compare(machine& m, report& out, const std::vector<collective_op>& ops, std::size_t bytes,
             int operations) {
  const bool steps_too = bytes >= 1 << 20;
  for (const auto op : ops) {
    const std::string name(name_of(op));
    for (const auto& a : collective_algorithms()) {
      if (a.op != op || a.host_scratch) continue;
      out.add({name, std::string(a.name), "one_kernel", bytes,
               time_plan(m, a, bytes, plan_runner::one_kernel, operations)});
      if (steps_too)
        out.add({name, std::string(a.name), "steps", bytes,
                 time_plan(m, a, bytes, plan_runner::steps, operations)});
    }
    if (rival::compiled_in())
      out.add({name, "", "nccl", bytes, time_rival(m, op, bytes, operations)});
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

int measure(const std::string& spec, const std::string& parts, int operations) {
  auto m = machine::open(spec);
  if (!m[0].is_cuda()) throw usage_error("bench_gpu_collectives: needs GPUs, not " + spec);
  report out(m);
  const auto wanted = [&](const char* part) {
    return parts.empty() || parts.find(part) != std::string::npos;
  };
  if (wanted("wire")) wire(m, out);
  if (wanted("latency")) {
    in_kernel(m, out);
    for (const std::size_t bytes : {8, 64, 512, 4096})
      compare(m, out, small_ops, bytes, operations);
  }
  if (wanted("bandwidth"))
    for (const std::size_t mib : {1, 16, 256}) compare(m, out, large_ops, mib << 20, 10);
  return 0;
}

}  // namespace

}  // namespace gossamer::bench

int main(int argc, char** argv) {
  std::string spec = "cuda", parts;
  int operations = 200;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--operations") == 0 && i + 1 < argc)
      operations = std::atoi(argv[++i]);
    else if (std::strncmp(argv[i], "--", 2) == 0)
      parts += argv[i];
    else
      spec = argv[i];
  }
  try {
    return gossamer::bench::measure(spec, parts, operations);
  } catch (const gossamer::error& e) {
    std::fprintf(stderr, "bench_gpu_collectives: %s\n", e.what());
    return 1;
  }
}
