#pragma once

#include "core/survey/survey.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

namespace stowage::testing {

inline std::string noise(size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::string content(bytes, '\0');
    for (char& byte : content)
        byte = static_cast<char>(random());
    return content;
}

struct FoundEntry {
    EntryKind kind;
    double bytes;
    std::string digest;
    std::string sha256;
    std::string extra; // the code of a skip, the target of a link
    friend bool operator==(const FoundEntry&, const FoundEntry&) = default;
};

/** A folder of its own for each test, and the entries that a survey of it reports. */
class SurveyFixture : public ::testing::Test {
  protected:
    std::filesystem::path root;

    void SetUp() override { root = makeTemporaryFolder(); }
    void TearDown() override { std::filesystem::remove_all(root); }

    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((root / name).parent_path());
        std::ofstream(root / name, std::ios::binary) << content;
    }

    [[nodiscard]] SurveyOptions options() const {
        SurveyOptions given;
        given.roots = {root.string()};
        given.threads = 3;
        return given;
    }

    /** Everything that is left to take. */
    static std::multimap<std::string, FoundEntry>
    take(Survey& survey, bool sha256, EntryColumns (Survey::*some)() = &Survey::takeEntries) {
        std::multimap<std::string, FoundEntry> found;
        for (;;) {
            const EntryColumns entries = (survey.*some)();
            if (entries.count() == 0) return found;
            std::map<uint32_t, std::string> extra(entries.linkTargets.begin(), entries.linkTargets.end());
            for (const auto& [index, skip] : entries.skips)
                extra[index] = skipCodeName(skip.code);
            for (uint32_t i = 0; i < entries.count(); ++i) {
                const size_t start = i == 0 ? 0 : entries.pathEnds[i - 1];
                const auto part = [i](const std::vector<uint8_t>& all, size_t width) {
                    return std::string(all.begin() + static_cast<ptrdiff_t>(i * width),
                                       all.begin() + static_cast<ptrdiff_t>((i + 1) * width));
                };
                found.emplace(entries.paths.substr(start, entries.pathEnds[i] - start),
                              FoundEntry{static_cast<EntryKind>(entries.kinds[i]), entries.bytes[i],
                                         part(entries.digests, 16), sha256 ? part(entries.sha256, 32) : "",
                                         extra[i]});
            }
        }
    }

    static std::multimap<std::string, FoundEntry> run(const SurveyOptions& options) {
        Survey survey(options);
        survey.run();
        auto found = take(survey, options.sha256);
        expectConsistent(survey, found);
        return found;
    }

    /**
     * An invariant of every survey, whatever happened: the entries' bytes are each level's bytes.
     */
    static void expectConsistent(Survey& survey, const std::multimap<std::string, FoundEntry>& found) {
        double bytes = 0;
        for (const auto& [path, entry] : found)
            bytes += entry.bytes;
        for (const BlockLevel& level : survey.blockLevels()) {
            EXPECT_EQ(static_cast<double>(level.bytes), bytes) << level.blockBytes;
            EXPECT_LE(level.retained.count, level.blocks) << level.blockBytes;
        }
        const SurveyProgress progress = survey.progress();
        if (!survey.cancelled()) {
            EXPECT_EQ(progress.filesDone, progress.filesFound);
            EXPECT_EQ(progress.bytesDone, progress.bytesFound);
            EXPECT_TRUE(progress.walkFinished);
        }
        EXPECT_EQ(progress.current, "");
    }

    static const FoundEntry& only(const std::multimap<std::string, FoundEntry>& found,
                                  const std::string& path) {
        static const FoundEntry none{EntryKind::skipped, -1, "", "", "no such entry"};
        EXPECT_EQ(found.count(path), 1U) << path;
        return found.count(path) == 1 ? found.find(path)->second : none;
    }
};

} // namespace stowage::testing
