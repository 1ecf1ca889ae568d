// Recorders and spans: what a rank's thread does while a run is recorded.
#include "gossamer/fabric/trace.hpp"

#include "fabric/ranges.hpp"
#include "fabric/trace_streams.hpp"
#include "gossamer/base/enum_name.hpp"

namespace gossamer {

namespace {
// Of a CPU rank's log, which only what stands in for a kernel writes.
constexpr std::size_t phases_on_cpu = 256;
}  // namespace

std::string_view to_string(trace_class kind) noexcept {
  return enum_name<trace_class::wait>(kind,
                                      {"run", "level", "compute", "exchange", "copy", "wait"});
}

trace_recorder::trace_recorder(const machine& m, int rank, std::size_t events)
    : events_(events + room_for_runs), id_(rank), ranges_(m[rank].model == nullptr) {
  if (m[rank].is_cuda()) device_ = std::make_unique<device_side>(m[rank]);
  records_.resize(device_ ? device_->log.size() : phases_on_cpu);
}

trace_recorder::~trace_recorder() = default;

void trace_recorder::clear() noexcept {
  used_ = 0;
  dropped_ = 0;
  level_ = -1;
  depth_ = 0;
  names_ = {};
  written_ = 0;
  if (device_) device_->used = 0;
}

std::uint64_t trace_recorder::dropped() const noexcept {
  return dropped_ + (device_ ? device_->used : 0);
}

phase_log trace_recorder::phases(std::span<const trace_phase> names) {
  names_ = names;
  if (device_)
    return {device_->log.data(), device_->written.data(),
            static_cast<std::uint32_t>(device_->log.size())};
  return {records_.data(), &written_, static_cast<std::uint32_t>(records_.size())};
}

double trace_recorder::at(std::uint64_t timer) const noexcept {
  const std::int64_t offset = device_ ? device_->timer_to_host : 0;
  return 1e-9 * static_cast<double>(static_cast<std::int64_t>(timer) + offset);
}

void trace_recorder::settle_phases() {
  if (names_.empty()) return;
  const std::size_t kept = std::min<std::size_t>(written_, records_.size());
  dropped_ += written_ - kept;
  for (const phase_record& p : std::span(records_).first(kept)) {
    if (p.phase < 0 || static_cast<std::size_t>(p.phase) >= names_.size()) {
      ++dropped_;
      continue;
    }
    const trace_phase& what = names_[static_cast<std::size_t>(p.phase)];
    const bool sends = what.kind == trace_class::copy;
    add({what.name, at(p.begin), at(p.end), p.bytes, p.level, sends ? id_ : p.peer,
         sends ? p.peer : -1, what.kind, device_ ? trace_track::kernel : trace_track::host});
  }
  names_ = {};
}

void trace_span::begin(const char* name, trace_class kind, const stream* on) {
  if (to_->marks_ranges()) ranges::push(name);
  event_.name = name;
  event_.kind = kind;
  event_.level = to_->level();
  event_.begin = to_->now();
  if (on == nullptr || !to_->on_gpu()) return;
  on_ = on;
  opened_ = to_->open(*on);
}

void trace_span::end() {
  if (on_ != nullptr) to_->close(opened_, event_, *on_);
  event_.end = to_->now();
  to_->add(event_);
  if (to_->marks_ranges()) ranges::pop();
}

void trace_level::begin(const char* name, std::int64_t level, std::int64_t frontier) {
  if (to_->marks_ranges()) ranges::push(name);
  outer_ = to_->level();
  to_->set_level(static_cast<std::int32_t>(level));
  event_ = {name, to_->now(), 0, frontier, to_->level(), -1, -1, trace_class::level};
}

void trace_level::end() {
  event_.end = to_->now();
  to_->add(event_);
  to_->set_level(outer_);
  if (to_->marks_ranges()) ranges::pop();
}

void trace_run(rank& r, const char* algorithm, double begin, double seconds) {
  if (auto* to = r.tracing())
    to->add({algorithm, begin, begin + seconds, 0, -1, -1, -1, trace_class::run});
}

void trace_kernel_level(rank& r, const char* name, std::int64_t level, std::int64_t frontier,
                        std::uint64_t begin, std::uint64_t end) {
  auto* to = r.tracing();
  if (to == nullptr) return;
  to->add({name, to->at(begin), to->at(end), frontier, static_cast<std::int32_t>(level), -1, -1,
           trace_class::level, to->on_gpu() ? trace_track::kernel : trace_track::host});
}

phase_log trace_phases(rank& r, std::span<const trace_phase> names) {
  return r.tracing() == nullptr ? phase_log{} : r.tracing()->phases(names);
}

}  // namespace gossamer
