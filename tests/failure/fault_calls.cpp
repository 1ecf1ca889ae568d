// The calls that may fail. The linker sends f to __wrap_f. operator new is replaced as the language
// allows; its forms without exceptions are here because AddressSanitizer has its own of whatever is
// not.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <system_error>

#include "failure/faults.hpp"

namespace gossamer::faults {

std::atomic<std::int64_t> blocks_on_a_gpu = 0;

namespace {

constexpr int nothing = -1;
std::atomic<int> armed = nothing;
std::atomic<std::int64_t> calls = 0, fails_at = 0;
std::atomic<bool> lasts = false, ends = false;
std::atomic<std::int64_t> blocks = 0, mapped = 0;

std::int64_t entries_of(const char* folder) {
  std::int64_t n = 0;
  if (DIR* d = ::opendir(folder)) {
    while (::readdir(d) != nullptr) ++n;
    ::closedir(d);
  }
  return n;
}

}  // namespace

void arm(kind of, std::int64_t at, bool lasting) noexcept {
  calls = 0;
  fails_at = at;
  lasts = lasting;
  armed = static_cast<int>(of);
}

void arm_end(kind of, std::int64_t at) noexcept {
  ends = true;
  arm(of, at, false);
}

std::int64_t disarm() noexcept {
  armed = nothing;
  return calls;
}

bool reached() noexcept {
  return calls >= fails_at;
}

bool fails(kind of) noexcept {
  if (armed.load(std::memory_order_relaxed) != static_cast<int>(of)) return false;
  const std::int64_t now = calls.fetch_add(1) + 1;
  if (ends && now == fails_at) ::kill(::getpid(), SIGKILL);
  return now == fails_at || (lasts && now > fails_at);
}

holdings held() {
  // The folder that is read is a file, too: of both looks.
  return {blocks, mapped, blocks_on_a_gpu, entries_of("/proc/self/task"),
          entries_of("/proc/self/fd")};
}

}  // namespace gossamer::faults

namespace {

using gossamer::faults::fails;
using gossamer::faults::kind;

void* counted(void* p) noexcept {
  if (p != nullptr) ++gossamer::faults::blocks;
  return p;
}

bool short_of_memory() noexcept {
  if (!fails(kind::memory)) return false;
  errno = ENOMEM;
  return true;
}

/// On files calls fail as on a full disk, unless they say otherwise.
bool broken(int code = ENOSPC) noexcept {
  if (!fails(kind::files)) return false;
  errno = code;
  return true;
}

}  // namespace

extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t n, std::size_t bytes);
void* __real_realloc(void* p, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
int __real_posix_memalign(void** p, std::size_t alignment, std::size_t bytes);
void __real_free(void* p);
void* __real_mmap(void* at, std::size_t bytes, int may, int flags, int file, off_t from);
void* __real_mremap(void* p, std::size_t old, std::size_t bytes, int flags);
int __real_munmap(void* p, std::size_t bytes);
int __real_open(const char* path, int flags, mode_t mode);
int __real_memfd_create(const char* name, unsigned flags);
ssize_t __real_read(int file, void* data, std::size_t bytes);
ssize_t __real_write(int file, const void* data, std::size_t bytes);
ssize_t __real_pwrite(int file, const void* data, std::size_t bytes, off_t at);
int __real_ftruncate(int file, off_t bytes);
int __real_fsync(int file);
int __real_linkat(int from, const char* path, int to, const char* name, int flags);
int __real_rename(const char* from, const char* to);
int __real_close(int file);
pid_t __real_fork();
// std::thread::_M_start_thread: what every thread of C++ is started by.
#define GOSSAMER_START_THREAD(when) \
  when##_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
void GOSSAMER_START_THREAD(__real_)(void* thread, void* state, void (*depends)());

void* __wrap_malloc(std::size_t bytes) {
  return short_of_memory() ? nullptr : counted(__real_malloc(bytes));
}
void* __wrap_calloc(std::size_t n, std::size_t bytes) {
  return short_of_memory() ? nullptr : counted(__real_calloc(n, bytes));
}
void* __wrap_realloc(void* p, std::size_t bytes) {
  if (short_of_memory()) return nullptr;
  void* const now = __real_realloc(p, bytes);
  return p == nullptr ? counted(now) : now;
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return short_of_memory() ? nullptr : counted(__real_aligned_alloc(alignment, bytes));
}
int __wrap_posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
  if (short_of_memory()) return ENOMEM;
  const int code = __real_posix_memalign(p, alignment, bytes);
  if (code == 0) counted(*p);
  return code;
}
void __wrap_free(void* p) {
  if (p != nullptr) --gossamer::faults::blocks;
  __real_free(p);
}

