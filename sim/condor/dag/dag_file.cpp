#include "sim/condor/dag/dag_file.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/dag/dag_lines.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_nodes = 1'000'000, most_depth = 50;
// Splices of splices are read 2^depth times; PARENT with many nodes on each side joins millions.
constexpr std::size_t most_files = 100'000, most_edges = 10'000'000;
constexpr std::string_view all_nodes = "ALL_NODES";

/// A line of a DAG and where it stands; those that are included stand in the place of INCLUDE.
struct PlacedLine {
  Location where;
  DagLine line;
};

/// Nodes by the numbers of PIN_IN and PIN_OUT.
using Pins = std::map<int, std::vector<std::size_t>>;

/// Shared data of the files of one DAG.
struct Reading {
  Dag dag;
  std::optional<DagNode> last;  // the FINAL node, which no other line than VARS joins
  std::unordered_map<std::string, std::size_t> nodes;
  std::map<std::string, std::vector<std::size_t>> splices;  // inner DAGs too: their nodes
  std::map<std::string, std::size_t> subdags;               // which are inner DAGs, in Dag::inner
  std::map<std::string, SubmitValue> descriptions;          // SUBMIT-DESCRIPTION
  std::map<std::string, std::string> left_out;    // nodes that are not simulated: their command
  std::map<std::string, Pins> pins_in, pins_out;  // by splice
  std::vector<Problem> problems;
  std::set<std::string> noted, unknown;  // texts of notes; commands
  std::vector<fs::path> open;            // splices that are being read, and their readers
  RescueFiles rescues;
  std::size_t edges = 0;
  bool is_too_large = false;  // the rest is not read
};

/// One file of a DAG, with those that it includes: its own, or a splice's. As in DAGMan, nodes come
/// first and their properties then: a line may name a node of a later one.
class DagReader {
 public:
  /// `dag`: the inner DAG that it is, or is a splice of.
  DagReader(Reading& all, std::string prefix, NameFolders folders, std::string dag = "")
      : all_(all), prefix_(std::move(prefix)), folders_(std::move(folders)), dag_(std::move(dag)) {}

  void read(fs::path const& file) {
    if (all_.is_too_large) return;
    std::vector<PlacedLine> lines;
    all_.open.push_back(file);
    gather(file, lines);
    take_all(lines, definitions());
    take_all(lines, aborts());
    take_all(lines, statements());
    all_.open.pop_back();
  }

  /// The latest rescue file beside a DAG, if there is one and nothing was wrong so far.
  void read_rescue(fs::path const& file) {
    fs::path const rescue = all_.problems.empty() ? all_.rescues.latest(file) : fs::path();
    if (rescue.empty()) return;
    read(rescue);
    all_.dag.notes.push_back({{rescue.string()}, "this rescue file lists the nodes that are done"});
  }

 private:
  using Words = std::vector<std::string>;
  using Handler = void (DagReader::*)(DagLine const&);
  using Handlers = std::map<std::string, Handler>;

  static Handlers const& definitions() {
    static Handlers const handlers = {{"JOB", &DagReader::job},
                                      {"NODE", &DagReader::job},
                                      {"PROVISIONER", &DagReader::job},
                                      {"SUBDAG", &DagReader::subdag},
                                      {"FINAL", &DagReader::job},
                                      {"SPLICE", &DagReader::splice},
                                      {"SUBMIT-DESCRIPTION", &DagReader::description}};
    return handlers;
  }
  static Handlers const& statements() {
    static Handlers const handlers = {
        {"PARENT", &DagReader::parent},    {"RETRY", &DagReader::retry},
        {"VARS", &DagReader::vars},        {"CATEGORY", &DagReader::category},
        {"MAXJOBS", &DagReader::max_jobs}, {"SCRIPT", &DagReader::script},
        {"DONE", &DagReader::done},        {"PIN_IN", &DagReader::pin},
        {"PIN_OUT", &DagReader::pin},      {"CONNECT", &DagReader::connect},
        {"CONFIG", &DagReader::config}};
    return handlers;
  }
  /// Before RETRY: no DAG runs again after the code that ends the one around it.
  static Handlers aborts() { return {{"ABORT-DAG-ON", &DagReader::abort_on}}; }

