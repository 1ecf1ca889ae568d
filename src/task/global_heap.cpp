// Symmetric allocation: that all ranks ask for the same is checked before memory is taken.
#include "gossamer/task/global_heap.hpp"

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

// What a rank asks for, as the others see it.
struct wish {
  std::int64_t number, size, block, element;  ///< block 0: one range, `size` elements here
  [[nodiscard]] bool same(const wish& other) const {
    return number == other.number && block == other.block && element == other.element &&
           (block == 0 || size == other.size);
  }
  [[nodiscard]] std::string text() const {
    const std::string kind =
        block == 0 ? "its own elements"
                   : std::to_string(size) + " elements in blocks of " + std::to_string(block);
    return "allocation " + std::to_string(number) + " of " + kind + " of " +
           std::to_string(element) + " bytes";
  }
};

std::vector<wish> wishes_of_all(rank& r, const wish& mine) {
  std::vector<wish> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  // Ranks compare with rank 0, so that all of them come to the same end.
  for (std::size_t i = 1; i < all.size(); ++i)
    require(all[i].same(all[0]), "global_heap: rank 0 asks for " + all[0].text() + ", rank " +
                                     std::to_string(i) + " for " + all[i].text());
  return all;
}

}  // namespace

global_heap::global_heap(rank& r) : rank_(&r) {
  if (r.dev().is_cuda())
    throw not_compiled("global_heap on GPUs", "tasks are for CPU and modelled ranks");
}

global_allocation& global_heap::allocate_cyclic(std::int64_t size, std::int64_t block,
                                                std::size_t element) {
  const auto number = static_cast<std::int64_t>(allocations_.size()) + 1;
  require(block >= 1, "global_heap: a block needs an element at least");
  wishes_of_all(*rank_, {number, size, block, static_cast<std::int64_t>(element)});
  return add(global_layout::cyclic(size, block, rank_->size()), element);
}

global_allocation& global_heap::allocate_ranges(std::int64_t here, std::size_t element) {
  const auto number = static_cast<std::int64_t>(allocations_.size()) + 1;
  std::vector<std::int64_t> sizes;
  for (const wish& w : wishes_of_all(*rank_, {number, here, 0, static_cast<std::int64_t>(element)}))
    sizes.push_back(w.size);
  return add(global_layout::owned(sizes), element);
}

global_allocation& global_heap::add(global_layout layout, std::size_t element) {
  require(allocations_.size() < std::numeric_limits<std::uint16_t>::max(),
          "global_heap: 65535 allocations are all that addresses can name");
  require(layout.size() <= static_cast<std::int64_t>(global_address<char>::index_mask),
          "global_heap: an allocation has 2^48 - 1 elements at most");
  const auto mine = static_cast<std::size_t>(layout.count(rank_->id()));
  // A window, so that its place in the arena is checked and its peers may read it in bulk.
  const auto memory = rank_->make_window<std::byte>(mine * element);
  auto& a = *allocations_.emplace_back(std::make_unique<global_allocation>());
  a.id = static_cast<std::uint16_t>(allocations_.size());
  a.element = element;
  a.rank = rank_->id();
  a.layout = std::move(layout);
  a.data = memory.local().data();
  return a;
}

void global_heap::leads_nowhere(std::uint16_t id, std::int64_t index) const {
  if (id == 0) throw usage_error("global_heap: the null address leads to no element");
  if (id > allocations_.size())
    throw usage_error("global_heap: there is no allocation " + std::to_string(id) + " (" +
                      std::to_string(allocations_.size()) + " have been made)");
  throw usage_error("global_heap: element " + std::to_string(index) + " of allocation " +
                    std::to_string(id) + ", which has " +
                    std::to_string(allocations_[id - std::size_t{1}]->layout.size()));
}

}  // namespace gossamer