void* __wrap_mmap(void* at, std::size_t bytes, int may, int flags, int file, off_t from) {
  if (short_of_memory()) return MAP_FAILED;
  void* const p = __real_mmap(at, bytes, may, flags, file, from);
  if (p != MAP_FAILED) gossamer::faults::mapped += static_cast<std::int64_t>(bytes);
  return p;
}
void* __wrap_mremap(void* p, std::size_t old, std::size_t bytes, int flags) {
  if (short_of_memory()) return MAP_FAILED;
  void* const now = __real_mremap(p, old, bytes, flags);
  if (now != MAP_FAILED)
    gossamer::faults::mapped += static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(old);
  return now;
}
int __wrap_munmap(void* p, std::size_t bytes) {
  gossamer::faults::mapped -= static_cast<std::int64_t>(bytes);
  return __real_munmap(p, bytes);
}

void GOSSAMER_START_THREAD(__wrap_)(void* thread, void* state, void (*depends)()) {
  if (fails(kind::threads)) throw std::system_error(EAGAIN, std::generic_category());
  GOSSAMER_START_THREAD(__real_)(thread, state, depends);
}
pid_t __wrap_fork() {
  if (!fails(kind::threads)) return __real_fork();
  errno = EAGAIN;
  return -1;
}

int __wrap_open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return broken(EMFILE) ? -1 : __real_open(path, flags, mode);
}
int __wrap_memfd_create(const char* name, unsigned flags) {
  return broken(EMFILE) ? -1 : __real_memfd_create(name, flags);
}
ssize_t __wrap_read(int file, void* data, std::size_t bytes) {
  return broken(EIO) ? -1 : __real_read(file, data, bytes);
}
ssize_t __wrap_write(int file, const void* data, std::size_t bytes) {
  return broken() ? -1 : __real_write(file, data, bytes);
}
ssize_t __wrap_pwrite(int file, const void* data, std::size_t bytes, off_t at) {
  return broken() ? -1 : __real_pwrite(file, data, bytes, at);
}
int __wrap_ftruncate(int file, off_t bytes) {
  return broken() ? -1 : __real_ftruncate(file, bytes);
}
int __wrap_fsync(int file) {
  return broken(EIO) ? -1 : __real_fsync(file);
}
int __wrap_linkat(int from, const char* path, int to, const char* name, int flags) {
  return broken() ? -1 : __real_linkat(from, path, to, name, flags);
}
int __wrap_rename(const char* from, const char* to) {
  return broken() ? -1 : __real_rename(from, to);
}
/// It is closed all the same, as the kernel does.
int __wrap_close(int file) {
  const int code = __real_close(file);
  return broken(EIO) ? -1 : code;
}
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return short_of_memory() ? nullptr : counted(__real_malloc(bytes != 0 ? bytes : 1));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  const auto a = static_cast<std::size_t>(alignment);
  return short_of_memory() ? nullptr : counted(__real_aligned_alloc(a, (bytes + a - 1) / a * a));
}
void* operator new(std::size_t bytes) {
  if (void* p = operator new(bytes, std::nothrow)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* p = operator new(bytes, alignment, std::nothrow)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  __wrap_free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  __wrap_free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  __wrap_free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  __wrap_free(p);
}
