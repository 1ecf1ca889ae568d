// What the mutators of structure have in common: draws, numbers that readers stumble over, and
// changes of arrays.
//
// A mutator takes a file apart into fields and arrays, changes some of them, and writes a file
// whose lengths and checksums are right again, but for a few that are wrong on purpose. So
// mutations reach the checks behind the frame. What cannot be taken apart is changed byte by byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gossamer::fuzz {

class mutation {
 public:
  explicit mutation(unsigned seed) : random_(seed) {}

  /// Below n, which is positive.
  std::size_t below(std::size_t n) { return random_() % n; }
  bool once_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }

  /// Near the old value, near the ends of types, or anything.
  std::int64_t number(std::int64_t old) {
    static constexpr std::int64_t edges[] = {0,
                                             1,
                                             -1,
                                             2,
                                             7,
                                             8,
                                             255,
                                             256,
                                             65535,
                                             65536,
                                             INT32_MAX,
                                             INT64_C(1) << 31,
                                             UINT32_MAX,
                                             INT64_C(1) << 32,
                                             INT64_C(1) << 53,
                                             INT64_MAX,
                                             INT64_MIN,
                                             INT64_MIN + 1};
    const auto bits = static_cast<std::uint64_t>(old);
    switch (below(6)) {
      case 0:
        return static_cast<std::int64_t>(bits + 1);
      case 1:
        return static_cast<std::int64_t>(bits - 1);
      case 2:
        return one_of(edges);
      case 3:
        return static_cast<std::int64_t>(bits ^ std::uint64_t{1} << below(64));
      case 4:
        return static_cast<std::int64_t>(below(10));
      default:
        return static_cast<std::int64_t>(bits * 2);
    }
  }

  /// By libFuzzer itself, with its dictionary; at most `most` bytes afterwards.
  void bytes(std::string& text, std::size_t most) {
    const std::size_t room = std::max<std::size_t>(std::min(most, text.size() + 64), 1);
    std::string buffer = text.substr(0, room);
    const std::size_t used = buffer.size();
    buffer.resize(room);
    auto* data = reinterpret_cast<std::uint8_t*>(buffer.data());
    buffer.resize(LLVMFuzzerMutate(data, used, room));
    text = std::move(buffer);
  }

  /// An array of elements of `width` bytes: one changes, appears, goes, or takes another's place.
  void elements(std::string& array, std::size_t width, std::size_t most) {
    const std::size_t count = array.size() / width;
    const auto at = [&](std::size_t i) { return array.data() + i * width; };
    if (count == 0 || (once_in(5) && array.size() + width <= most)) {
      const std::string copied =
          count == 0 ? std::string(width, '\0') : array.substr(below(count) * width, width);
      array.insert(below(count + 1) * width, copied);
      return;
    }
    const std::size_t i = below(count);
    if (once_in(6)) {
      array.erase(i * width, width);
    } else if (once_in(5)) {
      std::swap_ranges(at(i), at(i) + width, at(below(count)));
    } else {
      std::int64_t value = 0;
      std::memcpy(&value, at(i), std::min<std::size_t>(width, 8));
      value = number(value);
      std::memcpy(at(i), &value, std::min<std::size_t>(width, 8));
    }
  }

 private:
  std::minstd_rand random_;
};

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Little-endian numbers front to back; `failed` once they have run out.
class taker {
 public:
  explicit taker(std::string_view left) : left_(left) {}
  template <class T>
  T take() {
    T value{};
    const std::string bytes = take_bytes(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::string take_bytes(std::uint64_t count) {
    failed = failed || count > left_.size();
    if (failed) return {};
    std::string bytes(left_.substr(0, count));
    left_.remove_prefix(count);
    return bytes;
  }
  bool failed = false;

 private:
  std::string_view left_;
};

/// Runs one mutator for libFuzzer: `Description::decode` tells whether it understood the file.
template <class Description>
std::size_t mutate_as(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  mutation by(seed);
  Description file;
  if (by.once_in(20) || !file.decode({reinterpret_cast<const char*>(data), size})) {
    if (!by.once_in(4)) return LLVMFuzzerMutate(data, size, most);
    file = Description::example();
  }
  do file.mutate(by, most);
  while (by.once_in(2));
  const std::string made = file.encode(by);
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

}  // namespace gossamer::fuzz
