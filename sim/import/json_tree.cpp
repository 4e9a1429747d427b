#include "sim/import/json_tree.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 200;

/// Characters of a text, of which one can see how far they were read.
class CountedInput {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;

  CountedInput(char const* at, char const** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountedInput& operator++() {
    ++at_;
    if (seen_ != nullptr) *seen_ = at_;
    return *this;
  }
  bool operator==(CountedInput const& other) const { return at_ == other.at_; }
  bool operator!=(CountedInput const& other) const { return at_ != other.at_; }

 private:
  char const* at_;
  char const** seen_;
};

class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string const& text, std::string file) : text_(text), file_(std::move(file)) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines_.push_back(i + 1);
    }
  }

  JsonTree build() {
    char const* seen = text_.data();
    seen_ = &seen;
    Json::sax_parse(CountedInput(text_.data(), &seen),
                    CountedInput(text_.data() + text_.size(), nullptr), this);
    return std::move(root_);
  }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put_number(value); }
  bool number_unsigned(number_unsigned_t value) override { return put_number(value); }
  bool number_float(number_float_t value, string_t const&) override { return put_number(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(JsonTree::Members()); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(JsonTree::Items()); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, std::string const&,
                   nlohmann::detail::exception const&) override {
    bool const cut_off = trim(text_.substr(std::min(position, text_.size()))).empty();
    fail(std::min(position, text_.size()), cut_off ? "the JSON ends too early" : "this is no JSON",
         cut_off ? "is the file cut off?" : "");
    return false;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string what, std::string why) {
    JsonTree const place = at(offset == 0 ? 0 : offset - 1);
    throw InputError(Problem{{file_, place.line, place.column},
                             std::move(what),
                             std::move(why),
                             "Give a file in JSON."});
  }

  JsonTree at(std::size_t offset) const {
    auto const next = std::upper_bound(lines_.begin(), lines_.end(), offset);
    std::size_t const begin = next == lines_.begin() ? 0 : *std::prev(next);
    JsonTree place;
    place.line = static_cast<int>(next - lines_.begin()) + 1;
    place.column = static_cast<int>(offset - begin) + 1;
    return place;
  }

  /// `ahead`: characters read beyond the value.
  JsonTree here(std::size_t ahead) const {
    auto const read = static_cast<std::size_t>(*seen_ - text_.data());
    return at(read - std::min(read, ahead + 1));
  }

  template <class Value>
  bool put(Value value, std::size_t ahead = 0) {
    JsonTree node = here(ahead);
    node.value = std::move(value);
    place(std::move(node));
    return true;
  }

  // A number's end is seen at the character behind it.
  template <class Number>
  bool put_number(Number value) {
    return put(static_cast<double>(value), 1);
  }

  template <class Value>
  bool open(Value value) {
    if (open_.size() == deepest) {
      fail(static_cast<std::size_t>(*seen_ - text_.data()), "nested too deeply", "");
    }
    JsonTree node = here(0);
    node.value = std::move(value);
    open_.push_back(std::move(node));
    keys_.push_back(std::move(key_));
    return true;
  }

  bool close() {
    JsonTree node = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(keys_.back());
    keys_.pop_back();
    place(std::move(node));
    return true;
  }

  void place(JsonTree node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (auto* items = std::get_if<JsonTree::Items>(&open_.back().value)) {
      items->push_back(std::move(node));
    } else {
      std::get<JsonTree::Members>(open_.back().value)
          .emplace_back(std::move(key_), std::move(node));
    }
  }

  std::string const& text_;
  std::string file_;
  std::vector<std::size_t> lines_;  // where each line but the first begins
  char const* const* seen_ = nullptr;
  JsonTree root_;
  std::vector<JsonTree> open_;     // objects and lists that are not at their end
  std::vector<std::string> keys_;  // under which each of them will stand
  std::string key_;
};

}  // namespace

std::string const* JsonTree::text() const { return std::get_if<std::string>(&value); }
double const* JsonTree::number() const { return std::get_if<double>(&value); }
JsonTree::Items const* JsonTree::items() const { return std::get_if<Items>(&value); }
JsonTree::Members const* JsonTree::members() const { return std::get_if<Members>(&value); }

JsonTree const* JsonTree::find(std::string_view name) const {
  JsonTree const* found = nullptr;
  if (auto const* own = members()) {
    for (auto const& [key, node] : *own) {
      if (key == name) found = &node;
    }
  }
  return found;
}

JsonTree parse_json_tree(std::string const& text, std::string const& file) {
  return Builder(text, file).build();
}

JsonTree read_json_tree(std::filesystem::path const& file) {
  return parse_json_tree(read_text_file(file), file.string());
}

JsonTree const* JsonChecks::member(JsonTree const& in, std::string const& path,
                                   std::string_view name, bool required) {
  JsonTree const* const found = in.find(name);
  if (found == nullptr && required) {
    complain(in, fmt::format("{}: '{}' is missing", path, name));
  }
  return found;
}

void JsonChecks::complain_of_kind(JsonTree const& node, std::string const& path,
                                  std::string_view name, std::string_view kind) {
  complain(node, fmt::format("{}: '{}' has to be {}", path, name, kind));
}

JsonTree const* JsonChecks::object(JsonTree const& in, std::string const& path,
                                   std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr || found->members() != nullptr) return found;
  complain_of_kind(*found, path, name, "an object");
  return nullptr;
}

JsonTree::Items const* JsonChecks::list(JsonTree const& in, std::string const& path,
                                        std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->items() == nullptr) complain_of_kind(*found, path, name, "a list");
  return found->items();
}

std::string const* JsonChecks::text(JsonTree const& in, std::string const& path,
                                    std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->text() != nullptr && !found->text()->empty()) return found->text();
  complain_of_kind(*found, path, name, "a text that is not empty");
  return nullptr;
}

double const* JsonChecks::number(JsonTree const& in, std::string const& path, std::string_view name,
                                 bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->number() == nullptr) complain_of_kind(*found, path, name, "a number");
  return found->number();
}

std::vector<JsonTree const*> JsonChecks::texts(JsonTree const& in, std::string const& path,
                                               std::string_view name, bool required) {
  std::vector<JsonTree const*> found;
  auto const* const items = list(in, path, name, required);
  if (items == nullptr) return found;
  for (JsonTree const& item : *items) {
    if (item.text() != nullptr) {
      found.push_back(&item);
    } else {
      complain_of_kind(item, path, name, "a list of texts");
    }
  }
  return found;
}

}  // namespace gridcast::import
