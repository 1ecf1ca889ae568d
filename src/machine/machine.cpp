// machine: opening the devices of a spec, and the questions about them. machine::run is defined in
// layer fabric, which knows what a rank is.
#include "gossamer/machine/machine.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/team.hpp"
#include "gossamer/machine/spec.hpp"
#include "gossamer/machine/topology.hpp"
#include "machine/cuda_backend.hpp"
#include "machine/driver_gate.hpp"
#include "machine/machine_state.hpp"
#include "machine/processes.hpp"

namespace gossamer {

namespace {

std::vector<link> make_links(const std::vector<device>& ranks) {
  const auto allowed = configuration::peer();
  std::vector<link> links;
  links.reserve(ranks.size() * ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = 0; j < ranks.size(); ++j) {
      links.push_back(make_link(ranks[i], ranks[j], allowed));
      if (i != j) continue;
      auto& own = links.back();
      own.how = reach::self;
      if (ranks[i].model != nullptr) {
        own.load_store = own.shares_host = own.atomic = true;
        own.proxied = false;
        own.bandwidth = 0;
      }
    }
  return links;
}

/// Peer access is switched on per ordered pair of GPUs, and stays on for the process.
void enable_peers(const std::vector<device>& ranks, const std::vector<link>& links) {
  const auto straight = [](const link& l) {
    return l.how == reach::nvlink || l.how == reach::pcie;
  };
  if (std::none_of(links.begin(), links.end(), straight)) return;
  const driver_pause pause;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = 0; j < ranks.size(); ++j) {
      if (straight(links[i * ranks.size() + j]))
        cuda_backend::enable_peer(ranks[i].ordinal, ranks[j].ordinal);
    }
}

}  // namespace

machine::state::state(std::string text, std::vector<device> ranks)
    : spec(std::move(text)),
      devices(std::move(ranks)),
      links(make_links(devices)),
      places(devices.front().process < 0 ? devices : std::vector<device>()),
      threads(devices.front().process < 0 ? static_cast<int>(devices.size()) : 1, [this](int rank) {
        places.apply(rank);
        if (devices.front().process >= 0) rank = processes::join().rank;
        const device& d = devices[static_cast<std::size_t>(rank)];
        if (d.is_cuda())
          cuda_backend::adopt(d.ordinal);
        else if (d.model == nullptr)
          require_team(d.threads);
      }) {}

void machine::state::in_child() noexcept {
  for (const device& d : devices) left_behind |= d.is_cuda() || d.process >= 0;
  // What is left here is the parent's to return, or may be half changed.
  if (left_behind || runs.taken()) ::new (&fabric_cache) std::shared_ptr<void>;
  runs.forget();
  threads.forget();
}

machine::machine(std::shared_ptr<state> s) : state_(std::move(s)) {}
machine::machine(machine&&) noexcept = default;
machine& machine::operator=(machine&& other) noexcept {
  std::swap(state_, other.state_);  // what this was ends with `other`
  return *this;
}

void run_options::follow(const run_options& how) {
  deadline = how.deadline;
  cancel = how.cancel;
  overdue = how.overdue;
  progress = how.progress;
  trace = how.trace;
}

machine::~machine() {
  // Before threads and memory go: searches that are kept were made on them.
  if (state_) state_->life.end();
}

const lifetime& machine::life() const noexcept {
  return state_->life;
}

machine machine::open(std::string_view spec) {
  auto opened = std::make_shared<state>(std::string(spec), resolve_spec(spec));
  enable_peers(opened->devices, opened->links);
  return machine(std::move(opened));
}

int machine::size() const noexcept {
  return state_->size();
}

const device& machine::operator[](int rank) const {
  if (rank < 0 || rank >= size())
    throw usage_error("machine '" + state_->spec + "': no rank " + std::to_string(rank) +
                      ", it has " + std::to_string(size()));
  return state_->devices[static_cast<std::size_t>(rank)];
}

bool machine::here(int rank) const {
  const int process = (*this)[rank].process;
  return process < 0 || process == processes::join().rank;
}

bool machine::all_here() const {
  return size() == 1 || state_->devices.front().process < 0;
}

const std::string& machine::spec() const noexcept {
  return state_->spec;
}

const link& machine::between(int from, int to) const {
  static_cast<void>((*this)[from]);
  static_cast<void>((*this)[to]);
  return state_->between(from, to);
}

std::string machine::fabric() const {
  // A rank's link to itself says nothing of how ranks exchange, unless there is only one.
  const int p = size();
  std::set<std::string> used;
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j)
      if (i != j || p == 1) used.insert(state_->between(i, j).transport);
  std::string joined;
  for (const std::string& name : used) joined.append(joined.empty() ? "" : "+").append(name);
  return joined;
}

bool machine::all_direct() const noexcept {
  return std::all_of(state_->links.begin(), state_->links.end(),
                     [](const link& l) { return l.load_store; });
}

}  // namespace gossamer
