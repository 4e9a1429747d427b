#include <filesystem>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/optimize/goal_score.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder() {
  fs::path const folder =
      fs::temp_directory_path() / ("gridcast-search-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  return folder;
}

Point const both = {60.0, 3.0}, one_off = {std::nullopt, 3.0};

TEST_CASE("a search journal returns the campaigns by stage, point and replica", "[optimize]") {
  fs::path const folder = fresh_folder();
  {
    SearchJournal journal(folder, "print", 2, 3);
    CHECK(journal.known(0).empty());
    journal.add(0, {both, 7}, {1, 2, 3});
    journal.add(0, {one_off, 7}, {4, 5, 6});
    journal.add(1, {both, 7}, {7, 8, 9});
  }
  SearchJournal journal(folder, "print", 2, 3);
  REQUIRE(journal.known(0).size() == 2);
  CHECK(*journal.known(0).at(both).at(7).begin() == 1);
  CHECK(*journal.known(0).at(one_off).at(7).begin() == 4);
  CHECK(*journal.known(1).at(both).at(7).begin() == 7);
  journal.add(0, {both, 8}, {1, 1, 1});
  CHECK(journal.known(2).empty());
}

TEST_CASE("entries that a resumed search adds are kept as well", "[optimize]") {
  fs::path const folder = fresh_folder();
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    SearchJournal journal(folder, "print", 2, 1);
    journal.add(0, {both, replica}, {1});
  }
  CHECK(SearchJournal(folder, "print", 2, 1).known(0).at(both).size() == 3);
}

TEST_CASE("the journal of another search is refused", "[optimize]") {
  fs::path const folder = fresh_folder();
  { SearchJournal const journal(folder, "print", 2, 1); }
  CHECK_THROWS_AS(SearchJournal(folder, "other", 2, 1), InputError);
}

}  // namespace
}  // namespace gridcast::optimize
