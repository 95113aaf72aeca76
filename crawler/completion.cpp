#include "crawler/completion.h"

#include "config/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace crawler {
namespace {

/// What follows an option, or stands by itself.
struct Value {
  enum class Kind { none, file, key, choice, text };
  Kind kind = Kind::none;
  std::string name;                  ///< FILE, DURATION
  std::vector<std::string> choices;  ///< of Kind::choice
};

struct Flag {
  std::vector<std::string> names;  ///< `-c`, `--config`
  std::string about;
  bool repeatable = false;
  Value value;
};

struct Command {
  std::vector<std::string> path;  ///< `frontier`, `list`; of the program itself nothing
  std::string about;
  std::vector<Flag> flags;
  Value positional;
  std::vector<std::size_t> below;  ///< their places in the list of all

  /// The path as the scripts write it: `/frontier/list`.
  std::string text() const { return path.empty() ? "" : fmt::format("/{}", fmt::join(path, "/")); }
};
using CommandList = std::vector<Command>;

Value value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() == 0) return {};
  const bool positional = option.get_positional();
  const std::string name = positional ? option.get_name(true) : type;
  // CLI11 has the choices of an option only in the name of its type: `TEXT:{bash,zsh}`.
  const std::size_t open = type.find('{');
  if (open != type.npos && type.ends_with('}')) {
    std::vector<std::string> choices = CLI::detail::split(type.substr(open + 1, type.size() - open - 2), ',');
    return {Value::Kind::choice, name, std::move(choices)};
  }
  if (name == "FILE") return {Value::Kind::file, name, {}};
  return {name == "KEY=VALUE" ? Value::Kind::key : Value::Kind::text, name, {}};
}

/// Option groups are commands without a name; theirs are the options of the command around them.
void add_options(const CLI::App& app, Command& command) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      command.positional = value_of(*option);
      continue;
    }
    Flag flag{{}, option->get_description(), false, value_of(*option)};
    for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    flag.repeatable = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    command.flags.push_back(std::move(flag));
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App* a) { return a->get_name().empty(); }))
    add_options(*group, command);
}

std::size_t add_command(const CLI::App& app, std::vector<std::string> path, CommandList& all) {
  const std::size_t place = all.size();
  all.push_back({path, app.get_description(), {}, {}, {}});
  add_options(app, all[place]);
  for (const CLI::App* below :
       app.get_subcommands([](const CLI::App* a) { return !a->get_name().empty(); })) {
    path.push_back(below->get_name());
    const std::size_t added = add_command(*below, path, all);
    all[place].below.push_back(added);
    path.pop_back();
  }
  return place;
}

/// In single quotes for sh and zsh; fish reads `'\''` the same way.
std::string in_single_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string all_keys(std::string_view after) {
  std::string words;
  for (const auto& key : config::keys())
    words += fmt::format("{}{}{}", words.empty() ? "" : " ", key.spec.path, after);
  return words;
}

std::string names_below(const Command& command, const CommandList& all) {
  std::string words;
  for (const std::size_t place : command.below)
    words += fmt::format("{}{}", words.empty() ? "" : " ", all[place].path.back());
  return words;
}

/// `case` patterns of what leads to a command: `'/frontier list'|…`.
std::string steps(const CommandList& all, std::string_view between) {
  std::vector<std::string> found;
  for (const Command& command : all) {
    if (command.path.empty()) continue;
    Command parent = command;
    parent.path.pop_back();
    found.push_back(in_single_quotes(fmt::format("{} {}", parent.text(), command.path.back())));
  }
  return fmt::format("{}", fmt::join(found, between));
}

// --- bash ---

std::string bash_value(const Value& value) {
  switch (value.kind) {
    case Value::Kind::file: return "'file'";
    case Value::Kind::key: return "'key'";
    case Value::Kind::choice: return in_single_quotes(fmt::format("={}", fmt::join(value.choices, " ")));
    default: return "'text'";
  }
}

