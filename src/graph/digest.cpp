// Digests blocks of 1 MiB by several threads and then their digests. What was computed for an array
// that still lives is remembered.
#include "gossamer/graph/digest.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "graph/parallel.hpp"

namespace gossamer {

namespace {

constexpr std::int64_t block_bytes = std::int64_t{1} << 20;

/// What is known of an array. Whoever keeps `owner` keeps the bytes, which never change.
struct known_array {
  std::weak_ptr<void> owner;
  const void* data;
  std::size_t bytes;
  std::uint64_t digest;
};

/// Of what is known of arrays, by their types. fork() waits for it, which is held for moments.
std::mutex& known_lock() {
  static std::mutex lock;
  static const int forks = ::pthread_atfork(
      [] { known_lock().lock(); }, [] { known_lock().unlock(); }, [] { known_lock().unlock(); });
  static_cast<void>(forks);
  return lock;
}

template <class T>
std::uint64_t digest_array(const shared_array<T>& a, int threads, const std::stop_token& stop) {
  static std::vector<known_array> known;
  const auto bytes = std::as_bytes(std::span<const T>(a.span()));
  if (a.owner() == nullptr) return digest_of(bytes, threads, stop);
  {
    const std::lock_guard lock(known_lock());
    std::erase_if(known, [](const known_array& k) { return k.owner.expired(); });
    for (const known_array& k : known)
      if (k.owner.lock() == a.owner() && k.data == a.data() && k.bytes == bytes.size())
        return k.digest;
  }
  const std::uint64_t digest = digest_of(bytes, threads, stop);
  const std::lock_guard lock(known_lock());
  known.push_back({a.owner(), a.data(), bytes.size(), digest});
  return digest;
}

}  // namespace

std::uint64_t digest_of(std::span<const std::byte> bytes, int threads,
                        const std::stop_token& stop) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::int64_t blocks = (size + block_bytes - 1) / block_bytes;
  std::vector<std::uint64_t> of_blocks(static_cast<std::size_t>(blocks));
  detail::parallel_blocks(
      blocks < 4 ? 1 : detail::resolve_threads(threads), blocks, [&](int, std::int64_t block) {
        detail::check_stop(stop, "comparing what processes have");
        const std::int64_t first = block * block_bytes;
        const std::int64_t length = std::min(block_bytes, size - first);
        of_blocks[static_cast<std::size_t>(block)] = digest_of(
            bytes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)));
      });
  return digest_of(std::as_bytes(std::span<const std::uint64_t>(of_blocks)));
}

std::uint64_t digest_of(const graph& g, int threads, const std::stop_token& stop) {
  const auto of = [&](const auto& array) -> std::uint64_t {
    if constexpr (std::is_same_v<std::decay_t<decltype(array)>, std::monostate>)
      return 0;
    else
      return digest_array(array, threads, stop);
  };
  return digest_of({g.indices.index(), g.weights.index(), g.symmetric, g.sorted, of(g.offsets),
                    std::visit(of, g.indices), std::visit(of, g.weights)});
}

}  // namespace gossamer
