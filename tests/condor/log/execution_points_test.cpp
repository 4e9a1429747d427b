#include "sim/condor/log/log_note.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

constexpr std::string_view startd = "<192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&sock=a1>";
constexpr std::string_view starter =
    "<192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&sock=slot1_2_86_583d_7>";
constexpr std::string_view other_starter =
    "<192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&sock=slot1_5_86_583d_163>";
constexpr std::string_view in_words = "slot1_2@glidein_7_1@n1.a.org";

std::vector<std::string> const sites = {"SITE-A", "SITE-B", "SITE-C", "SITE-D"};

}  // namespace

TEST_CASE("Starters of one startd have its process in common") {
  condor::ExecutionPoints points(sites);
  CHECK(points.by_starter(starter) == points.by_starter(other_starter));
  CHECK(points.by_starter(starter) != points.by_address(startd));
  CHECK_FALSE(points.by_starter(startd).valid());
  CHECK_FALSE(points.by_starter("<192.0.2.1:40123>").valid());
}

TEST_CASE("A starter's address says which slot it is in") {
  auto const slot_of = [](std::string const& socket) {
    std::string const address = "<192.0.2.1:9618?addrs=192.0.2.1-9618&noUDP&sock=" + socket + ">";
    return std::string(condor::slot_of_starter(address));
  };
  CHECK(condor::slot_of_starter(starter) == "slot1_2");
  CHECK(condor::slot_of_starter(other_starter) == "slot1_5");
  CHECK(slot_of("slot3_86_583d_7") == "slot3");
  CHECK(slot_of("backfill1_2_86_583d_7") == "backfill1_2");
  // Without a slot, and what is no process with four random digits.
  CHECK(slot_of("starter_86_583d_7").empty());
  CHECK(slot_of("slot1_2_86_7").empty());
  CHECK(slot_of("a1").empty());
  CHECK(condor::slot_of_starter("<192.0.2.1:40123>").empty());
}

TEST_CASE("A slot names its startd only with the startd's own name") {
  condor::ExecutionPoints points(sites);
  CHECK(points.by_words(in_words).valid());
  CHECK_FALSE(points.by_words("slot1_2@n1.a.org").valid());
}

TEST_CASE("One attempt's site and name hold for others on the startd") {
  condor::ExecutionPoints points(sites);
  Id<history::Site> const a(3);
  condor::SlotPlace executed{{}, points.by_address(startd), points.by_starter(starter), 0};
  condor::SlotPlace failed{points.by_words(in_words), {}, points.by_starter(other_starter), 0};
  CHECK_FALSE(points.site(failed).valid());
  points.saw(executed, a);
  points.saw(failed, {});
  CHECK(points.site(failed) == a);
  CHECK(points.name(executed) == "glidein_7_1@n1.a.org");
  // Known in words only: by the starters that were there.
  CHECK(points.site({points.by_words(in_words), {}, {}, 0}) == a);
}

TEST_CASE("An attempt that shows its starter alone is at the address that others name beside it") {
  condor::ExecutionPoints points(sites);
  condor::SlotPlace const executed{{}, points.by_address(startd), points.by_starter(starter), 0};
  condor::SlotPlace const fetched{{}, {}, points.by_starter(other_starter), 0};
  CHECK(points.name(fetched) == "n1.a.org 192.0.2.1:9618/starter/86_583d");
  points.saw(fetched, {});
  points.saw(executed, {});
  CHECK(points.name(fetched) == "n1.a.org 192.0.2.1:9618/a1");
  CHECK(points.name(fetched) == points.name(executed));
  // A third one has the address in words.
  points.saw({points.by_words(in_words), points.by_address(startd), {}, 0}, {});
  CHECK(points.name(fetched) == "glidein_7_1@n1.a.org");
}

TEST_CASE("One muddled attempt misleads nobody") {
  condor::ExecutionPoints points(sites);
  condor::SlotPlace const place{{}, points.by_address(startd), {}, 0};
  points.saw(place, Id<history::Site>(1));
  points.saw(place, Id<history::Site>(2));
  points.saw(place, Id<history::Site>(2));
  CHECK(points.site(place) == Id<history::Site>(2));
}

TEST_CASE("With as many attempts at two sites, the first by name counts") {
  for (bool const turned : {false, true}) {
    condor::ExecutionPoints points(sites);
    condor::SlotPlace const place{{}, points.by_address(startd), {}, 0};
    points.saw(place, Id<history::Site>(turned ? 2 : 1));
    points.saw(place, Id<history::Site>(turned ? 1 : 2));
    CHECK(points.site(place) == Id<history::Site>(1));
    CHECK(points.site_near("n1.a.org") == Id<history::Site>(1));
  }
}

TEST_CASE("A host's name that startds of several sites have names no site") {
  for (std::size_t const second : {1, 2}) {
    condor::ExecutionPoints points(sites);
    auto const startd_at = [&](std::string const& socket, std::size_t site) {
      auto const at = points.by_address(
          "<127.0.0.1:9618?addrs=127.0.0.1-9618&alias=localhost&sock=" + socket + ">");
      points.saw({{}, at, {}, 0}, Id<history::Site>(site));
    };
    for (int attempt = 0; attempt < 5; ++attempt) startd_at("a1", 1);
    startd_at("b1", second);
    CHECK(points.site_near("localhost") ==
          (second == 1 ? Id<history::Site>(1) : Id<history::Site>()));
  }
}

TEST_CASE("A host's site is known though the host is reported after its attempts") {
  condor::ExecutionPoints points(sites);
  auto const nameless = points.by_address("<192.0.2.7:9618?sock=b2>");
  points.saw({{}, nameless, {}, 0}, Id<history::Site>(3));
  points.on_host(nameless, "n7.a.org");
  CHECK(points.site_near("n7.a.org") == Id<history::Site>(3));
  CHECK(points.site_near("n8.a.org") == Id<history::Site>(3));
}

TEST_CASE("Hosts and their domains") {
  CHECK(condor::host_of_slot("slot1_1@exp-4-58.expanse.sdsc.edu") == "exp-4-58.expanse.sdsc.edu");
  CHECK(condor::host_of_slot(in_words) == "n1.a.org");
  CHECK(condor::host_of_address(startd) == "n1.a.org");
  CHECK(condor::host_of_address("<192.0.2.1:9618?alias=n2.a.org&noUDP>") == "n2.a.org");
  CHECK(condor::host_of_address("<192.0.2.1:9618>").empty());
  CHECK(condor::domain_of("exp-4-58.expanse.sdsc.edu") == "expanse.sdsc.edu");
  CHECK(condor::domain_of("localhost.localdomain") == "localhost.localdomain");
  CHECK(condor::domain_of("192.0.2.1") == "192.0.2.1");
  CHECK(condor::domain_of("").empty());
}

TEST_CASE("A slot within a reason") {
  CHECK(condor::slot_in_words(
            "Transfer input files failure at execution point slot1_2@g_1@h using") ==
        "slot1_2@g_1@h");
  CHECK(condor::slot_in_words("Error from slot1_1@h: it broke") == "slot1_1@h");
  CHECK(condor::slot_in_words("no slots here").empty());
}

}  // namespace gridcast::test
