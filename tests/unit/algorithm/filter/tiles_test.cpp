// Filter's kernels on arrays in a GPU's memory: in the input's order, and as tiles with their
// table; sizes about those of tiles, all types, nothing and everything kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "algorithm/filter/gpu.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/memory.hpp"
#include "message_of.hpp"

namespace gossamer::filter_detail {
namespace {

template <class T>
class FilterKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  }
};
using elements = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(FilterKernels, elements);

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  std::vector<T> v(n);
  for (auto& x : v) x = static_cast<T>(random() % 100);
  return v;
}

template <class T>
std::vector<T> kept_of(std::span<const T> in, const filter_interval<T>& keep) {
  std::vector<T> out;
  std::copy_if(in.begin(), in.end(), std::back_inserter(out), keep);
  return out;
}

template <class T>
std::vector<T> downloaded(const buffer<T>& from, std::size_t n) {
  std::vector<T> v(n);
  copy_bytes(v.data(), from.data(), n * sizeof(T));
  return v;
}

void finish(const device& d, const stream& on) {
  event done(d.ordinal);
  done.record(on);
  done.block(stream());
}

template <class T>
void check(std::size_t n, const filter_interval<T>& keep) {
  SCOPED_TRACE(n);
  constexpr std::size_t tile = tile_elements<T>;
  const device d = cuda_devices().front();
  const stream on(d);
  const auto input = numbers<T>(n);
  const auto right = kept_of<T>(input, keep);
  auto in = make_native_buffer<T>(d, n), out = make_native_buffer<T>(d, n);
  auto places = make_native_buffer<std::uint64_t>(d, (n + tile - 1) / tile);
  copy_bytes(in.data(), input.data(), n * sizeof(T));
  const auto kernel = make_gpu_compactor<T>(d, n, keep);

  kernel->compact(in.span(), out.span(), on);
  finish(d, on);
  ASSERT_EQ(kernel->kept(), right.size());
  EXPECT_EQ(downloaded(out, right.size()), right);

  kernel->compact_tiles(in.span(), out.span(), places.span(), on);
  finish(d, on);
  ASSERT_EQ(kernel->kept(), right.size());
  const auto found = downloaded(out, right.size());
  std::size_t all = 0;
  const auto table = downloaded(places, places.size());
  for (std::size_t t = 0; t < table.size(); ++t) {
    const auto begin = static_cast<std::ptrdiff_t>(table[t] >> tile_place_bits);
    const std::size_t many = table[t] & ((1U << tile_place_bits) - 1);
    const auto want =
        kept_of<T>(std::span<const T>(input).subspan(t * tile, std::min(tile, n - t * tile)), keep);
    ASSERT_EQ(many, want.size()) << "tile " << t;
    ASSERT_TRUE(std::equal(want.begin(), want.end(), found.begin() + begin)) << "tile " << t;
    all += many;
  }
  EXPECT_EQ(all, right.size());
}

TYPED_TEST(FilterKernels, KeepWhatTheIntervalSays) {
  constexpr std::size_t tile = tile_elements<TypeParam>;
  for (const std::size_t n : {std::size_t{1}, std::size_t{31}, tile - 1, tile, tile + 1,
                              7 * tile + 5, 100 * tile, std::size_t{1000003}}) {
    check<TypeParam>(n, {10, 39, false});
    check<TypeParam>(n, {10, 39, true});
    check<TypeParam>(n, {0, 99, false});
    check<TypeParam>(n, {200, 300, false});
  }
}

TYPED_TEST(FilterKernels, RefuseWhatDoesNotFit) {
  const device d = cuda_devices().front();
  const stream on(d);
  auto in = make_native_buffer<TypeParam>(d, 100), out = make_native_buffer<TypeParam>(d, 100);
  auto none = make_native_buffer<std::uint64_t>(d, 0);
  const auto kernel = make_gpu_compactor<TypeParam>(d, 10, {1, 2, false});
  expect_contains(message_of<usage_error>([&] { kernel->compact(in.span(), out.span(), on); }),
                  "a segment longer than was said");
  expect_contains(message_of<usage_error>(
                      [&] { kernel->compact_tiles(in.span(), out.span(), none.span(), on); }),
                  "tiles need a place each");
}

}  // namespace
}  // namespace gossamer::filter_detail
