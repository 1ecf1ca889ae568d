// lifetime: an identity that copies share, and a word to somebody when the last copy goes.
//
// What others keep for a graph or a machine must go with it, and must not be what keeps it. So what
// they hold has an observer() of its lifetime, and they are told of the end.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace gossamer {

class lifetime {
 public:
  /// Called with the id() of what has ended, by whoever dropped the last copy, on any thread.
  using listener = void (*)(const void* id) noexcept;

  lifetime() : shared_(std::make_shared<watch>()), seen_(shared_) {}

  /// The same for all copies, and nobody else's while one lives; nullptr after the end.
  [[nodiscard]] const void* id() const noexcept { return seen_.lock().get(); }
  /// The same identity, without keeping it from its end. Copies of it are observers, too.
  [[nodiscard]] lifetime observer() const {
    lifetime same(nullptr);
    same.seen_ = seen_;
    return same;
  }
  /// The same for as long as this lives, whatever it is of; after the end, without an identity.
  [[nodiscard]] lifetime holder() const {
    lifetime same(nullptr);
    same.shared_ = seen_.lock();
    same.seen_ = same.shared_;
    return same;
  }
  /// Ends this copy's part in it.
  void end() noexcept {
    seen_.reset();
    shared_.reset();
  }
  /// There is one listener. False after the end.
  bool at_end(listener tell) const noexcept {
    const auto there = seen_.lock();
    if (there) there->tell = tell;
    return there != nullptr;
  }

 private:
  struct watch {
    std::atomic<listener> tell = nullptr;
    watch() = default;
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch() {
      if (const listener to = tell) to(this);
    }
  };
  explicit lifetime(std::nullptr_t) {}

  std::shared_ptr<watch> shared_;
  std::weak_ptr<watch> seen_;
};

}  // namespace gossamer