  void gather(fs::path const& file, std::vector<PlacedLine>& lines) {
    if (!all_.dag.read.empty()) expect_ordinary_file(file);
    all_.dag.read.push_back(file);
    std::string const text = read_text_file(file);
    for (DagLine& line : dag_lines(text)) {
      where_ = {file.string(), line.number, 0};
      std::string const key = command_ = upper(line.words.front());
      if (key == "INCLUDE") {
        include(line, lines);
      } else if (is_known(key, line.words)) {
        lines.push_back({where_, std::move(line)});
      }
    }
  }

  /// Notes the commands that are left out, and complains of unknown ones.
  bool is_known(std::string const& key, Words const& words) {
    // A FINAL node of a splice or an inner DAG is left out.
    bool const inner_last = key == "FINAL" && !prefix_.empty();
    bool const known = definitions().contains(key) || statements().contains(key);
    if (!inner_last && (known || aborts().contains(key))) return true;
    if (auto const left_out = left_out_command(key)) {
      note(*left_out + ": not simulated");
      bool const node = inner_last || key == "SERVICE";
      if (node && words.size() > 1) all_.left_out[prefix_ + words[1]] = key;
    } else if (!is_silent_command(key) && all_.unknown.insert(key).second) {
      complain(fmt::format("unknown command '{}'", key), hint_for_unknown(key));
    }
    return false;
  }

  void take_all(std::vector<PlacedLine> const& lines, Handlers const& handlers) {
    for (auto const& [where, line] : lines) {
      auto const found = handlers.find(upper(line.words.front()));
      if (found == handlers.end()) continue;
      if (all_.is_too_large) return;
      where_ = where;
      command_ = found->first;
      (this->*found->second)(line);
    }
  }

  void complain(std::string what, std::string hint = "") {
    if (hint.empty()) hint = "Write " + form_of(command_) + ".";
    all_.problems.push_back({where_, std::move(what), "", std::move(hint)});
  }
  void too_large(std::string const& than) {
    if (!std::exchange(all_.is_too_large, true))
      complain("the DAG is too large: more than " + than,
               "Make it shorter, or forecast its inner DAGs and splices one by one.");
  }
  void note(std::string what, SubmitAction action = SubmitAction::none) {
    if (!all_.noted.insert(what).second) return;
    all_.dag.notes.push_back({where_, std::move(what), SubmitTopic::other, action});
  }
  bool has(Words const& words, std::size_t count) {
    if (words.size() < count) complain("the line ends early");
    return words.size() >= count;
  }

  void job(DagLine const& line) {
    Words const& words = line.words;
    bool const described = line.block != DagBlock::none;
    if (!is_whole(line) || !has(words, described ? 2 : 3)) return;
    DagNode node;
    node.name = prefix_ + words[1];
    node.where = where_;
    node.dag = dag_;
    node.provisions = upper(words[0]) == "PROVISIONER";
    if (node.provisions && has_provisioner())
      return complain("a second PROVISIONER", "A DAG has one at most.");
    NameFolders folders = folders_;
    for (std::size_t i = described ? 2 : 3; i < words.size(); ++i) {
      std::string const word = upper(words[i]);
      if (word == "DIR" && i + 1 < words.size()) {
        folders = below(folders_, words[++i]);
      } else if (word == "NOOP") {
        node.noop = true;
      } else if (word == "DONE") {
        node.done = true;
      } else {
        return complain(fmt::format("'{}' is none of DIR FOLDER, NOOP and DONE", words[i]));
      }
    }
    node.description = line.description;
    node.described_at = where_;
    node.folders = std::move(folders);
    if (!described) node.submit = words[2];
    if (upper(words[0]) == "FINAL") return add_last(std::move(node));
    add(std::move(node));
  }

  void add_last(DagNode node) {
    if (all_.last) return complain("a second FINAL node", "A DAG has one at most.");
    node.last = true;
    all_.left_out[node.name] = "FINAL";  // for PARENT, RETRY and the like
    all_.last = std::move(node);
  }

  bool has_provisioner() const {
    return std::ranges::any_of(
        all_.dag.nodes, [&](DagNode const& node) { return node.provisions && node.dag == dag_; });
  }

