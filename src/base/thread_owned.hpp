// One T for each thread, made when the thread first asks and deleted when it ends.
//
// A thread_local T would do, but for two things. Its bytes are laid out for every thread there is,
// and what the C library cannot lay out when a thread starts, or when a destructor is noted, ends
// the process. Here a thread has a pointer, and what finds no memory throws std::bad_alloc.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace gossamer {

template <class T>
class thread_owned {
 public:
  static T& mine() {
    if (here == nullptr) make();
    return *here;
  }

 private:
  static void make() {
    auto made = std::make_unique<T>();
    if (pthread_setspecific(key(), made.get()) != 0) throw std::bad_alloc();
    here = made.release();
  }

  /// Its value is what a thread's end deletes. One for each T, for good.
  static pthread_key_t key() {
    static const pthread_key_t made = [] {
      pthread_key_t k{};
      if (pthread_key_create(&k, end) != 0) throw std::bad_alloc();
      return k;
    }();
    return made;
  }

  static void end(void* at) {
    here = nullptr;
    delete static_cast<T*>(at);
  }

  static inline thread_local constinit T* here = nullptr;
};

}  // namespace gossamer
