#pragma once

#include "core/rules/composition.h"
#include "core/rules/glob.h"

#include <array>
#include <cstdint>
#include <vector>

namespace stowage {

/** A pattern as bytes. */
struct RulePattern {
    std::string text;
    /** See `literalLength`. */
    size_t literal = 0;
    /** See `literalTail`. */
    size_t tail = 0;

    explicit RulePattern(std::string_view pattern = {});

    [[nodiscard]] bool matches(std::string_view compared) const;
};

/** A path that rules are asked about. */
class RuledPath {
  public:
    /**
     * @param path below the folder that the rules belong to
     * @param name the path's last name
     */
    RuledPath(std::string_view path, std::string_view name, bool folder)
        : path_(path), name_(name), isFolder_(folder) {}

    [[nodiscard]] bool isFolder() const { return isFolder_; }
    [[nodiscard]] std::string_view text(bool nameOnly) const { return nameOnly ? name_ : path_; }
    /** The composed form, made once. */
    [[nodiscard]] const std::optional<std::string>& composedText(bool nameOnly) const;

  private:
    std::string_view path_;
    std::string_view name_;
    bool isFolder_;
    /** The forms of path and name; the outer ones are empty until they are asked for. */
    mutable std::array<std::optional<std::optional<std::string>>, 2> composed_;
};

/** One pattern of gitignore(5), as bytes. */
struct Rule {
    /** Without the `!` and the slashes at both ends. */
    RulePattern pattern;
    /** Its composed form; nothing where there is none (see `composed`). */
    std::optional<RulePattern> composedPattern;
    /** Taken back, not left out. */
    bool keeps = false;
    bool foldersOnly = false;
    /** Compared with the name alone, wherever it is. */
    bool nameOnly = false;
    /** From 1; 0 where the rule is from no file. */
    uint32_t line = 0;
    /** As it was written. */
    std::string text;

    /** True when the rule is about this path, byte for byte or in the composed forms of both. */
    [[nodiscard]] bool matches(const RuledPath& path) const;
};

/** A line of rules that cannot be understood. */
struct RuleFault {
    uint32_t line = 0;
    /** From 1, in bytes. */
    uint32_t column = 0;
    std::string cause;
};

/** Rules in the order in which they were written, of which the last that matches counts. */
struct RuleList {
    std::vector<Rule> rules;
    std::vector<RuleFault> faults;

    /** One rule as it is: spaces and `#` are a part of it. Nothing where it is empty. */
    void add(std::string_view text, uint32_t line = 0);

    /** The rules of a file in the form of gitignore(5): comments and spaces at the ends go. */
    static RuleList ofFile(std::string_view content);

    [[nodiscard]] const Rule* lastMatch(const RuledPath& path) const;

    /**
     * The index of the first rule that describes a file or one of the folders above it; nothing
     * where none does.
     * @param file its path, `/` between names
     */
    [[nodiscard]] std::optional<size_t> firstMatch(std::string_view file) const;
};

} // namespace stowage