  void add(DagNode node) {
    auto const [found, fresh] = all_.nodes.emplace(node.name, all_.dag.nodes.size());
    if (!fresh) {
      Location const first = all_.dag.nodes[found->second].where;
      return complain(fmt::format("node '{}' is there twice", node.name),
                      fmt::format("The first is in line {} of {}.", first.line,
                                  fs::path(first.file).filename().string()));
    }
    if (all_.dag.nodes.size() == most_nodes) return too_large("a million nodes");
    own_.push_back(all_.dag.nodes.size());
    all_.dag.nodes.push_back(std::move(node));
  }

  // A DAG of its own, whose nodes run while its node does. A node before it can write its file.
  void subdag(DagLine const& line) {
    Words const& words = line.words;
    if (!has(words, 4)) return;
    NameFolders folders = folders_;
    bool noop = false, done = false;
    for (std::size_t i = 4; i < words.size(); ++i) {
      std::string const word = upper(words[i]);
      if (word == "DIR" && i + 1 < words.size()) folders = below(folders_, words[++i]);
      noop = noop || word == "NOOP";
      done = done || word == "DONE";
    }
    std::string const name = prefix_ + words[2];
    std::error_code ignored;
    bool const there = fs::exists(named_file(folders, words[3]).path, ignored);
    if (!there) {
      note(fmt::format("SUBDAG {} ({}) is not there: it takes no time", name, words[3]),
           SubmitAction::recommended);
    }
    if (noop || !there) return add({.name = name, .done = done, .noop = true, .where = where_});
    if (all_.subdags.emplace(name, all_.dag.inner.size()).second) {
      all_.dag.inner.push_back({.name = name, .in = dag_});
      own_dags_.push_back(name);
    }
    nodes_of_other(name, words[3], folders, name);
    if (done) set_done(words[2]);
  }

  void description(DagLine const& line) {
    if (!is_whole(line) || !has(line.words, 2)) return;
    if (line.block == DagBlock::none) return complain("there is no description behind the name");
    all_.descriptions[line.words[1]] = {line.description, where_};
  }

  bool is_whole(DagLine const& line) {
    if (line.block == DagBlock::open) complain("the description that begins here does not end");
    return line.block != DagBlock::open;
  }

  /// The nodes that a name stands for: one, or those of a splice.
  enum class Side { parents, children };
  std::vector<std::size_t> nodes_named(std::string const& name, Side side) {
    auto const node = all_.nodes.find(prefix_ + name);
    if (node != all_.nodes.end()) return {node->second};
    if (auto const* splice = find_in(all_.splices, prefix_ + name)) {
      return ends_of(all_.dag.nodes, *splice, side == Side::children);
    }
    std::vector<std::string> const known = each_of(all_.dag.nodes, &DagNode::name);
    auto const left_out = all_.left_out.find(prefix_ + name);
    if (left_out != all_.left_out.end()) {
      complain(fmt::format("'{}' is a {} node, which does not have this property", name,
                           left_out->second));
      return {};
    }
    bool const few = !known.empty() && known.size() < 1000;
    complain(fmt::format("there is no node '{}'", name),
             few ? suggestion(prefix_ + name, known) : "A line JOB NAME FILE defines it.");
    return {};
  }

  void parent(DagLine const& line) {
    Words const& words = line.words;
    auto const child =
        std::ranges::find_if(words, [](std::string const& word) { return upper(word) == "CHILD"; });
    if (child == words.end() || child + 1 == words.end() || child == words.begin() + 1)
      return complain("there is no CHILD");
    std::vector<std::size_t> parents, children;
    for (auto each = words.begin() + 1; each != child; ++each) {
      auto const nodes = nodes_named(*each, Side::parents);
      parents.insert(parents.end(), nodes.begin(), nodes.end());
    }
    for (auto each = child + 1; each != words.end(); ++each) {
      auto const nodes = nodes_named(*each, Side::children);
      children.insert(children.end(), nodes.begin(), nodes.end());
    }
    join(parents, children);
  }

  /// Each of the children waits for all of the parents.
  void join(std::vector<std::size_t> const& parents, std::vector<std::size_t> const& children) {
    all_.edges += parents.size() * children.size();
    if (all_.edges > most_edges) return too_large("ten million pairs of nodes that wait");
    for (std::size_t const child : children) {
      auto& of = all_.dag.nodes[child].parents;
      of.insert(of.end(), parents.begin(), parents.end());
    }
  }

