// Starting a plan allocates nothing: operator new is counted, by thread.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "unit/collective/collective_fixture.hpp"
#include "unit/collective/plan_cases.hpp"

namespace {
thread_local std::size_t allocations = 0;

void* counted(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t n) {
  return counted(n);
}
void* operator new[](std::size_t n) {
  return counted(n);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete[](void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  std::free(p);
}

namespace gossamer {
namespace {

TEST(plan_allocations, starting_and_waiting_allocate_nothing) {
  const auto before = allocations;
  delete new int(1);
  ASSERT_NE(allocations, before) << "the counter does not count";
  for (const int p : {2, 3}) {
    auto m = open_cpu(p);
    for (const auto& a : collective_algorithms())
      m.run(
          [&](rank& r) {
            plan_cases::variant v;
            v.count = 9;
            std::vector<double> in(9 * static_cast<std::size_t>(p)), out(in.size());
            std::size_t sent = 0, received = 0;
            for (int k = 0; k < p; ++k) {
              sent += plan_cases::pair_count(r.id(), k);
              received += plan_cases::pair_count(k, r.id());
            }
            const bool whole_in = a.op == collective_op::scatter ||
                                  a.op == collective_op::reduce_scatter ||
                                  a.op == collective_op::all_to_all;
            const bool whole_out = a.op == collective_op::gather ||
                                   a.op == collective_op::allgather ||
                                   a.op == collective_op::all_to_all;
            if (!whole_in) in.resize(9);
            if (!whole_out) out.resize(9);
            if (a.op == collective_op::all_to_all_v) in.resize(sent), out.resize(received);
            plan_options options;
            options.algorithm = a.name;
            auto plan = plan_cases::make_plan<double>(r, a.op, in, out, v, options);
            const auto first = allocations;
            for (int e = 0; e < 5; ++e) plan.run();
            EXPECT_EQ(allocations, first) << name_of(a.op) << ' ' << a.name;
          },
          bounded());
  }
}

}  // namespace
}  // namespace gossamer
