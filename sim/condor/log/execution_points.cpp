#include "sim/condor/log/execution_points.hpp"

#include <algorithm>

#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

// "192.0.2.1:9618" of "<192.0.2.1:9618?addrs=...>".
std::string_view endpoint(std::string_view sinful) { return scan::between(sinful, "<", "?>"); }

std::string_view socket_of(std::string_view sinful) {
  auto const at = sinful.rfind("sock=");  // an encoded one of the CCB server may stand before
  if (at == npos || at == 0 || (sinful[at - 1] != '&' && sinful[at - 1] != '?')) return {};
  std::string_view const rest = sinful.substr(at + 5);
  return rest.substr(0, rest.find_first_of("&>"));
}

// "90_29bd" of "slot1_1_90_29bd_68": the startd's process and its random part. The number behind
// counts the starters.
std::string_view starter_process(std::string_view socket) {
  auto const last = socket.rfind('_');
  if (last == npos || last == 0) return {};
  auto const random = socket.rfind('_', last - 1);
  if (random == npos || random == 0) return {};
  auto const process = socket.rfind('_', random - 1);
  if (process == npos) return {};
  return socket.substr(process + 1, last - process - 1);
}

}  // namespace

void SlotPlace::complete(SlotPlace const& other) {
  if (!in_words.valid()) in_words = other.in_words;
  if (!address.valid()) address = other.address;
  if (!starter.valid()) starter = other.starter;
  if (slot == 0) slot = other.slot;
}

Id<StartdName> ExecutionPoints::find(std::string_view key, std::string_view host) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    auto const index = static_cast<std::uint32_t>(known_.size());
    found = by_key_.emplace(std::string(key), index).first;
    known_.push_back({std::string(key), std::string(host), {}, {}, {}});
  }
  return Id<StartdName>(found->second);
}

Id<StartdName> ExecutionPoints::by_words(std::string_view slot_name) {
  auto const at = slot_name.find('@');
  if (at == npos || slot_name.find('@', at + 1) == npos) return {};
  return find(slot_name.substr(at + 1), host_of_slot(slot_name));
}

Id<StartdName> ExecutionPoints::by_address(std::string_view sinful) {
  std::string_view const where = endpoint(sinful);
  if (where.empty()) return {};
  key_.assign(where).append("/").append(socket_of(sinful));
  return find(key_, host_of_address(sinful));
}

Id<StartdName> ExecutionPoints::by_starter(std::string_view sinful) {
  std::string_view const process = starter_process(socket_of(sinful));
  if (process.empty()) return {};
  key_.assign(endpoint(sinful)).append("/starter/").append(process);
  return find(key_, host_of_address(sinful));
}

void ExecutionPoints::vote(Votes& votes, std::size_t candidate) {
  auto const found = std::find_if(votes.begin(), votes.end(),
                                  [=](auto const& known) { return known.first == candidate; });
  if (found != votes.end()) {
    ++found->second;
  } else {
    votes.emplace_back(static_cast<std::uint32_t>(candidate), 1);
  }
}

ExecutionPoints::Votes& ExecutionPoints::votes_of(VotesByName& names, std::string_view name) {
  auto const found = names.find(name);
  return found != names.end() ? found->second : names.try_emplace(std::string(name)).first->second;
}

void ExecutionPoints::saw(SlotPlace const& place, Id<history::Site> site) {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (!id.valid()) continue;
    Known& known = known_[id.index()];
    if (site.valid()) vote(known.sites, site.index());
    if (place.in_words.valid() && id != place.in_words) {
      vote(known.words, place.in_words.index());
    }
    if (place.starter.valid() && id != place.starter) vote(known.starters, place.starter.index());
  }
  std::string_view const on = host(place);
  if (!site.valid() || on.empty()) return;
  vote(votes_of(sites_of_host_, on), site.index());
  vote(votes_of(sites_of_domain_, domain_of(on)), site.index());
}

Id<history::Site> ExecutionPoints::site_near(std::string_view host) const {
  auto const there = sites_of_host_.find(host);
  if (there != sites_of_host_.end()) return Id<history::Site>(winner(there->second));
  auto const around = sites_of_domain_.find(domain_of(host));
  bool const one = around != sites_of_domain_.end() && around->second.size() == 1;
  return one ? Id<history::Site>(around->second.front().first) : Id<history::Site>();
}

void ExecutionPoints::on_host(Id<StartdName> startd, std::string_view host) {
  if (!startd.valid() || host.empty()) return;
  Known& known = known_[startd.index()];
  if (known.host.empty()) known.host = host;
}

void ExecutionPoints::add(Votes& sum, Votes const& votes) {
  for (auto const& [candidate, count] : votes) {
    for (std::uint32_t i = 0; i < count; ++i) vote(sum, candidate);
  }
}

// The earlier known of two with as many votes.
std::uint32_t ExecutionPoints::winner(Votes const& votes) {
  auto const best = std::max_element(votes.begin(), votes.end(), [](auto const& a, auto const& b) {
    return a.second != b.second ? a.second < b.second : a.first > b.first;
  });
  return best->first;
}

Id<history::Site> ExecutionPoints::site(SlotPlace const& place) const {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (!id.valid()) continue;
    Known const& known = known_[id.index()];
    if (!known.sites.empty()) return Id<history::Site>(winner(known.sites));
    if (known.starters.empty()) continue;
    Known const& starter = known_[winner(known.starters)];
    if (!starter.sites.empty()) return Id<history::Site>(winner(starter.sites));
  }
  return {};
}

std::string_view ExecutionPoints::host(SlotPlace const& place) const {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (id.valid() && !known_[id.index()].host.empty()) return known_[id.index()].host;
  }
  return {};
}

std::string ExecutionPoints::name(SlotPlace const& place) const {
  if (place.in_words.valid()) return known_[place.in_words.index()].key;
  for (Id<StartdName> id : {place.address, place.starter}) {
    if (!id.valid()) continue;
    Votes words = known_[id.index()].words;
    for (auto const& [starter, count] : known_[id.index()].starters) {
      add(words, known_[starter].words);
    }
    if (!words.empty()) return known_[winner(words)].key;
  }
  Id<StartdName> const best = place.address.valid() ? place.address : place.starter;
  if (!best.valid()) return {};
  Known const& known = known_[best.index()];
  return known.host.empty() ? known.key : known.host + " " + known.key;
}

std::string_view host_of_slot(std::string_view slot_name) {
  auto const at = slot_name.rfind('@');
  return at == npos ? std::string_view{} : slot_name.substr(at + 1);
}

std::string_view host_of_address(std::string_view sinful) {
  return scan::between(sinful, "&alias=", "&>");
}

std::string_view domain_of(std::string_view host) {
  if (host.empty()) return host;
  auto const dot = host.find('.');
  if (dot == npos || host.find('.', dot + 1) == npos) return host;
  if (is_digit(host.back())) return host;  // an address
  return host.substr(dot + 1);
}

std::string_view slot_in_words(std::string_view text) {
  for (auto at = text.find("slot"); at != npos; at = text.find("slot", at + 4)) {
    std::string_view word = text.substr(at, text.substr(at).find_first_of(" ,:;\t"));
    if (word.find('@') != npos) return word;
  }
  return {};
}

}  // namespace gridcast::condor
