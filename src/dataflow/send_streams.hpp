// send_streams: the streams of a GPU rank in which what it sends leaves.
//
// Counters grow in order, so that all headers and signals go through one stream, `notes`. A long
// copy goes through another, and its note follows it by an event: the next copy runs while the note
// is on its way, where in one stream an engine would rest until two short kernels are done. A short
// copy is done before an event is, and stays with the notes.
//
// What lies in host memory and is for another GPU of this process is copied in a stream of that
// GPU, over its own link to the host and beside copies over this one's. Pinned memory is copied by
// a kernel, since the GPU's engines belong to its own rank (src/machine/cuda/copies.cu says what
// comes of sharing them). That kernel needs a free place on a multiprocessor there: a kernel of the
// receiver must not fill its GPU and wait for the segment. While a run is traced such copies leave
// from this GPU instead, whose clock the recorder has.
#pragma once

#include <memory>
#include <vector>

#include "dataflow/layout.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::dataflow {

class send_streams {
 public:
  /// For this rank's lanes. A CPU rank, whose work is done when it is submitted, has its one
  /// stream.
  send_streams(gossamer::rank& r, const layout& plan);

  [[nodiscard]] const stream& notes() const noexcept { return notes_; }
  /// For a copy of `bytes` bytes to rank `to`; follow() then orders its note after it.
  [[nodiscard]] const stream& for_copy(int to, std::size_t bytes, bool from_host) const;
  /// What is noted from now on comes after what `copies`, of for_copy(), holds now.
  void follow(const stream& copies);
  /// Whatever is sent from now on comes after the moment.
  void begin_after(const event& moment) const;

 private:
  /// A stream for copies, and events of its GPU.
  struct beside {
    explicit beside(const device& d) : on(d, stream::priority::high), events(d, 16) {}
    stream on;
    event_pool events;
  };
  stream notes_;
  std::unique_ptr<beside> own_;                    ///< on this rank's GPU
  std::vector<std::unique_ptr<beside>> of_peers_;  ///< by rank, on its GPU; null: none needed
  std::vector<bool> direct_;                       ///< by rank: no staging, which has its own order
};

}  // namespace gossamer::dataflow
