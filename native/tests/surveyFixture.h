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

struct Told {
    EntryKind kind;
    double bytes;
    std::string digest;
    std::string sha256;
    std::string extra; // the code of a skip, the target of a link
    friend bool operator==(const Told&, const Told&) = default;
};

/** A folder of its own for each test, and what a survey of it tells. */
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
    static std::multimap<std::string, Told> take(Survey& survey, bool sha256) {
        std::multimap<std::string, Told> told;
        for (;;) {
            const EntryColumns entries = survey.takeEntries();
            if (entries.count() == 0) return told;
            std::map<uint32_t, std::string> extra(entries.linkTargets.begin(), entries.linkTargets.end());
            for (const auto& [index, skip] : entries.skips)
                extra[index] = skipCodeName(skip.code);
            for (uint32_t i = 0; i < entries.count(); ++i) {
                const size_t start = i == 0 ? 0 : entries.pathEnds[i - 1];
                const auto part = [i](const std::vector<uint8_t>& all, size_t width) {
                    return std::string(all.begin() + static_cast<ptrdiff_t>(i * width),
                                       all.begin() + static_cast<ptrdiff_t>((i + 1) * width));
                };
                told.emplace(entries.paths.substr(start, entries.pathEnds[i] - start),
                             Told{static_cast<EntryKind>(entries.kinds[i]), entries.bytes[i],
                                  part(entries.digests, 16), sha256 ? part(entries.sha256, 32) : "",
                                  extra[i]});
            }
        }
    }

    static std::multimap<std::string, Told> run(const SurveyOptions& options) {
        Survey survey(options);
        survey.run();
        auto told = take(survey, options.sha256);
        expectConsistent(survey, told);
        return told;
    }

    /**
     * An invariant of every survey, whatever happened: the entries' bytes are each level's bytes.
     */
    static void expectConsistent(Survey& survey, const std::multimap<std::string, Told>& told) {
        double bytes = 0;
        for (const auto& [path, entry] : told)
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

    static const Told& only(const std::multimap<std::string, Told>& told, const std::string& path) {
        static const Told none{EntryKind::skipped, -1, "", "", "no such entry"};
        EXPECT_EQ(told.count(path), 1U) << path;
        return told.count(path) == 1 ? told.find(path)->second : none;
    }
};

} // namespace stowage::testing
