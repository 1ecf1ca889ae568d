// What the layer asks of CUDA: one list of functions with two definitions, src/machine/cuda (the
// runtime's C API) and src/machine/absent (no devices, and not_compiled for everything else).
//
// Private to the layer. No caller needs to know which of the two it is linked with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer::cuda_backend {

/// Whether the build holds the CUDA definitions.
bool compiled() noexcept;
/// The GPUs of this process, looked up once; empty without a driver or GPU, with the reason.
struct inventory {
  std::vector<device> devices;
  std::string unavailable;
};
const inventory& devices();

/// How kernels of GPU `a` reach memory of GPU `b`, and what the pair can do.
struct pair_capability {
  reach how = reach::none;
  bool atomic = false;
  double bandwidth = 0;  ///< bytes per second and direction, nominal; 0 = unknown
};
pair_capability pair(int a, int b);
/// Nominal PCIe bandwidth between a GPU and the host, bytes per second; 0 = unknown.
double host_bandwidth(int ordinal);
/// Lets kernels and copies of GPU `a` address memory of GPU `b`; repeating it is harmless.
void enable_peer(int a, int b);
/// Whether `count` kernels in as many streams of a GPU run at the same time; tried, in a second at
/// most unless other work keeps the GPU.
bool kernels_run_together(int ordinal, int count);
/// Makes `ordinal` the calling thread's device, for good (rank threads).
void adopt(int ordinal);

void* allocate_device(int ordinal, std::size_t bytes);
/// Every GPU can address it; `ordinal` >= 0 says whose context makes it.
void* allocate_pinned(int ordinal, std::size_t bytes);
void release_device(int ordinal, void* data) noexcept;
/// memory.hpp: one range of addresses, page by page on the GPU or on its host. The CPU reads and
/// writes what lies on the host.
void* allocate_spread(int ordinal, const spread_pages& pages);
void release_spread(int ordinal, void* data) noexcept;
void release_pinned(void* data) noexcept;
/// Lets every GPU address host memory that others have made, at the same address, and takes that
/// back.
void pin(int ordinal, void* data, std::size_t bytes);
void unpin(void* data) noexcept;
/// The GPU that holds `data`, -1 for host memory of any kind.
int home_of(const void* data);
void copy(void* to, const void* from, std::size_t bytes);
/// pieces.hpp, for a block in a GPU's memory.
void read_pieces(const void* from, std::size_t bytes, const piece_reader& read);
void write_pieces(void* to, std::size_t bytes, const piece_writer& write);
void prepare_pieces(int ordinal);
/// A long copy between pageable memory and a GPU's; `target`, `source`: home_of each. False: not
/// done, a case for the driver.
bool copy_by_pieces(void* to, const void* from, std::size_t bytes, int target, int source);
/// All kernels of all files that note theirs (gossamer/machine/kernels.cuh), outside of runs. Costs
/// nothing the second time.
void load_kernels(int ordinal);
/// In a stream of GPU `ordinal`.
void copy_in_order(void* to, const void* from, std::size_t bytes, void* stream, int ordinal,
                   bool own_engines, copier by);
void fill_device(int ordinal, void* data, int value, std::size_t bytes);

void* create_stream(int ordinal, bool high_priority);
void destroy_stream(void* stream) noexcept;
bool stream_idle(void* stream);

void* create_event(int ordinal);
void destroy_event(void* event) noexcept;
void record_event(void* event, void* stream);
bool event_done(void* event);
void block_stream(void* stream, void* event);
double milliseconds_between(void* earlier, void* later);

}  // namespace gossamer::cuda_backend
