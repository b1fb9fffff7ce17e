#pragma once

#include "core/rules/glob.h"

#include <cstdint>
#include <vector>

namespace stowage {

/** One pattern of gitignore(5), as bytes. */
struct Rule {
    /** Without the `!` and the slashes at both ends. */
    std::string pattern;
    /** Taken back, not left out. */
    bool keeps = false;
    bool foldersOnly = false;
    /** Compared with the name alone, wherever it is. */
    bool nameOnly = false;
    /** See `literalLength`. */
    size_t literal = 0;
    /** From 1; 0 where the rule is from no file. */
    uint32_t line = 0;
    /** As it was written. */
    std::string text;

    /**
     * True when the rule is about this path.
     * @param path below the folder that the rules belong to
     * @param name the path's last name
     */
    [[nodiscard]] bool matches(std::string_view path, std::string_view name, bool isFolder) const;
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

    [[nodiscard]] const Rule* lastMatch(std::string_view path, std::string_view name, bool isFolder) const;
};

/** True when all of it is UTF-8 as of RFC 3629. */
bool isUtf8(std::string_view text);

} // namespace stowage