std::string bash_command(const Command& command, const CommandList& all) {
  std::vector<std::string> names;
  for (const Flag& flag : command.flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
  std::string words = names_below(command, all);
  if (command.positional.kind == Value::Kind::choice)
    words = fmt::format("{}", fmt::join(command.positional.choices, " "));
  const bool files = command.positional.kind == Value::Kind::file;
  return fmt::format("    {}) words={} options={}{} ;;\n", in_single_quotes(command.text()),
                     in_single_quotes(words), in_single_quotes(fmt::format("{}", fmt::join(names, " "))),
                     files ? " files=yes" : "");
}

std::string bash(const CommandList& all) {
  std::string values;
  std::string commands;
  for (const Command& command : all) {
    for (const Flag& flag : command.flags) {
      if (flag.value.kind == Value::Kind::none) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : flag.names)
        patterns.push_back(in_single_quotes(fmt::format("{} {}", command.text(), name)));
      values += fmt::format("      {}) value={} ;;\n", fmt::join(patterns, "|"), bash_value(flag.value));
    }
    commands += bash_command(command, all);
  }
  std::string script = R"(# bash completion of crawld, made by `crawld completion bash`.
_crawld() {
  local cur=${COMP_WORDS[COMP_CWORD]} command='' value='' words='' options='' files='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == = ]] && continue
    if [[ $value ]]; then
      value=''
      continue
    fi
    case "$command ${COMP_WORDS[i]}" in
      STEPS) command+=/${COMP_WORDS[i]} ;;
VALUES    esac
  done
  [[ $cur == = ]] && cur=''
  case $command in
COMMANDS  esac
  COMPREPLY=()
  case $value in
    file) words='' files=yes ;;
    key)
      words='KEYS' files=''
      compopt -o nospace 2>/dev/null
      ;;
    text) return ;;
    =*) words=${value:1} files='' ;;
    *) [[ $cur == -* ]] && words=$options files='' ;;
  esac
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F _crawld crawld
)";
  const auto put = [&](std::string_view mark, const std::string& text) {
    script.replace(script.find(mark), mark.size(), text);
  };
  put("STEPS", steps(all, "|"));
  put("VALUES", values);
  put("COMMANDS", commands);
  put("KEYS", all_keys("="));
  return script;
}

// --- zsh ---

std::string zsh_action(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none: return "";
    case Value::Kind::file: return ":FILE:_files";
    case Value::Kind::key: return ":KEY=VALUE:_crawld_keys";
    case Value::Kind::choice: return fmt::format(":{}:({})", value.name, fmt::join(value.choices, " "));
    case Value::Kind::text: return fmt::format(":{}: ", value.name);
  }
  return "";
}

std::string zsh_flag(const Flag& flag) {
  std::string about;
  for (const char c : flag.about) {
    if (c == '[' || c == ']') about += '\\';
    about += c;
  }
  const std::string rest = fmt::format("[{}]{}", about, zsh_action(flag.value));
  std::string specs;
  for (const std::string& name : flag.names) {
    const std::string others = flag.repeatable ? "*" : fmt::format("({})", fmt::join(flag.names, " "));
    specs += " \\\n    " + in_single_quotes(others + name + rest);
  }
  return specs;
}

std::string zsh_function(const Command& command) {
  return command.path.empty() ? "_crawld" : fmt::format("_crawld_{}", fmt::join(command.path, "_"));
}

