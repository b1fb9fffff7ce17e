#pragma once

#include "core/rules/rule.h"

#include <atomic>
#include <deque>
#include <functional>
#include <unordered_map>

namespace stowage {

/** The files that a list of rules would leave out, so far; each name of one counts. */
struct TrialCount {
    uint64_t files = 0;
    uint64_t bytes = 0;
};

/**
 * Lists of rules that leave nothing out: what each of them alone would leave out is counted. Any
 * thread, once made.
 */
class Trials {
  public:
    /** A bit for each list, by its place. */
    using Bits = uint32_t;

    /** @throws std::invalid_argument for more than 32 lists, or a rule that keeps something */
    explicit Trials(const std::vector<RuleList>& lists);

    /**
     * The lists that match an entry. What is below a folder that matches goes with the folder.
     * @param prefix the text before the name, below the root
     */
    [[nodiscard]] Bits matching(const std::string& prefix, std::string_view name, bool isFolder) const;

    /** Counts a file that these lists would leave out. */
    void count(Bits lists, uint64_t bytes);

    [[nodiscard]] std::vector<TrialCount> counts() const;

  private:
    struct TextHash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    using Names = std::unordered_map<std::string, Bits, TextHash, std::equal_to<>>;

    /** The rules of all lists about one kind of entry: plain names are found at once. */
    struct Matcher {
        Names names;
        /** Names of what is directly in a root. */
        Names inRoot;
        std::vector<std::pair<Rule, Bits>> others;
        /** True where a rule among the others is about more than the name. */
        bool needsPath = false;
    };

    /** Threads that count for different lists do not wait for each other's cache line. */
    struct alignas(64) Sums {
        std::atomic<uint64_t> files{0};
        std::atomic<uint64_t> bytes{0};
    };

    static void add(Matcher& matcher, const Rule& rule, Bits bit);

    Matcher files_;
    Matcher folders_;
    std::deque<Sums> sums_;
};

} // namespace stowage
