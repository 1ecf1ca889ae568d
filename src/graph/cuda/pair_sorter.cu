// pair_sorter: CUB's stable radix sort by weight and then by key; or by key alone, where the
// smallest weight of each key is all that is kept.
#include "graph/cuda/pair_sorter.cuh"

#include <bit>
#include <cub/cub.cuh>

namespace gossamer::detail {

namespace {

struct smaller {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

}  // namespace

template <class Bits>
pair_sorter<Bits>::pair_sorter(int ordinal, std::int64_t capacity)
    : kept_(memory_kind::device, ordinal, 1) {
  const auto room = static_cast<std::size_t>(capacity);
  for (int i = 0; i < 2; ++i) {
    keys_[i] = buffer<key_type>(memory_kind::device, ordinal, room);
    bits_[i] = buffer<Bits>(memory_kind::device, ordinal, room);
  }
  cub::DoubleBuffer<key_type> keys(keys_[0].data(), keys_[1].data());
  cub::DoubleBuffer<Bits> bits(bits_[0].data(), bits_[1].data());
  std::size_t by_weight = 0, by_key = 0, dropping = 0;
  GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, by_weight, bits, keys, capacity));
  GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, by_key, keys, bits, capacity));
  GOSSAMER_CHECK_CUDA(cub::DeviceReduce::ReduceByKey(
      nullptr, dropping, keys_[0].data(), keys_[1].data(), bits_[0].data(), bits_[1].data(),
      kept_.data(), smaller{}, capacity));
  space_ = buffer<char>(memory_kind::device, ordinal, std::max({by_weight, by_key, dropping}));
}

template <class Bits>
std::int64_t pair_sorter<Bits>::sort(std::int64_t count, int key_bits, std::uint64_t differing,
                                     bool drop, waited_stream& on) {
  cub::DoubleBuffer<key_type> keys(keys_[0].data(), keys_[1].data());
  cub::DoubleBuffer<Bits> bits(bits_[0].data(), bits_[1].data());
  std::size_t bytes = space_.size();
  if (count > 0 && !drop && differing != 0)
    GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(
        space_.data(), bytes, bits, keys, count, std::countr_zero(differing),
        static_cast<int>(std::bit_width(differing)), on.native()));
  bytes = space_.size();
  if (count > 0)
    GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(space_.data(), bytes, keys, bits, count, 0,
                                                        key_bits, on.native()));
  sorted_keys_ = keys.Current();
  sorted_bits_ = bits.Current();
  if (!drop || count == 0) return count;
  bytes = space_.size();
  GOSSAMER_CHECK_CUDA(cub::DeviceReduce::ReduceByKey(
      space_.data(), bytes, keys.Current(), keys.Alternate(), bits.Current(), bits.Alternate(),
      kept_.data(), smaller{}, count, on.native()));
  sorted_keys_ = keys.Alternate();
  sorted_bits_ = bits.Alternate();
  on.wait();
  return value_at(kept_.data(), 0);
}

template class pair_sorter<std::uint32_t>;
template class pair_sorter<std::uint64_t>;

}  // namespace gossamer::detail
