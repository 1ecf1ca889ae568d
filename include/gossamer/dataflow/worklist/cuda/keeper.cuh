// What one thread of the last block to come to a meeting decides: what the next round is.
//
// It alone looks at what other ranks say, so all blocks agree. While there is work, that costs a
// look at one word a rank. A rank without work reports, and looks for the others' reports until
// something comes (collective/termination.hpp). Messages are the items there. A rank reports only
// when it has nothing left, so all that it has received, and all that this led to, is finished.
// When all is finished the threshold moves behind the smallest deferred priority, on every rank
// alike. If nothing is deferred, this was the end.
#pragma once

#include <new>

#include "gossamer/dataflow/worklist/cuda/found.cuh"
#include "gossamer/dataflow/worklist/cuda/messages.cuh"

namespace gossamer::dataflow::cuda {

template <class View>
class list_keeper {
 public:
  using detector = termination_detector<kernel_mail>;
  static_assert(sizeof(detector) <= detector_bytes);

  __device__ list_keeper(const View& v, list_state& s) : v_(v), s_(s) {}

  /// Before the first meeting counts.
  __device__ void begin() {
    if (has_others(v_)) begin_reports();
    if (v_.log.records != nullptr) s_.since = device_detail::global_timer();
    const double never = -nothing_deferred;
    s_.settled = never;
    s_.threshold = v_.delta > 0 ? never : nothing_deferred;
    s_.nearest = nothing_deferred;
    s_.delta = v_.delta;
    s_.cut = nothing_deferred;
    if (v_.cut > 0) move_cut(v_.cut);
  }

  __device__ void decide() {
    const list_phase was = s_.next;
    const std::uint64_t vertices = was == list_phase::split ? s_.far : queued();
    choose_next();
    if (v_.log.records != nullptr) note(was, vertices);
  }

 private:
  [[nodiscard]] __device__ std::uint64_t queued() const {
    return s_.queued + (s_.longs >> long_count_bit);
  }
  /// One thread writes at a time, the one that holds a meeting.
  __device__ void note(list_phase was, std::uint64_t vertices) {
    const std::uint64_t now = device_detail::global_timer();
    const std::uint32_t at = (*v_.log.written)++;
    if (at < v_.log.capacity) {
      phase_record done;
      done.begin = s_.since;
      done.end = now;
      done.bytes = static_cast<std::int64_t>(vertices);
      done.phase = static_cast<std::int32_t>(was);
      if (was == list_phase::work) done.level = static_cast<std::int32_t>(s_.rounds) - 1;
      v_.log.records[at] = done;
    }
    s_.since = now;
  }

  __device__ void choose_next() {
    if (has_others(v_) && v_.in_step) return choose_in_step();
    const list_sums found = *v_.sums;
    adopt_found(v_, s_);
    if (v_.cut > 0 && pass_cut(found)) return;
    if (v_.narrows) narrow();
    constexpr int looks = 32;  // then blocks come again, and a launch ends some time
    for (int i = 0; i < looks; ++i) {
      if (has_others(v_)) trade();
      if (busy()) {
        s_.next = list_phase::work;
        return;
      }
      s_.next = list_phase::wait;
      if (!empty()) continue;  // a list waits for places
      if (agree()) return;
    }
  }

