/**
 * The room `rules` decides what a survey leaves out, by patterns as in .gitignore.
 * How: of one origin the last rule that matches decides; names match however accents are composed.
 * Not here: presets (`src/domain/survey/rules`), walking folders (`survey`).
 */

#pragma once

#include "core/rules/trials.h"
#include "platform/fileSystem.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

namespace stowage {

/** Where a rule is from. The values are those of the binding. */
enum class RuleOrigin : uint8_t {
    /** Given with the survey, in its order. */
    given,
    /** From a `.stowageignore` in the source. */
    file,
    /** One of a preset. */
    preset,
    /** Folders that are marked as caches. */
    caches,
    /** Files above a size. */
    size,
    /** Folders on another file system than their root. */
    fileSystem,
};

/** The rules of a survey for leaving out. */
struct RuleSettings {
    /** The last that matches counts, before those of files. */
    std::vector<std::string> given;
    /** The last that matches counts, after those of files. */
    std::vector<std::string> presets;
    /** True: a `.stowageignore` in any folder has rules for what is below the folder. */
    bool ignoreFiles = false;
    /** True: folders with a CACHEDIR.TAG of https://bford.info/cachedir/ are left out. */
    bool caches = false;
    /** Files of more bytes are left out; UINT64_MAX for none. */
    uint64_t mostBytes = UINT64_MAX;
    /** True: folders on another device than their root are left out. */
    bool oneFileSystem = false;
    /**
     * Lists that leave nothing out: what each of them alone would leave out of what is kept is
     * counted, as if its rules came after those of files. At most 32, without rules that keep.
     */
    std::vector<std::vector<std::string>> trials;

    [[nodiscard]] bool any() const {
        return !given.empty() || !presets.empty() || ignoreFiles || caches || mostBytes != UINT64_MAX ||
               oneFileSystem;
    }
};

/** A rule and what it has left out so far. */
struct RuleCount {
    RuleOrigin origin = RuleOrigin::given;
    uint32_t rootIndex = 0;
    /** The folder of the file that the rule is from, below its root. */
    std::string folder;
    uint32_t line = 0;
    std::string text;
    /** True when the rule decided about anything, also by keeping it. */
    bool used = false;
    uint64_t files = 0;
    uint64_t bytes = 0;
    uint64_t folders = 0;
};

/** A file of rules that was not used, none of its rules. */
struct RuleFileFault {
    uint32_t rootIndex = 0;
    /** Below its root. */
    std::string path;
    /** 0 where it is not a line that is wrong. */
    uint32_t line = 0;
    uint32_t column = 0;
    std::string cause;
};

/** The rules of the files in a folder and in those above. */
struct FolderRules {
    std::shared_ptr<const FolderRules> above;
    RuleList list;
    /** How long the text before the names in this folder is. */
    size_t prefixLength = 0;
    /** The number of the first rule. */
    uint32_t firstRule = 0;
};

/** The decision of the rules about an entry. */
struct RuleVerdict {
    bool leftOut = false;
    /** True when a rule says that it is kept: then neither its size nor a tag leaves it out. */
    bool kept = false;
    /** The number of the rule that decided. */
    uint32_t rule = 0;
};

/**
 * Decides what a survey leaves out, in the order of gitignore(5): the rules given, then those of
 * files, the deepest first, then the presets, at last sizes, tags and file systems. Whoever asks
 * has not entered a folder that is left out. Any thread, once made.
 */
class Rules {
  public:
    /** @throws std::invalid_argument where a rule that is given cannot be understood */
    explicit Rules(RuleSettings settings);

    [[nodiscard]] const RuleSettings& settings() const { return settings_; }

    /**
     * The rules for what is in a folder: those of the folders above, with its own file's where it
     * has one.
     * @param prefix the text before the names in the folder
     */
    std::shared_ptr<const FolderRules> enter(const std::shared_ptr<const FolderRules>& above,
                                             const platform::Handle& folder, uint32_t rootIndex,
                                             const std::string& prefix);

    /** @param prefix the text before the name, below the root */
    RuleVerdict judge(const FolderRules* folder, const std::string& prefix, std::string_view name,
                      const platform::FileFacts& facts, uint64_t rootDevice);

    /** The number of the rule about caches where the folder is marked as one. */
    std::optional<uint32_t> cacheTag(const platform::Handle& folder);

    /** The lists that are tried: asked about each entry that is kept. */
    [[nodiscard]] Trials& trials() { return trials_; }

    void countFile(uint32_t rule, uint64_t bytes);
    void countFolder(uint32_t rule);

    [[nodiscard]] std::vector<RuleCount> counts();
    [[nodiscard]] std::vector<RuleFileFault> faults();

  private:
    struct Counter {
        RuleCount about;
        std::atomic<bool> used{false};
        std::atomic<uint64_t> files{0};
        std::atomic<uint64_t> bytes{0};
        std::atomic<uint64_t> folders{0};
    };

    uint32_t number(RuleOrigin origin, std::string text);
    Counter& counter(uint32_t rule);
    RuleVerdict decided(const Rule& rule, uint32_t index);
    RuleVerdict leftOut(uint32_t index);
    bool readFile(const platform::Handle& file, uint64_t bytes, uint32_t rootIndex, const std::string& path,
                  RuleList& list);
    void fault(uint32_t rootIndex, const std::string& path, const RuleFault& what);

    RuleSettings settings_;
    RuleList given_;
    RuleList presets_;
    Trials trials_;
    uint32_t firstPreset_ = 0;
    uint32_t cachesRule_ = 0;
    uint32_t sizeRule_ = 0;
    uint32_t fileSystemRule_ = 0;
    std::mutex lock_;
    std::deque<Counter> counters_;
    std::vector<RuleFileFault> faults_;
};

/** A rule that takes back what it cannot: a folder above is left out by another one. */
struct IneffectiveRule {
    /** Their indices. */
    uint32_t rule = 0;
    uint32_t by = 0;
    /** The folder, below its root. */
    std::string folder;
};

/** Those among rules of one list whose beginning names the folders. */
std::vector<IneffectiveRule> ineffectiveRules(const RuleList& list);

} // namespace stowage
