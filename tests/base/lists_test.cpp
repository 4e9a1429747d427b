#include "sim/base/lists.hpp"

#include <map>
#include <set>

#include "tests/test.hpp"

namespace gridcast {
namespace {

struct Item {
  std::string name;
  int number = 0;
};

std::vector<Item> const items = {{"a", 3}, {"b", 1}, {"c", 1}};

}  // namespace

TEST_CASE("the parts of the items of a list are in its order", "[lists]") {
  CHECK(each_of(items, &Item::name) == std::vector<std::string>{"a", "b", "c"});
  auto const twice = each_of(std::set{2, 1}, [](int n) { return 2.0 * n; });
  CHECK(twice == std::vector{2.0, 4.0});
  auto const texts = each_of<std::string>(std::vector{1, 2}, [](int) { return "x"; });
  CHECK(texts == std::vector<std::string>{"x", "x"});
  CHECK(each_of(std::vector<Item>(), &Item::number).empty());
}

TEST_CASE("the parts of the items of a list are added up in its order", "[lists]") {
  CHECK(sum_of<int>(items, &Item::number) == 5);
  CHECK(sum_of<double>(std::vector{1e100, 1.0, -1e100}, std::identity()) == 0);
  CHECK(sum_of<int>(std::vector<Item>(), &Item::number) == 0);
}

TEST_CASE("the first of the items that match is found, or none", "[lists]") {
  CHECK(find_by(items, 1, &Item::number) == &items[1]);
  CHECK(find_by(items, 2, &Item::number) == nullptr);
  CHECK(find_where(items, [](Item const& item) { return item.number < 3; }) == &items[1]);
  CHECK(find_where(items, [](Item const&) { return false; }) == nullptr);
  int numbers[] = {4, 5};
  *find_by(numbers, 5) = 6;
  CHECK(numbers[1] == 6);
  CHECK(contains(numbers, 6));
  CHECK_FALSE(contains(numbers, 5));
  CHECK(position_of(items, "c", &Item::name) == 2);
  CHECK_FALSE(position_of(items, "d", &Item::name));
  enum class Letter { a, b };
  CHECK(position_of<Letter>(items, "b", &Item::name) == Letter::b);
}

TEST_CASE("the value of a key, or the other one", "[lists]") {
  std::map<std::string, int, std::less<>> map = {{"a", 1}};
  REQUIRE(find_in(map, "a") != nullptr);
  *find_in(map, "a") = 2;
  CHECK(value_or(map, "a", 7) == 2);
  CHECK(find_in(map, "b") == nullptr);
  CHECK(value_or(map, "b", 7) == 7);
  CHECK(map.size() == 1);
}

TEST_CASE("names are in their list once, in the order of their coming", "[lists]") {
  std::vector<std::string> list = {"x"};
  Names place_of(list);
  CHECK(each_of(std::vector<std::string>{"y", "x", "y", "z"}, place_of) ==
        std::vector<std::uint32_t>{1, 0, 1, 2});
  CHECK(list == std::vector<std::string>{"x", "y", "z"});
}

}  // namespace gridcast