  /// Ranks in step. All relax, exchange until each has what all others have listed for it, and tell
  /// what there is to do: `created` of a report is what is queued.
  __device__ void choose_in_step() {
    const list_phase was = s_.next;
    const list_sums found = *v_.sums;
    const bool exchanges = was == list_phase::work || was == list_phase::exchange;
    adopt_found(v_, s_, !exchanges);
    if (was == list_phase::work) end_step();
    if (exchanges) {
      trade();
      s_.next = list_phase::exchange;
      if (!exchanged()) return;
      adopt_found(v_, s_);
      if (s_.rest != 0) {
        s_.rest = 0;
        advance_cut();
      }
    }
    if (was == list_phase::weigh) weighed(found);
    if (was == list_phase::pull) s_.cut = nothing_deferred;
    if (was == list_phase::gather) {
      s_.rest = 1;
      s_.next = list_phase::work;
      return;
    }
    if (v_.narrows) narrow();
    s_.next = list_phase::wait;
    constexpr int looks = 32;
    for (int i = 0; i < looks; ++i) {
      if (!reports().reported()) {
        work_report mine = own_report();
        mine.created = queued();
        mine.finished = s_.items + s_.stepped;
        reports().report(mine);
      }
      if (reports().look() == round_state::waiting) continue;
      s_.agreements = reports().rounds();
      if (go_on(reports().totals())) return;
    }
  }
  /// Tells each rank how much it must receive before the next round.
  __device__ void end_step() {
    ++s_.step;
    for (int r = 0; r < v_.ranks; ++r)
      if (r != v_.rank)
        device_detail::store_relaxed(v_.counts_at[r] + 2 * v_.ranks + v_.rank,
                                     end_of_step(s_.step, s_.appended[r]));
  }
  /// Everything of this step has been sent and has come.
  [[nodiscard]] __device__ bool exchanged() const {
    for (int r = 0; r < v_.ranks; ++r)
      if (r != v_.rank && (s_.appended[r] != s_.sent[r] ||
                           device_detail::load_relaxed(v_.counts + 2 * v_.ranks + r) !=
                               end_of_step(s_.step, s_.received[r])))
        return false;
    return true;
  }
  /// All ranks have told. True: decided.
  __device__ bool go_on(const work_report& all) {
    if (s_.weighed != 0 || all.created == 0) return open_window(all);
    s_.next = list_phase::work;
    return true;
  }

  [[nodiscard]] __device__ detector& reports() const {
    return *static_cast<detector*>(v_.detector);
  }
  __device__ void begin_reports() {
    kernel_mail mail{v_.reports, {}, v_.rank, v_.ranks};
    for (int r = 0; r < v_.ranks; ++r) {
      mail.at[r] = v_.reports_at[r];
      s_.room[r] = v_.places;
    }
    new (v_.detector) detector(v_.rank, v_.ranks, mail);
  }

  __device__ void trade() {
    for (int r = 0; r < v_.ranks; ++r) {
      if (r == v_.rank) continue;
      s_.to_take[r] = device_detail::load_relaxed(v_.counts + r) - s_.received[r];
      const std::uint64_t waiting = s_.appended[r] - s_.sent[r];
      if (s_.sent[r] + waiting > s_.room[r])
        s_.room[r] = device_detail::load_acquire(v_.counts + v_.ranks + r) + v_.places;
      const std::uint64_t room = s_.room[r] - s_.sent[r];
      s_.to_send[r] = waiting < room ? waiting : room;
      if (s_.to_send[r] != 0) {
        device_detail::store_relaxed(v_.counts_at[r] + v_.rank, s_.sent[r] + s_.to_send[r]);
        ++s_.announcements[r];
      }
      // A quarter of the ring at a time: a release waits for all that is on its way.
      if (s_.received[r] - s_.returned[r] < v_.places / 4) continue;
      s_.returned[r] = s_.received[r];
      device_detail::store_release(v_.counts_at[r] + v_.ranks + v_.rank, s_.returned[r]);
    }
  }
  [[nodiscard]] __device__ bool busy() const {
    bool any = s_.queued + s_.longs != 0;
    for (int r = 0; has_others(v_) && r < v_.ranks; ++r)
      any = any || s_.to_send[r] != 0 || s_.to_take[r] != 0;
    return any;
  }
  [[nodiscard]] __device__ bool empty() const {
    for (int r = 0; has_others(v_) && r < v_.ranks; ++r)
      if (s_.appended[r] != s_.sent[r]) return false;
    return true;
  }

  /// What was worked on in queues is created and finished, and tells how much a window held.
  [[nodiscard]] __device__ work_report own_report() const {
    work_report mine;
    mine.created = mine.finished = s_.items + s_.stepped;
    mine.deferred = s_.nearest;
    for (int r = 0; has_others(v_) && r < v_.ranks; ++r) {
      mine.created += s_.appended[r];
      mine.finished += s_.received[r];
    }
    if (s_.weighed != 0) mine.repeated = s_.offers;
    return mine;
  }
  /// What all ranks have; false: not known yet. One rank alone has nobody to ask, and counts the
  /// two rounds of reports that it would take others.
  __device__ bool all_report(work_report& all) {
    if (!has_others(v_)) {
      all = own_report();
      s_.agreements += 2;
      return true;
    }
    if (!reports().reported()) reports().report(own_report());
    const round_state found = reports().look();
    s_.agreements = reports().rounds();
    all = reports().totals();
    return found == round_state::quiet;
  }

