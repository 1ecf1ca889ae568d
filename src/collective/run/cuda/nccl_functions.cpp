// Opens NCCL by dlopen() at first use and looks its functions up, so that a build does not link it.
#include "collective/run/cuda/nccl_functions.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace gossamer::nccl {

namespace {

/// By the loader's own search, else from the folder it was in at build time. Never closed: its
/// threads and exit handlers may outlive any owner.
void* open() {
  const std::string file = "libnccl.so." + std::to_string(NCCL_MAJOR);
  if (void* found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  const std::string why = dlerror();
  if (void* found = dlopen((GOSSAMER_NCCL_FOLDER "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL))
    return found;
  throw usage_error("nccl: " + why);
}

template <class Function>
void find(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw usage_error(std::string("nccl: no function ") + name);
}

functions load() {
  // Connections are made with the communicators and not, as is its default, by the first transfer:
  // a start allocates nothing. Read once, when the library is used first.
  setenv("NCCL_RUNTIME_CONNECT", "0", 0);
  void* const library = open();
  functions f{};
  find(f.init_all, library, "ncclCommInitAll");
  find(f.destroy, library, "ncclCommDestroy");
  find(f.abort, library, "ncclCommAbort");
  find(f.broadcast, library, "ncclBroadcast");
  find(f.reduce, library, "ncclReduce");
  find(f.allreduce, library, "ncclAllReduce");
  find(f.allgather, library, "ncclAllGather");
  find(f.reduce_scatter, library, "ncclReduceScatter");
  return f;
}

}  // namespace

const functions& functions::get() {
  static const functions all = load();
  return all;
}

}  // namespace gossamer::nccl
