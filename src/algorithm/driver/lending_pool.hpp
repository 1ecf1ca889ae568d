// Memory of results: lent to them, and taken back for later runs.
//
// The pool outlives its maker: everything lent holds a reference to it. What comes back after it
// was closed, or while enough lies ready, is freed at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gossamer::algorithm_detail {

template <class Block>
class lending_pool : public std::enable_shared_from_this<lending_pool<Block>> {
 public:
  using block = std::unique_ptr<Block>;

  explicit lending_pool(std::function<block()> fresh) : fresh_(std::move(fresh)) {
    idle_.reserve(kept);
  }

  /// Takes the memory of one run now: `blocks` blocks (2 at most), less those that are idle.
  void reserve(std::size_t blocks) {
    std::vector<block> more;
    for (std::size_t missing = blocks - std::min(blocks, idle()); missing > 0; --missing)
      more.push_back(fresh_());
    const std::lock_guard lock(mutex_);
    while (!more.empty() && idle_.size() < kept) {
      idle_.push_back(std::move(more.back()));
      more.pop_back();
    }
  }

  /// A recycled one, or a new one when results of earlier runs are still held.
  block take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return fresh_();
  }

  /// Shared ownership of `b` that ends in this pool.
  std::shared_ptr<Block> lend(block b) {
    return std::shared_ptr<Block>(
        b.release(), [pool = this->shared_from_this()](Block* back) { pool->give(block(back)); });
  }

  /// Its maker is going: nothing is kept from now on.
  void close() noexcept {
    std::vector<block> last;
    const std::lock_guard lock(mutex_);
    open_ = false;
    last.swap(idle_);
  }

 private:
  static constexpr std::size_t kept = 2;

  std::size_t idle() {
    const std::lock_guard lock(mutex_);
    return idle_.size();
  }

  void give(block back) noexcept {
    const std::lock_guard lock(mutex_);
    if (open_ && idle_.size() < kept) idle_.push_back(std::move(back));
  }

  const std::function<block()> fresh_;
  std::mutex mutex_;
  bool open_ = true;
  std::vector<block> idle_;
};

}  // namespace gossamer::algorithm_detail
