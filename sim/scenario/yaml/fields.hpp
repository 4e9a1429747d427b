// Tables of keys. One table a struct lists for each key its name, its form, whether it is required,
// its default, its meaning and its member; the reader, the writer, the JSON Schema and the key
// reference are all made from it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/yaml/values.hpp"

namespace gridcast::scenario {

struct Section;
struct Strategy;

/// A table's entry on a key, without the place of its value.
struct Key {
  std::string name;
  Form form = Form::text;
  std::string help;
  bool required = false;
  std::string fallback = {};  // the value without it, as one would write it; empty: none
  Bounds bounds = {};
  std::vector<std::string> words = {};       // of Form::word
  Section const* section = nullptr;          // of Form::section and the lists of those
  std::string unless = {};                   // required, but not where this other key is
  std::string label = {};                    // in words, of a control of `gridcast open`
  std::string not_replayed = {};             // why a replay cannot show its effect; empty: it does
  bool (*idles)(Strategy const&) = nullptr;  // it has no effect under this strategy ...
  std::string idle_because = {};
  std::string acts_on = {};  // lines of the ledger that a change of it makes smaller, with spaces
  bool for_people = false;   // a description, which changes no simulation
};

struct Section {
  std::string help;
  std::vector<Key> keys;
};

/// Each key of the section that is no group, and those below it: use(path, key).
void each_key(Section const& section,
              std::function<void(std::string const&, Key const&)> const& use,
              std::string const& path = "");
/// The key of a path such as "transfer.resume"; null if there is none.
Key const* key_at(Section const& section, std::string_view path);

/// A key that a section has, with its value.
struct FoundKey {
  std::size_t key = 0;  // index into the section's keys
  YamlValue value;
};

/// The known keys of a group of keys; complains of unknown, repeated and missing ones.
std::vector<FoundKey> find_keys(YamlValue const& value, Section const& section);
/// The items of a list that may not be empty; complains if there are none.
std::vector<YamlValue> find_items(YamlValue const& value);
/// Name and value of each entry of a group with names of one's own, in the order of the file.
std::vector<std::pair<std::string, YamlValue>> find_named(YamlValue const& value);

/// A key that has another value in one file than in another.
struct Difference {
  std::string path;  // "transfer.resume"
  Key const* key;
};
/// The keys of a section, and of those below it, whose values differ in two trees.
std::vector<Difference> differences(Section const& section, YAML::Node const& one,
                                    YAML::Node const& other, std::string const& path = "");

/// Complains and is false when the file is another version or another kind of file.
bool check_schema(YamlDocument& document, std::string const& wanted);

/// The layout of a text from which all values can be read.
YamlLayout whole_tree();

/// The words of an enumeration.
template <class Enum>
using Words = std::vector<std::pair<std::string, Enum>>;

/// A struct's keys. The struct given to `read` may derive from that of the members.
template <class Struct>
class Table {
 public:
  using Setter = std::function<void(YamlValue const&, Struct&)>;
  using Writer = std::function<void(YamlWriter&, Key const&, Struct const&)>;

  explicit Table(std::string help) { section_.help = std::move(help); }

  Section const& section() const { return section_; }

  void read(YamlValue const& value, Struct& object) const {
    for (FoundKey const& found : find_keys(value, section_)) {
      fields_[found.key].set(found.value, object);
    }
  }

