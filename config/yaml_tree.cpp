// yaml-cpp keeps duplicate keys, converts `010` to 8 and gives no place for much of what it dislikes. So only
// its event parser is used: it calls a builder that makes our own tree, and that stops it with a place and a
// reason.
#include "config/yaml_tree.h"

#include "config/text_check.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

namespace config {
namespace {

constexpr std::string_view kNoAliases =
    "YAML anchors (&) and aliases (*) are refused: write the value out, or put a value that begins with & or "
    "* "
    "in quotes";

Place place_at(const YAML::Mark& mark, std::size_t file) {
  const auto from_one = [](int zero_based) { return static_cast<std::size_t>(std::max(zero_based, 0)) + 1; };
  return {file, from_one(mark.line), from_one(mark.column)};
}

/// Thrown through the parser to stop it; never leaves this file.
struct Refused {
  Place place;
  std::string what;
};

/// True when the quoted scalar at the start of `line` also ends in it.
bool closes(std::string_view line) {
  const char quote = line[0];
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool escape = quote == '"' ? line[i] == '\\' : line.substr(i, 2) == "''";
    if (escape) {
      ++i;
    } else if (line[i] == quote) {
      return true;
    }
  }
  return false;
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  /// `text` is what the parser reads.
  TreeBuilder(std::string_view text, std::size_t file, const YamlLimits& limits)
      : text_(text), file_(file), limits_(limits) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
      line_starts_.push_back(end + 1);
    }
  }

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw Refused{place_at(mark, file_), "a second YAML document: one file holds one configuration"};
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(YamlNode::Kind::null, mark, "", anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{place_at(mark, file_), std::string(kNoAliases)};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::scalar, mark, tag, anchor);
    scalar.quoted = tag == "!";
    scalar.text = value;
    check_one_line(scalar);
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node(YamlNode::Kind::list, mark, tag, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(node(YamlNode::Kind::map, mark, tag, anchor));
  }
  void OnMapEnd() override { close(); }

 private:
  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    YamlNode made;
    made.kind = kind;
    made.place = place_at(mark, file_);
    if (anchor != YAML::NullAnchor) throw Refused{made.place, std::string(kNoAliases)};
    // "?" is what a plain node has, "!" a quoted one.
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Refused{made.place, fmt::format("YAML tags are refused: remove {}", in_quotes(tag))};
    }
    if (++nodes_ > limits_.nodes) {
      throw Refused{made.place, fmt::format("more than {} values in one file", limits_.nodes)};
    }
    return made;
  }

  /// yaml-cpp takes the end of the file for the end of an open quote, so that one forgotten quote would
  /// swallow all keys that follow. No value of ours needs two lines, so a value ends in the line in which it
  /// begins.
  void check_one_line(const YamlNode& scalar) const {
    const Place& place = scalar.place;
    const std::size_t start = std::min(line_starts_[place.line - 1] + place.column - 1, text_.size());
    const std::string_view line = text_.substr(start, text_.find('\n', start) - start);
    if (!scalar.quoted) {
      if (!line.starts_with(scalar.text))
        throw Refused{place, "this value goes on in the next line (is a ] or } missing?)"};
    } else if (line.starts_with('!')) {
      throw Refused{place, "YAML tags are refused: remove \"!\""};
    } else if (line.starts_with('|') || line.starts_with('>')) {
      throw Refused{place, "block texts (| and >) are refused: write the value in one line"};
    } else if (!line.empty() && !closes(line)) {
      throw Refused{place, "this quote is not closed in its line"};
    }
  }

  void open(YamlNode container) {
    if (open_.size() >= limits_.depth) {
      throw Refused{container.place, fmt::format("nested deeper than {} levels", limits_.depth)};
    }
    open_.push_back(std::move(container));
  }

  void close() {
    YamlNode done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done));
  }

  void add(YamlNode done) {
    if (open_.empty()) {
      root_ = std::move(done);
      return;
    }
    YamlNode& parent = open_.back();
    const bool is_key = parent.kind == YamlNode::Kind::map && parent.keys.size() == parent.items.size();
    // Where there is no value, yaml-cpp gives the place of what comes next.
    const bool no_value = !is_key && parent.kind == YamlNode::Kind::map && done.kind == YamlNode::Kind::null;
    if (no_value) done.place = parent.keys.back().place;
    (is_key ? parent.keys : parent.items).push_back(std::move(done));
  }

  std::string_view text_;
  std::size_t file_;
  YamlLimits limits_;
  std::vector<std::size_t> line_starts_{0};
  std::size_t documents_ = 0;
  std::size_t nodes_ = 0;
  std::vector<YamlNode> open_;
  YamlNode root_;
};

/// What yaml-cpp says, in words that help where its own do not.
std::string explained(std::string_view message) {
  if (message.starts_with("the referenced anchor is not defined") || message.starts_with("alias not found") ||
      message.starts_with("anchor not found") || message.find("reading alias") != message.npos ||
      message.find("reading anchor") != message.npos) {
    return std::string(kNoAliases);
  }
  std::string_view hint;
  if (message.starts_with("illegal map value")) {
    hint = " (a colon inside a value needs quotes around the value; else check the indentation)";
  } else if (message.starts_with("end of map not found") ||
             message.starts_with("end of sequence not found")) {
    hint = " (check the indentation of this line)";
  } else if (message.find("flow not found") != message.npos) {
    hint = " (a [ or { is not closed)";
  } else if (message.starts_with("illegal EOF in scalar")) {
    hint = " (a quote is not closed)";
  }
  return fmt::format("bad YAML: {}{}", message, hint);
}

}  // namespace

std::optional<YamlNode> read_yaml(std::string_view text, std::size_t file, const YamlLimits& limits,
                                  Problems& problems) {
  if (text.size() > limits.octets) {
    problems.error({file, 0, 0}, "", fmt::format("larger than {} octets, which is the limit", limits.octets));
    return std::nullopt;
  }
  text = without_bom(text);
  if (!check_plain_text(text, file, problems) || !check_indentation(text, file, problems))
    return std::nullopt;

  TreeBuilder builder(text, file, limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const Refused& refused) {
    problems.error(refused.place, "", refused.what);
  } catch (const YAML::Exception& e) {
    problems.error(place_at(e.mark, file), "", explained(e.msg));
  } catch (const std::exception& e) {
    problems.error({file, 0, 0}, "", fmt::format("cannot be read: {}", e.what()));
  }
  return std::nullopt;
}

}  // namespace config