  /// With nothing to do. True: decided.
  __device__ bool agree() {
    work_report all;
    return all_report(all) && open_window(all);
  }
  /// Nobody has anything to do. True: decided.
  __device__ bool open_window(const work_report& all) {
    const double deferred = all.deferred;
    if (s_.weighed != 0) {  // all have, since their values are in what they report
      __threadfence_system();
      s_.weighed = 0;
      s_.next = all.repeated == 0 ? list_phase::pull : list_phase::gather;
      return true;
    }
    if (s_.cut < deferred) {
      s_.beyond = deferred;
      s_.next = list_phase::weigh;
      return true;
    }
    if (deferred == nothing_deferred) {
      s_.next = list_phase::finished;
      return true;
    }
    widen(all.finished);
    s_.settled = s_.threshold;
    s_.opened = deferred;
    s_.worked = s_.items + s_.stepped;
    s_.threshold = deferred + s_.delta;
    if (s_.threshold > s_.cut) s_.threshold = s_.cut;
    ++s_.windows;
    if (s_.far == 0) return false;
    s_.next = list_phase::split;
    return true;
  }

  /// A window whose vertices come more than once in the mean is too wide. It ends at a sixteenth of
  /// its width, and what is found beyond that from now on is deferred. That is for this rank alone:
  /// others may work farther. What was worked on beyond the new end and lies on the pile comes once
  /// more. Windows of little work are left alone: to do it again costs less than another agreement.
  __device__ void narrow() {
    constexpr std::uint64_t little = 1 << 22;
    const auto rows = static_cast<std::uint64_t>(v_.rows);
    const std::uint64_t done = s_.items + s_.stepped, most = rows > little ? rows : little;
    if (s_.threshold == nothing_deferred || done - s_.worked <= most) return;
    s_.worked = done;
    s_.delta = (s_.threshold - s_.opened) / 16;
    s_.threshold = s_.opened + s_.delta;
  }

  /// As an operator's value would have it, whatever its type.
  __device__ void move_cut(double cut) {
    s_.cut = cut < farthest_cut ? static_cast<double>(static_cast<float>(cut)) : nothing_deferred;
  }
  /// The steps of pull.cuh. `found`: in the round before. True: decided.
  __device__ bool pass_cut(const list_sums& found) {
    if (s_.next == list_phase::weigh) {
      if (found.settled_arcs == 0) {  // nothing is left out
        advance_cut();
        s_.next = list_phase::finished;
        return s_.far == 0;
      }
      const bool back =
          found.open_arcs < found.settled_arcs && found.longest_open <= longest_pulled;
      s_.next = back ? list_phase::pull : list_phase::gather;
      return true;
    }
    if (s_.next == list_phase::pull) {
      s_.cut = nothing_deferred;
    } else if (s_.next == list_phase::gather) {
      s_.rest = 1;
    } else if (s_.rest != 0) {
      s_.rest = 0;
      advance_cut();
    }
    return false;
  }
  /// Of several ranks, each of which has told the others its values.
  __device__ void weighed(const list_sums& found) {
    __threadfence_system();  // values before reports that say so
    s_.weighed = 1;
    s_.offers = found.longest_open > longest_pulled ||
                (found.settled_arcs != 0 && found.open_arcs >= found.settled_arcs);
  }
  __device__ void advance_cut() {
    s_.passed = 1;
    s_.last_cut = s_.cut;
    const double nearest = has_others(v_) ? s_.beyond : s_.far != 0 ? s_.nearest : s_.cut;
    move_cut(2 * (nearest > s_.cut ? nearest : s_.cut));
  }

  /// As priority_threshold does, without its way back: all ranks see the same sums.
  __device__ void widen(std::uint64_t finished) {
    constexpr std::uint64_t worth = 1 << 14;  // items of a rank: less is not worth an agreement
    const bool little = finished - s_.finished < worth * static_cast<std::uint64_t>(v_.ranks);
    if (v_.widens && s_.windows != 0 && little) s_.delta *= 2;
    s_.finished = finished;
  }

  const View& v_;
  list_state& s_;
};

}  // namespace gossamer::dataflow::cuda