  void write(YamlWriter& out, Struct const& object) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].write) fields_[i].write(out, section_.keys[i], object);
    }
  }
  /// The text of a file.
  std::string text(Struct const& object, YamlLayout const& layout) const {
    YamlWriter out(layout);
    write(out, object);
    return out.text();
  }

  /// The tree of all keys, of those too that hold their defaults.
  YAML::Node tree(Struct const& object) const { return YAML::Load(text(object, whole_tree())); }
  std::vector<Difference> differences(Struct const& one, Struct const& other) const {
    return scenario::differences(section_, tree(one), tree(other));
  }

  /// The keys of one subject, in the place where they are listed.
  Table& with(void (*keys)(Table&)) {
    keys(*this);
    return *this;
  }

  /// A key without a writer is read only.
  Table& add(Key key, Setter set, Writer write = {}) {
    section_.keys.push_back(std::move(key));
    fields_.push_back({std::move(set), std::move(write)});
    return *this;
  }

  /// A key that is a member as it stands.
  template <class T, class Owner>
  Table& add(Key key, T Owner::*member) {
    Setter set = [member, bounds = key.bounds](YamlValue const& value, Struct& object) {
      read_value(value, bounds, object.*member);
    };
    return add(
        std::move(key), std::move(set),
        [member, usual = Owner().*member](YamlWriter& out, Key const& of, Struct const& object) {
          out.value(of.name, of.required, object.*member, usual);
        });
  }

  template <class T, class Owner>
  Table& required(std::string name, T Owner::*member, std::string help, Bounds bounds = {}) {
    return add({std::move(name), form_of(T()), std::move(help), true, "", bounds}, member);
  }

  /// For the key before: it is required only if `other` is not given.
  Table& unless(std::string other) {
    section_.keys.back().required = false;
    section_.keys.back().unless = std::move(other);
    return *this;
  }

  /// In words, for the page of `gridcast open`: the key before, or an entry of the list before.
  Table& labelled(std::string label) {
    section_.keys.back().label = std::move(label);
    return *this;
  }

  /// The key before is a description: no setting, and no difference between strategies.
  Table& for_people() {
    section_.keys.back().for_people = true;
    return *this;
  }

  /// A replay of a record cannot show the effect of the key before.
  Table& not_replayed(std::string why) {
    section_.keys.back().not_replayed = std::move(why);
    return *this;
  }

  /// The key before has no effect under some strategies.
  Table& idle(bool (*when)(Strategy const&), std::string because) {
    section_.keys.back().idles = when;
    section_.keys.back().idle_because = std::move(because);
    return *this;
  }

  /// The key before is a remedy for these lines of the ledger.
  Table& remedies(std::string lines) {
    section_.keys.back().acts_on = std::move(lines);
    return *this;
  }

  template <class T, class Owner>
  Table& optional(std::string name, T Owner::*member, std::string help, Bounds bounds = {}) {
    return add({std::move(name), form_of(T()), std::move(help), false,
                default_text(Owner().*member), bounds},
               member);
  }

  template <class Enum, class Owner>
  Table& choice(std::string name, Enum Owner::*member, Words<Enum> words, std::string help) {
    Key key{std::move(name), Form::word, std::move(help)};
    for (auto const& [word, meaning] : words) {
      key.words.push_back(word);
      if (meaning == Owner().*member) key.fallback = word;
    }
    Setter set = [member, words, known = key.words](YamlValue const& value, Struct& object) {
      if (auto const index = read_word(value, known)) object.*member = words[*index].second;
    };
    return add(std::move(key), std::move(set),
               [member, words](YamlWriter& out, Key const& of, Struct const& object) {
                 for (auto const& [word, meaning] : words) {
                   if (meaning == object.*member)
                     out.word(of.name, false, word, word == of.fallback);
                 }
               });
  }

  /// The schema's own name, which was checked before anything else is read.
  Table& schema(std::string const& name) {
    Key key{"schema", Form::word, "The kind of this file, and its version", true, "", {}, {name}};
    return add(
        std::move(key), [](YamlValue const&, Struct&) {},
        [name](YamlWriter& out, Key const& of, Struct const&) {
          out.word(of.name, true, name, false);
        });
  }

  template <class Part, class Owner>
  Table& group(std::string name, bool required, Part Owner::*member, Table<Part> const& table) {
    return add(
        group_key(std::move(name), Form::section, required, table.section()),
        [member, &table](YamlValue const& value, Struct& object) {
          table.read(value, object.*member);
        },
        [member, &table](YamlWriter& out, Key const& of, Struct const& object) {
          out.group(of.name, of.required, [&] { table.write(out, object.*member); });
        });
  }

  /// A group whose keys go to the struct itself.
  Table& group(std::string name, Table const& table) {
    return add(
        group_key(std::move(name), Form::section, false, table.section()),
        [&table](YamlValue const& value, Struct& object) { table.read(value, object); },
        [&table](YamlWriter& out, Key const& of, Struct const& object) {
          out.group(of.name, false, [&] { table.write(out, object); });
        });
  }

  /// The keys of a part among this table's own; `part_of` finds it in the struct, const or not.
  template <class Part, class Find>
  Table& include(Find part_of, Table<Part> const& table) {
    for (std::size_t i = 0; i < table.fields_.size(); ++i) {
      add(
          table.section_.keys[i],
          [part_of, set = table.fields_[i].set](YamlValue const& value, Struct& object) {
            set(value, part_of(object));
          },
          [part_of, write = table.fields_[i].write](YamlWriter& out, Key const& of,
                                                    Struct const& object) {
            if (write) write(out, of, part_of(object));
          });
    }
    return *this;
  }

  template <class Part, class Owner>
  Table& list(std::string name, std::vector<Part> Owner::*member, Table<Part> const& table,
              bool required = true) {
    return add(
        group_key(std::move(name), Form::sections, required, table.section()),
        [member, &table](YamlValue const& value, Struct& object) {
          for (YamlValue const& item : find_items(value)) {
            table.read(item, (object.*member).emplace_back());
          }
        },
        [member, &table](YamlWriter& out, Key const& of, Struct const& object) {
          auto const& parts = object.*member;
          out.list(of.name, of.required, parts.size(),
                   [&](std::size_t i) { table.write(out, parts[i]); });
        });
  }

  /// Each entry's name goes to its `name`.
  template <class Part, class Owner>
  Table& named(std::string name, std::vector<Part> Owner::*member, Table<Part> const& table,
               bool required = true) {
    return add(
        group_key(std::move(name), Form::named_sections, required, table.section()),
        [member, &table](YamlValue const& value, Struct& object) {
          for (auto const& [own_name, item] : find_named(value)) {
            Part& part = (object.*member).emplace_back();
            part.name = own_name;
            table.read(item, part);
          }
        },
        [member, &table](YamlWriter& out, Key const& of, Struct const& object) {
          out.group(of.name, of.required, [&] {
            for (Part const& part : object.*member) {
              out.named(part.name, [&] { table.write(out, part); });
            }
          });
        });
  }

 private:
  template <class>
  friend class Table;

  struct Field {
    Setter set;
    Writer write;
  };

  static Key group_key(std::string name, Form form, bool required, Section const& section) {
    return {std::move(name), form, section.help, required, "", {}, {}, &section, {}};
  }

  Section section_;
  std::vector<Field> fields_;
};

// `sources:` of a file that people write numbers into: where each value is from, by its key (or
// keys).

template <class Part>
void read_sources(YamlValue const& value, Part& part) {
  for (auto const& [keys, item] : find_named(value)) read_value(item, {}, part.sources[keys]);
}

template <class Part>
void write_sources(YamlWriter& out, Key const& key, Part const& part) {
  out.group(key.name, key.required, [&] {
    for (auto const& [keys, source] : part.sources) out.entry(keys, source);
  });
}

}  // namespace gridcast::scenario
