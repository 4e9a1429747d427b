// The controls of `gridcast open` are labelled with words.

#include <cctype>
#include <string>

#include "sim/scenario/tables.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

/// The keys of a section and of those below it that are controls, by their paths.
void check_labels(Section const& section, std::string const& path) {
  for (Key const& key : section.keys) {
    INFO(path << key.name << ": " << key.label);
    bool const is_entries = key.form == Form::sections, is_group = key.form == Form::section;
    if (is_entries || is_group) check_labels(*key.section, path + key.name + ".");
    bool const is_text = key.form == Form::text && path != "software.";
    if (is_group || is_text || key.form == Form::named_sections) continue;
    if (key.form == Form::file || scenario::is_list(key.form) || key.for_people) continue;
    CHECK_FALSE(key.label.empty());
    CHECK(key.label.find('_') == std::string::npos);
    CHECK(key.label != key.name);
    if (!is_entries) CHECK(std::isupper(static_cast<unsigned char>(key.label[0])) != 0);
  }
}

TEST_CASE("every setting of a campaign and of a strategy has a label in words") {
  check_labels(campaign_table().section(), "");
  check_labels(strategy_table().section(), "");
}

}  // namespace
}  // namespace gridcast::scenario
