// The GPU makes the CPU's bytes; without a GPU or CUDA the error says so.
#include <gtest/gtest.h>

#include "gossamer/graph/generators.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

generate_options on_gpu() {
  generate_options o;
  o.device = 0;
  return o;
}

TEST(GenerateCuda, MakesTheBytesOfTheCpu) {
  for (const char* spec : {"kron:0",
                           "kron:1",
                           "kron:10",
                           "kron:16",
                           "kron:13:7:9",
                           "uniform:15",
                           "uniform:9:3:4",
                           "grid:1x1",
                           "grid:300x41",
                           "road:257",
                           "road:90:0.3:8",
                           "star:700",
                           "path:900",
                           "tree:6:3",
                           "cliques:9x30",
                           "lollipop:70x80",
                           "bipartite:20x500:7:3",
                           "small-world:800:6:200",
                           "mesh:9x8x7",
                           "preferential:900:5:2",
                           "geometric:900:7",
                           "web:900:7:2"})
    for (const bool keep : {false, true}) {
      generate_options o = on_gpu();
      o.keep_duplicates = keep;
      o.weights = true;
      graph gpu;
      try {
        gpu = generate(parse_generator(spec), o);
      } catch (const usage_error& e) {
        GTEST_SKIP() << e.what();
      }
      o.device = -1;
      const graph cpu = generate(parse_generator(spec), o);
      EXPECT_TRUE(test::bytes_of(gpu) == test::bytes_of(cpu)) << spec;
      EXPECT_EQ(gpu.steps, cpu.steps) << spec;
      EXPECT_EQ(gpu.id_width(), cpu.id_width());
    }
}

TEST(GenerateCuda, RefusesADeviceThatIsNotThere) {
  generate_options o = on_gpu();
  o.device = 4096;
  EXPECT_THROW(generate(parse_generator("kron:4"), o), usage_error);
}

TEST(GenerateCuda, PlansPassesForSmallMemory) {
  const auto spec = parse_generator("kron:24");
  EXPECT_EQ(plan_generate(spec, on_gpu(), std::int64_t{100} << 30).device_passes, 1);
  const auto tight = plan_generate(spec, on_gpu(), std::int64_t{4} << 30);
  EXPECT_GT(tight.device_passes, 2);
  EXPECT_LT(tight.device_bytes, std::int64_t{4} << 30);
}

}  // namespace
}  // namespace gossamer