  /// Calls `use` for a node, or for all of this DAG, which those of its splices are not; of a
  /// splice for each of its nodes.
  void each(std::string const& name, std::function<void(DagNode&)> const& use) {
    if (upper(name) == all_nodes) {
      for (std::size_t const node : own_) use(all_.dag.nodes[node]);
      return;
    }
    if (auto const* splice = find_in(all_.splices, prefix_ + name)) {
      for (std::size_t const node : *splice) use(all_.dag.nodes[node]);
      return;
    }
    for (std::size_t const node : nodes_named(name, Side::children)) use(all_.dag.nodes[node]);
  }

  /// True if this is about a node that is not simulated.
  bool is_of_left_out(std::string const& name) {
    auto const found = all_.left_out.find(prefix_ + name);
    if (found == all_.left_out.end()) return false;
    note(fmt::format("properties of a {} node: not simulated", found->second));
    return true;
  }

  void retry(DagLine const& line) {
    Words const& words = line.words;
    if (!has(words, 3)) return;
    auto const times = text_as<int>(words[2]);
    if (!times || *times < 0)
      return complain(fmt::format("'{}' is no number of retries", words[2]));
    std::optional<int> unless;
    if (words.size() > 3) {
      bool const said = upper(words[3]) == "UNLESS-EXIT" && words.size() > 4;
      unless = said ? text_as<int>(words[4]) : std::nullopt;
      if (!unless) return complain("RETRY has another word than UNLESS-EXIT CODE at the end");
    }
    set_each(words[1], [&](auto& node) {
      node.retries = *times;
      node.unless_exit = unless;
    });
  }

  /// Applies `set` to the nodes and to the inner DAGs that a line is about.
  template <class Set>
  void set_each(std::string const& name, Set const& set) {
    for (std::string const& dag : inner_dags(name)) set(all_.dag.inner[all_.subdags.at(dag)]);
    if (!all_.subdags.contains(prefix_ + name)) each(name, set);
  }

  /// The inner DAGs that a line is about.
  Words inner_dags(std::string const& name) const {
    if (upper(name) == all_nodes) return own_dags_;
    return all_.subdags.contains(prefix_ + name) ? Words{prefix_ + name} : Words();
  }

  void vars(DagLine const& line) {
    if (!has(line.words, 3)) return;
    auto const vars = dag_vars(line.rest);
    if (!vars) return complain("the values are not KEY=\"VALUE\"");
    auto const add = [&](DagNode& node) {
      node.vars.insert(node.vars.end(), vars->begin(), vars->end());
    };
    std::string const name = prefix_ + line.words[1];
    if (all_.last && name == all_.last->name) return add(*all_.last);
    // Those of an inner DAG are for the job of its DAGMan.
    if (!all_.subdags.contains(name) && !is_of_left_out(line.words[1])) each(line.words[1], add);
  }

  void category(DagLine const& line) {
    if (!has(line.words, 3)) return;
    std::string const category = full_category(line.words[2]);
    set_each(line.words[1], [&](auto& node) { node.category = category; });
  }

  /// A category of a splice is its own, unless its name begins with '+'; one of an inner DAG is its
  /// own in any case.
  std::string full_category(std::string const& named) const {
    if (!named.starts_with('+')) return prefix_ + named;
    return dag_.empty() ? named : dag_ + named;
  }

  void max_jobs(DagLine const& line) {
    if (!has(line.words, 3)) return;
    auto const most = text_as<int>(line.words[2]);
    if (!most || *most < 0)
      return complain(fmt::format("'{}' is no number of jobs", line.words[2]));
    if (*most > 0) all_.dag.max_jobs[full_category(line.words[1])] = *most;
  }

  void abort_on(DagLine const& line) {
    auto const abort = dag_abort(line.words);
    if (!abort) return complain("no ABORT-DAG-ON NAME CODE [RETURN CODE]");
    set_each(line.words[1], [&](auto& node) {
      node.abort_on = abort->code;
      node.abort_return = abort->result;
    });
  }