std::string zsh(const CommandList& all) {
  std::string script = "#compdef crawld\n# zsh completion of crawld, made by `crawld completion zsh`.\n";
  script +=
      fmt::format("_crawld_keys() {{\n  local -a keys=({})\n  compadd -S = -- $keys\n}}\n", all_keys(""));
  for (const Command& command : all) {
    script += fmt::format("{}() {{\n  local curcontext=$curcontext state line\n  _arguments -C",
                          zsh_function(command));
    for (const Flag& flag : command.flags) script += zsh_flag(flag);
    if (command.positional.kind != Value::Kind::none)
      script += " \\\n    " + in_single_quotes("*" + zsh_action(command.positional));
    if (command.below.empty()) {
      script += "\n}\n";
      continue;
    }
    std::string names;
    std::string calls;
    for (const std::size_t place : command.below) {
      const Command& below = all[place];
      names += " \\\n        " + in_single_quotes(fmt::format("{}:{}", below.path.back(), below.about));
      calls += fmt::format("        {}) {} ;;\n", below.path.back(), zsh_function(below));
    }
    script += fmt::format(
        " \\\n    '1: :->command' \\\n    '*:: :->rest'\n"
        "  case $state in\n"
        "    command)\n      local -a commands=({})\n      _describe command commands\n      ;;\n"
        "    rest)\n      case $line[1] in\n{}      esac\n      ;;\n"
        "  esac\n}}\n",
        names, calls);
  }
  return script +
         "if [[ $funcstack[1] == _crawld ]]; then\n  _crawld \"$@\"\nelse\n  compdef _crawld crawld\nfi\n";
}

// --- fish ---

std::string fish_value(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none: return "";
    case Value::Kind::file: return " -r -F";
    case Value::Kind::key: return " -x -a " + in_single_quotes(all_keys("="));
    case Value::Kind::choice:
      return " -x -a " + in_single_quotes(fmt::format("{}", fmt::join(value.choices, " ")));
    case Value::Kind::text: return " -x";
  }
  return "";
}

std::string fish_command(const Command& command, const CommandList& all) {
  const std::string at = fmt::format("complete -c crawld -n \"__crawld_at '{}'\"", command.text());
  std::string lines;
  for (const std::size_t place : command.below)
    lines += fmt::format("{} -a {} -d {}\n", at, all[place].path.back(), in_single_quotes(all[place].about));
  for (const Flag& flag : command.flags) {
    lines += at;
    for (const std::string& name : flag.names)
      lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    lines += fmt::format("{} -d {}\n", fish_value(flag.value), in_single_quotes(flag.about));
  }
  if (command.positional.kind == Value::Kind::file) lines += at + " -F\n";
  if (command.positional.kind == Value::Kind::choice)
    lines += fmt::format("{} -a '{}'\n", at, fmt::join(command.positional.choices, " "));
  return lines;
}

std::string fish(const CommandList& all) {
  std::vector<std::string> values;
  std::string commands;
  for (const Command& command : all) {
    for (const Flag& flag : command.flags) {
      if (flag.value.kind == Value::Kind::none) continue;
      for (const std::string& name : flag.names)
        values.push_back(in_single_quotes(fmt::format("{} {}", command.text(), name)));
    }
    commands += fish_command(command, all);
  }
  return fmt::format(
      "# fish completion of crawld, made by `crawld completion fish`.\n"
      "function __crawld_at\n"
      "    set -l command ''\n"
      "    set -l skip 0\n"
      "    set -l words (commandline -opc)\n"
      "    set -e words[1]\n"
      "    for word in $words\n"
      "        if test $skip = 1\n            set skip 0\n            continue\n        end\n"
      "        switch \"$command $word\"\n"
      "            case {}\n                set command \"$command/$word\"\n"
      "            case {}\n                set skip 1\n"
      "        end\n"
      "    end\n"
      "    test \"$command\" = \"$argv[1]\"\n"
      "end\n"
      "complete -c crawld -f\n{}",
      steps(all, " "), fmt::join(values, " "), commands);
}

}  // namespace

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completion(const CLI::App& app, std::string_view shell) {
  CommandList all;
  add_command(app, {}, all);
  return shell == "bash" ? bash(all) : shell == "zsh" ? zsh(all) : fish(all);
}

}  // namespace crawler
