#include "sim/report/text/json_tables.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/units.hpp"

namespace gridcast::report {
namespace {

bool is_time(std::string_view name) { return name.ends_with("_s") && !name.ends_with("per_s"); }

/// "epoch_s" -> "epoch", "samples_per_s" -> "samples per s".
std::string spoken_name(std::string name) {
  for (std::string_view const unit : {"_s", "_bytes"}) {
    bool const is_unit = unit == "_s" ? is_time(name) : name.ends_with(unit);
    if (is_unit) name.resize(name.size() - unit.size());
  }
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string figure_with_unit(double number, std::string_view name) {
  if (is_time(name)) return to_text(Seconds(number));
  if (name.ends_with("bytes")) return to_text(Bytes(number));
  return fmt::format("{:.4g}", number);
}

bool is_json_object(Json const& json) { return json.is_object(); }

bool is_sentence(Json const& json) {
  constexpr std::size_t most_of_a_word = 40;
  return json.is_string() && json.get_ref<std::string const&>().size() > most_of_a_word;
}

/// A value that fits in a cell: neither an object nor a list of objects or sentences.
bool is_plain(Json const& value) {
  if (value.is_object()) return false;
  auto const is_long = [](Json const& part) { return is_json_object(part) || is_sentence(part); };
  return !value.is_array() || std::none_of(value.begin(), value.end(), is_long);
}

bool has_plain_members(Json const& object) { return std::ranges::all_of(object, is_plain); }

std::string plain_text(Json const& value, std::string const& name) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (auto const& part : value) parts.push_back(plain_text(part, name));
    bool const is_range = value.size() == 2 && value.front().is_number();
    return fmt::format("{}", fmt::join(parts, is_range ? " to " : ", "));
  }
  bool const is_count = value.is_number_integer() && !is_time(name) && !name.ends_with("bytes");
  return is_count ? value.dump() : figure_with_unit(value.get<double>(), name);
}

/// The plain members: a line each.
std::string members_text(Json const& object, std::string const& title, Screen const& screen) {
  TextTable table({{title.empty() ? "figure" : title}, {"value"}});
  bool any = false;
  for (auto const& [name, value] : object.items()) {
    if (!is_plain(value) || name == "schema") continue;
    any = true;
    table.add_row({spoken_name(name), plain_text(value, name)});
  }
  return any ? table.str(screen) + "\n" : "";
}

/// Objects with plain members: a row each, in the columns of all.
std::string table_text(Json const& rows, std::string const& title, Screen const& screen) {
  std::vector<std::string> names;
  for (auto const& row : rows) {
    for (auto const& [name, value] : row.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::vector<TextColumn> columns;
  for (auto const& name : names) {
    bool const is_text = rows.front().contains(name) && rows.front()[name].is_string();
    columns.push_back({spoken_name(name), is_text ? Align::left : Align::right});
  }
  TextTable table(std::move(columns));
  for (auto const& row : rows) {
    std::vector<std::string> cells;
    for (auto const& name : names) {
      cells.emplace_back(row.contains(name) ? plain_text(row[name], name) : "-");
    }
    table.add_row(std::move(cells));
  }
  return fitted(title + ":\n", screen) + table.str(screen, 2) + "\n";
}

std::string object_text(Json const& object, std::string const& title, Screen const& screen);

/// The first word or number of an object names it among others.
std::string objects_text(Json const& list, std::string const& title, Screen const& screen) {
  if (!list.front().is_object()) {
    std::string text = title + ":\n";
    for (auto const& each : list) text += "  " + plain_text(each, "") + "\n";
    return fitted(text, screen) + "\n";
  }
  if (std::ranges::all_of(list, has_plain_members)) return table_text(list, title, screen);
  std::string text;
  for (auto const& each : list) {
    std::string const name = each.begin().key();
    text += object_text(each, spoken_name(name) + " " + plain_text(each.front(), name), screen);
  }
  return text;
}

std::string object_text(Json const& object, std::string const& title, Screen const& screen) {
  std::string text = members_text(object, title, screen);
  for (auto const& [name, value] : object.items()) {
    if (value.is_object()) {
      text += object_text(value, spoken_name(name), screen);
    } else if (!is_plain(value)) {
      text += objects_text(value, spoken_name(name), screen);
    }
  }
  return text;
}

}  // namespace

std::string json_tables(Json const& object, Screen const& screen) {
  auto text = object_text(object, "", screen);
  if (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace gridcast::report