  // SCRIPT [DEFER STATUS SECONDS] [DEBUG FILE WHAT] PRE|POST|HOLD NODE PROGRAM...
  void script(DagLine const& line) {
    Words const& words = line.words;
    std::size_t i = 1;
    std::optional<int> delay = 0;
    if (i + 2 < words.size() && upper(words[i]) == "DEFER") {
      delay = text_as<int>(words[i + 2]);
      if (!delay || *delay < 0) return complain(fmt::format("'{}' are no seconds", words[i + 2]));
      i += 3;
    }
    if (i + 2 < words.size() && upper(words[i]) == "DEBUG") i += 3;
    if (!has(words, i + 3)) return;
    std::string const when = upper(words[i]);
    if (when != "PRE" && when != "POST" && when != "HOLD")
      return complain(fmt::format("'{}' is neither PRE, POST nor HOLD", words[i]));
    if (is_of_left_out(words[i + 1])) return;
    bool const waits = *delay > 0 && when == "PRE";
    bool of_noop = false;
    auto const defer = [&](DagNode& node) {
      if (waits) node.delay = Seconds(*delay);
      of_noop = of_noop || node.noop;
    };
    for (std::string const& dag : inner_dags(words[i + 1])) {
      for (std::size_t const node : ends_of(all_.dag.nodes, all_.splices.at(dag), true)) {
        defer(all_.dag.nodes[node]);
      }
    }
    if (!all_.subdags.contains(prefix_ + words[i + 1])) each(words[i + 1], defer);
    if (waits && of_noop) return note("a PRE script of a NOOP node is taken not to defer");
    note(waits ? "a PRE script that defers is taken to do so once"
               : fmt::format("a {} script is taken to take no time and not to fail", when));
  }

  void done(DagLine const& line) {
    if (has(line.words, 2) && !is_of_left_out(line.words[1])) set_done(line.words[1]);
  }

  void set_done(std::string const& name) {
    bool const is_dag = all_.subdags.contains(prefix_ + name);
    each(name, [is_dag](DagNode& node) { node.set_done(is_dag); });
  }

  void include(DagLine const& line, std::vector<PlacedLine>& lines) {
    if (!has(line.words, 2)) return;
    read_other(folders_, line.words[1], [&](fs::path const& file) {
      all_.open.push_back(file);
      gather(file, lines);
      all_.open.pop_back();
    });
  }

  void config(DagLine const& line) {
    if (!has(line.words, 2)) return;
    read_other(folders_, line.words[1], [&](fs::path const& file) {
      expect_ordinary_file(file);
      all_.dag.read.push_back(file);
      for (auto const& [name, setting] : dag_settings(read_text_file(file), file.string())) {
        where_ = setting.where;
        take(name, setting.value);
      }
    });
  }

  void take(std::string const& name, std::string const& value) {
    if (name == "DAGMAN_MAX_JOBS_SUBMITTED") {
      auto const most = text_as<int>(value);
      if (!most || *most < 0) return complain(fmt::format("'{}' is no number of jobs", value));
      int& of_dag =
          dag_.empty() ? all_.dag.max_nodes : all_.dag.inner[all_.subdags.at(dag_)].max_nodes;
      of_dag = std::min(*most, static_cast<int>(most_nodes));
    } else if (is_left_out_setting(name)) {
      note(fmt::format("{} = {}: not simulated", name, value));
    }
  }

  void splice(DagLine const& line) {
    Words const& words = line.words;
    if (!has(words, 3)) return;
    bool const in_folder = words.size() > 4 && upper(words[3]) == "DIR";
    NameFolders const folders = in_folder ? below(folders_, words[4]) : folders_;
    nodes_of_other(prefix_ + words[1], words[2], folders, dag_);
  }

  /// Reads a splice or an inner DAG. Returns its nodes.
  std::vector<std::size_t> nodes_of_other(std::string const& name, std::string const& other,
                                          NameFolders const& folders, std::string const& dag) {
    std::size_t const first = all_.dag.nodes.size();
    read_other(folders, other, [&](fs::path const& file) {
      NameFolders inside = folders;
      // condor_submit_dag -usedagdir of the outer DAG holds for inner ones.
      if (dag == name) add_folder(inside, file.parent_path());
      DagReader reader(all_, name + "+", std::move(inside), dag);
      reader.read(file);
      if (dag == name) reader.read_rescue(file);
    });
    std::vector<std::size_t> nodes;
    for (std::size_t i = first; i < all_.dag.nodes.size(); ++i) nodes.push_back(i);
    if (!all_.splices.emplace(name, nodes).second)
      complain(fmt::format("'{}' is there twice", name), "Give one of them another name.");
    return nodes;
  }

