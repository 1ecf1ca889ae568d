// Texts that name vertices, numbered in the order in which they come.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::io {

/// What these take.
inline std::int64_t text_bytes(const std::vector<std::string>& texts) {
  auto bytes = static_cast<std::int64_t>(texts.capacity() * sizeof(std::string));
  const std::size_t inside = std::string().capacity();
  for (const auto& t : texts)
    if (t.capacity() > inside) bytes += static_cast<std::int64_t>(t.capacity()) + 17;
  return bytes;
}

/// Open addressing with places of texts as slots, of which half are free.
class name_table {
 public:
  std::int64_t number_of(std::string_view text) {
    if (2 * texts_.size() >= slots_.size()) grow();
    std::int64_t& slot = *place(text);
    if (slot < 0) {
      slot = static_cast<std::int64_t>(texts_.size());
      if (text.size() > std::string().capacity())
        long_ += static_cast<std::int64_t>(text.size()) + 17;
      texts_.emplace_back(text);
    }
    return slot;
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(texts_.size()); }
  /// What it takes while it grows.
  [[nodiscard]] std::int64_t bytes() const {
    const std::size_t arrays = texts_.capacity() * sizeof(std::string) + slots_.size() * 8;
    return long_ + static_cast<std::int64_t>(arrays / 2 * 3);
  }
  /// The texts by their numbers; the table is empty then.
  std::vector<std::string> take() {
    slots_ = {};
    return std::exchange(texts_, {});
  }

 private:
  std::int64_t* place(std::string_view text) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>()(text) & mask;
    while (slots_[at] >= 0 && texts_[static_cast<std::size_t>(slots_[at])] != text)
      at = (at + 1) & mask;
    return &slots_[at];
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), -1);
    for (std::size_t i = 0; i < texts_.size(); ++i)
      *place(texts_[i]) = static_cast<std::int64_t>(i);
  }
  std::vector<std::string> texts_;
  std::vector<std::int64_t> slots_;
  std::int64_t long_ = 0;  ///< bytes of texts that lie outside their strings
};

}  // namespace gossamer::io
