// forks: one list of all listeners, locked while fork() copies the process.
#include "gossamer/machine/forks.hpp"

#include <pthread.h>

#include <mutex>
#include <system_error>

namespace gossamer {

struct fork_listeners {
  std::mutex lock;
  fork_listener* first = nullptr;

  void add(fork_listener& one) noexcept {
    const std::lock_guard mine(lock);
    one.next_ = first;
    if (first != nullptr) first->before_ = &one;
    first = &one;
  }

  void remove(fork_listener& one) noexcept {
    const std::lock_guard mine(lock);
    (one.before_ == nullptr ? first : one.before_->next_) = one.next_;
    if (one.next_ != nullptr) one.next_->before_ = one.before_;
  }

  void tell() noexcept {
    for (fork_listener* one = first; one != nullptr; one = one->next_) one->in_child();
  }
};

namespace {

// Never destroyed: static machines go after main.
fork_listeners& all() {
  static auto* made = [] {
    const int code = ::pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                                      [] {
                                        all().tell();
                                        all().lock.unlock();
                                      });
    if (code != 0) throw std::system_error(code, std::generic_category(), "pthread_atfork");
    return new fork_listeners;
  }();
  return *made;
}

}  // namespace

fork_listener::fork_listener() {
  all().add(*this);
}

fork_listener::~fork_listener() {
  all().remove(*this);
}

}  // namespace gossamer