  /// Unreadable text has its place in the line that names it.
  void read_other(NameFolders const& folders, std::string const& name,
                  std::function<void(fs::path const&)> const& read) {
    if (all_.is_too_large) return;
    fs::path const file = noted_file(all_.dag, where_, folders, name);
    if (all_.dag.read.size() == most_files) return too_large("a hundred thousand files");
    if (contains(all_.open, file))
      return complain(fmt::format("{} has itself in it", file.string()), "Leave this line out.");
    if (all_.open.size() > most_depth)
      return complain(fmt::format("{} is inside more than {} files", file.string(), most_depth),
                      "Put its lines in the place of this one.");
    Location const here = where_;
    try {
      read(file);
    } catch (InputError const& error) {
      where_ = here;
      for (Problem const& problem : error.problems()) {
        complain(fmt::format("{}: {}", file.string(), problem.what), hint_in(here.file, problem));
      }
    }
    where_ = here;
  }

  // PIN_IN|PIN_OUT NODE NUMBER, of a splice.
  void pin(DagLine const& line) {
    std::string const key = upper(line.words.front());
    if (!has(line.words, 3)) return;
    auto const pin = text_as<int>(line.words[2]);
    if (!pin || *pin < 1) return complain(fmt::format("'{}' is no pin's number", line.words[2]));
    bool const in = key == "PIN_IN";
    std::string const splice = prefix_.substr(0, prefix_.empty() ? 0 : prefix_.size() - 1);
    auto const nodes = nodes_named(line.words[1], in ? Side::children : Side::parents);
    auto& of = (in ? all_.pins_in : all_.pins_out)[splice][*pin];
    of.insert(of.end(), nodes.begin(), nodes.end());
  }

  // CONNECT A B: the nodes of A's pins out go before those of B's pins in of the same numbers.
  void connect(DagLine const& line) {
    if (!has(line.words, 3)) return;
    for (std::size_t i : {1, 2}) {
      if (!all_.splices.contains(prefix_ + line.words[i]))
        return complain(fmt::format("there is no splice '{}'", line.words[i]),
                        "A line SPLICE NAME FILE defines it.");
    }
    Pins const& out = all_.pins_out[prefix_ + line.words[1]];
    Pins const& in = all_.pins_in[prefix_ + line.words[2]];
    if (out.empty() || in.empty()) return complain("a splice of these has no pins");
    for (auto const& [pin, parents] : out) {
      auto const children = in.find(pin);
      if (children == in.end()) {
        complain(fmt::format("{} has no PIN_IN {}", line.words[2], pin));
        continue;
      }
      join(parents, children->second);
    }
  }

  Reading& all_;
  std::string prefix_;
  std::vector<std::size_t> own_;  // nodes of this DAG itself, not of its splices
  Words own_dags_;                // ... and its inner DAGs, in full
  NameFolders folders_;
  std::string dag_;
  Location where_;
  std::string command_;  // of the line at where_
};

}  // namespace

Dag read_dag(fs::path const& file) {
  Reading all;
  all.dag.file = file;
  DagReader reader(all, "", folders_beside(file));
  reader.read(file);
  reader.read_rescue(file);
  if (all.last) all.dag.nodes.push_back(*all.last);
  find_descriptions(all.dag, all.descriptions);
  wait_for_provisioners(all.dag);
  unite_edges(all.dag.nodes);
  complain_of_cycle(all.dag, all.problems);
  if (all.dag.nodes.empty() && all.problems.empty()) {
    bool const none = all.left_out.empty();
    add_problem(all.problems, {file.string()}, "there is no node in it",
                none ? "" : "FINAL and SERVICE nodes are not simulated",
                none ? "Write JOB NAME FILE." : "Forecast the submit file of one of them.");
  }
  if (!all.problems.empty()) throw InputError(std::move(all.problems));
  return std::move(all.dag);
}

}  // namespace gridcast::condor
