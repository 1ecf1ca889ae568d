// Launches of the kernels of components.
#include "algorithm/components/sync/cuda/launch_passes.cuh"
#include "algorithm/components/sync/cuda/passes.cuh"

namespace gossamer::components_detail::cuda {

using algorithm_detail::cuda::launched;

template <class Id>
void survey(const launch_site& on, const Id* columns, std::int64_t arcs, vertex_span* span) {
  launch(on, resident(on, arcs), survey_kernel<Id>, columns, arcs, span);
}

template <class Id>
void begin_labels(const launch_site& on, const device_rows<Id>& rows, vertex_span touched,
                  Id* labels, run_state* state) {
  launch(on, touched.size(), begin_kernel<Id>, rows, touched, labels, state);
}

template <class Id>
void hook_second(const launch_site& on, const device_rows<Id>& rows, Id* labels) {
  launch(on, rows.rows, second_kernel<Id>, rows, labels);
}

template <class Id>
void join_loosely(const launch_site& on, const device_rows<Id>& rows, int arc, Id* labels) {
  launch(on, rows.rows, loose_kernel<Id>, rows, arc, labels);
}

template <class Id>
void compress(const launch_site& on, vertex_span of, Id* labels) {
  launch(on, (of.size() + compressed_at_once - 1) / compressed_at_once, compress_kernel<Id>, of,
         labels);
}

template <class Id>
void guess_largest(const launch_site& on, std::int64_t vertices, const Id* labels,
                   run_state* state) {
  guess_kernel<Id>
      <<<1, drawn_labels, 0, static_cast<cudaStream_t>(on.stream)>>>(vertices, labels, state);
  launched();
}

template <class Id>
void note_root(const launch_site& on, Id vertex, const Id* labels, run_state* state) {
  note_kernel<Id><<<1, 1, 0, static_cast<cudaStream_t>(on.stream)>>>(vertex, labels, state);
  launched();
}

template <class Id>
void hook_rest(const launch_site& on, const device_rows<Id>& rows, arcs_left which, int done,
               Id* labels, run_state* state, row_chunk* chunks, bool apart) {
  if (rows.rows == 0) return;
  const std::int64_t threads = resident(on, rows.rows);
  const std::int64_t run = apart ? (rows.rows + threads - 1) / threads : 1;
  launch(on, threads, rest_kernel<Id>, rows, which, done, labels, state, chunks, run);
}

template <class Id>
void hook_chunks(const launch_site& on, const device_rows<Id>& rows, arcs_left which, Id* labels,
                 run_state* state, const row_chunk* chunks) {
  launch(on, resident(on, std::int64_t{1} << 62), chunks_kernel<Id>, rows, which, labels, state,
         chunks);
}

template <class Id>
void adopt(const launch_site& on, vertex_span of, std::int64_t lowest, const Id* theirs,
           Id* labels) {
  launch(on, of.size(), adopt_kernel<Id>, of, lowest, theirs, labels);
}

template <class Id>
void merge(const launch_site& on, vertex_span of, std::int64_t lowest, const Id* theirs,
           Id* labels) {
  launch(on, of.size(), merge_kernel<Id>, of, lowest, theirs, labels);
}

#define GOSSAMER_INSTANTIATE(Id)                                                           \
  template void survey(const launch_site&, const Id*, std::int64_t, vertex_span*);         \
  template void begin_labels(const launch_site&, const device_rows<Id>&, vertex_span, Id*, \
                             run_state*);                                                  \
  template void hook_second(const launch_site&, const device_rows<Id>&, Id*);              \
  template void join_loosely(const launch_site&, const device_rows<Id>&, int, Id*);        \
  template void compress(const launch_site&, vertex_span, Id*);                            \
  template void guess_largest(const launch_site&, std::int64_t, const Id*, run_state*);    \
  template void note_root(const launch_site&, Id, const Id*, run_state*);                  \
  template void hook_rest(const launch_site&, const device_rows<Id>&, arcs_left, int, Id*, \
                          run_state*, row_chunk*, bool);                                   \
  template void hook_chunks(const launch_site&, const device_rows<Id>&, arcs_left, Id*,    \
                            run_state*, const row_chunk*);                                 \
  template void adopt(const launch_site&, vertex_span, std::int64_t, const Id*, Id*);      \
  template void merge(const launch_site&, vertex_span, std::int64_t, const Id*, Id*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail::cuda
