#include "core/fingerprints/fingerprintCollector.h"
#include "core/fingerprints/fingerprintMerge.h"
#include "surveyFixture.h"

#include <array>
#include <map>
#include <thread>
#include <tuple>

using namespace stowage;
using namespace stowage::testing;

namespace {

/** Level, hash as written, file: bytes and count. */
using Rows = std::map<std::tuple<unsigned, int64_t, int32_t>, std::pair<int64_t, int64_t>>;

struct Occurrence {
    unsigned level;
    Hash128 hash;
    uint64_t bytes;
    uint64_t count;
    uint32_t file;
};

/** The slow reference: all occurrences in a map, counted by the terms' own words. */
Rows expected(const std::vector<Occurrence>& all, const FingerprintTerms& terms) {
    std::map<std::pair<unsigned, uint64_t>, std::map<uint32_t, uint64_t>> contents;
    std::map<std::pair<unsigned, uint64_t>, uint64_t> lengths;
    for (const Occurrence& one : all) {
        const unsigned shift = terms.shifts[one.level];
        if (shift == FingerprintTerms::notKept) continue;
        const uint64_t hash = terms.key ? keyedHash(*terms.key, one.hash) : one.hash.high;
        if (shift > 0 && hash >= uint64_t{1} << (64 - shift)) continue;
        contents[{one.level, hash}][one.file] += one.count;
        lengths[{one.level, hash}] = one.bytes;
    }
    Rows rows;
    for (const auto& [content, files] : contents) {
        const auto signedHash = static_cast<int64_t>(content.second ^ uint64_t{1} << 63U);
        const auto bytes = static_cast<int64_t>(lengths[content]);
        int64_t total = 0;
        for (const auto& [file, count] : files) {
            total += static_cast<int64_t>(count);
            if (files.size() <= 8)
                rows[{content.first, signedHash, static_cast<int32_t>(file)}] = {
                    bytes, static_cast<int64_t>(std::min<uint64_t>(count, INT32_MAX))};
        }
        if (files.size() > 8)
            rows[{content.first, signedHash, -1}] = {bytes, std::min<int64_t>(total, INT32_MAX)};
    }
    return rows;
}

Rows rowsOf(FingerprintMerge& merge, unsigned levels, size_t most) {
    Rows rows;
    for (unsigned level = 0; level < levels; ++level) {
        std::pair<int64_t, int32_t> before{INT64_MIN, INT32_MIN};
        for (;;) {
            const FingerprintColumns columns = merge.next(level, most);
            if (columns.rows() == 0) break;
            EXPECT_LE(columns.rows(), most);
            for (size_t at = 0; at < columns.rows(); ++at) {
                const std::pair now{columns.hash[at], columns.file[at]};
                EXPECT_TRUE(before <= now);
                before = now;
                EXPECT_TRUE(rows.emplace(std::tuple(level, now.first, now.second),
                                         std::pair(columns.bytes[at], columns.count[at]))
                                .second);
            }
        }
    }
    return rows;
}

class Fingerprints : public SurveyFixture {
  protected:
    [[nodiscard]] FingerprintTerms termsOf(std::vector<uint8_t> shifts, size_t bufferBytes) const {
        FingerprintTerms terms;
        terms.shifts = std::move(shifts);
        terms.scratch = (root / "scratch").string();
        terms.bufferBytes = bufferBytes;
        return terms;
    }
};

std::vector<Occurrence> occurrences(size_t count) {
    std::mt19937_64 random(7);
    std::vector<Occurrence> all;
    for (size_t at = 0; at < count; ++at) {
        // Contents come again within a file and in other files, some in more than eight.
        const uint64_t content = random() % (count / 6);
        std::mt19937_64 contents(content);
        const Hash128 hash{contents(), contents()};
        const auto files = content % 5 == 0 ? 40U : 6U;
        all.push_back({static_cast<unsigned>(content % 4), hash, 1 + content, 1 + random() % 3,
                       static_cast<uint32_t>(random() % files)});
    }
    return all;
}

} // namespace

TEST_F(Fingerprints, OfRunsAndThreadsAreThoseOfASlowCount) {
    const std::vector<Occurrence> all = occurrences(20'000);
    for (const size_t bufferBytes : {size_t{1}, size_t{6000}, size_t{64} << 10U, size_t{64} << 20U}) {
        for (const bool keyed : {false, true}) {
            const bool small = bufferBytes == 1;
            const std::span some(all.data(), small ? 300 : all.size());
            FingerprintTerms terms = termsOf({0, 2, FingerprintTerms::notKept, 5}, bufferBytes);
            if (keyed) terms.key = HashKey{1, 2};
            const auto runs = std::make_shared<FingerprintRuns>(terms);
            {
                std::vector<std::jthread> threads;
                for (size_t thread = 0; thread < 3; ++thread) {
                    threads.emplace_back([&terms, &runs, some, thread] {
                        FingerprintCollector collector(terms, 0, *runs);
                        for (size_t at = thread; at < some.size(); at += 3) {
                            collector.startFile(some[at].file);
                            collector.mark(some[at].level, some[at].hash, some[at].bytes, some[at].count);
                        }
                        collector.flush();
                    });
                }
            }
            FingerprintMerge merge(terms, runs);
            EXPECT_EQ(rowsOf(merge, 4, 97), expected({some.begin(), some.end()}, terms));
            EXPECT_EQ(runs->scratchBytes() > 0, bufferBytes < size_t{64} << 20U);
            EXPECT_FALSE(std::filesystem::exists(root / "scratch"));
        }
    }
}

TEST_F(Fingerprints, CountMoreThanARowHoldsAsTheMostOfIt) {
    const FingerprintTerms terms = termsOf({0}, 64);
    const auto runs = std::make_shared<FingerprintRuns>(terms);
    FingerprintCollector collector(terms, 0, *runs);
    for (uint32_t file = 0; file < 30; ++file) {
        collector.startFile(file);
        collector.mark(0, {1, 2}, 4096, uint64_t{3} << 31U);
        collector.mark(0, {1, 1}, 4096, 1'000'000'000);
    }
    collector.startFile(0);
    collector.mark(0, {1, 5}, 512, uint64_t{1} << 40U);
    collector.flush();
    FingerprintMerge merge(terms, runs);
    const FingerprintColumns columns = merge.next(0, 100);
    ASSERT_EQ(columns.rows(), 3U);
    EXPECT_EQ(columns.file, (std::vector<int32_t>{-1, -1, 0}));
    EXPECT_EQ(columns.count, (std::vector<int32_t>{INT32_MAX, INT32_MAX, INT32_MAX}));
}

TEST_F(Fingerprints, OfZerosHaveTheBlocksOfEachFileInItsOrder) {
    const FingerprintTerms terms = termsOf({0, 3}, 24 * 2);
    const auto runs = std::make_shared<FingerprintRuns>(terms);
    FingerprintCollector collector(terms, 1, *runs);
    const uint64_t many = uint64_t{5} << 32U | 7;
    for (const uint32_t file : {9U, 2U, 4'000'000U}) {
        collector.startFile(file);
        collector.noteZeros(0, many + file, 1000 + file);
        if (file == 2) collector.noteFurtherZeros(0, 3, 77);
    }
    collector.flush();
    FingerprintMerge merge(terms, runs);
    const FingerprintColumns zeros = merge.next(terms.zerosLevel(0), 10);
    EXPECT_EQ(zeros.file, (std::vector<int32_t>{2, 9, 4'000'000}));
    EXPECT_EQ(zeros.bytes, (std::vector<int64_t>{1002, 1009, 4'001'000}));
    const auto blocks = static_cast<int64_t>(many);
    EXPECT_EQ(zeros.hash, (std::vector<int64_t>{blocks + 2, blocks + 9, blocks + 4'000'000}));
    EXPECT_TRUE(merge.next(0, 10).hash.empty());
    EXPECT_EQ(merge.next(terms.zerosLevel(1), 10).hash, (std::vector<int64_t>{3}));
}

TEST_F(Fingerprints, ThatNoScratchFileCanHoldAreAnError) {
    FingerprintTerms terms = termsOf({0}, 48);
    terms.scratch = (root / "missing" / "scratch").string();
    const auto runs = std::make_shared<FingerprintRuns>(terms);
    FingerprintCollector collector(terms, 0, *runs);
    for (uint64_t at = 0; at < 5000; ++at)
        collector.mark(0, {at, at}, 1, 1);
    collector.flush();
    FingerprintMerge merge(terms, runs);
    EXPECT_THROW(merge.next(0, 10), FingerprintError);
}

TEST_F(Fingerprints, ThatAreTakenAndAddedAgainAreTheSame) {
    const std::vector<Occurrence> all = occurrences(6'000);
    const FingerprintTerms terms = termsOf({0, 1, 0, 0}, size_t{8} << 10U);
    // The files of one half are read anew, those of the other come from before.
    const auto collected = [&](bool (*wanted)(uint32_t)) {
        auto runs = std::make_shared<FingerprintRuns>(terms);
        FingerprintCollector collector(terms, 0, *runs);
        for (const Occurrence& one : all) {
            if (!wanted(one.file)) continue;
            collector.startFile(one.file);
            collector.mark(one.level, one.hash, one.bytes, one.count);
        }
        for (uint32_t file = 0; file < 40; ++file) {
            if (!wanted(file)) continue;
            collector.startFile(file);
            collector.noteZeros(1, (uint64_t{file} << 33U) + 1, file + 1);
        }
        collector.flush();
        return runs;
    };
    FingerprintMerge whole(terms, collected([](uint32_t) { return true; }));
    FingerprintMerge before(terms, collected([](uint32_t file) { return file % 2 == 0; }));
    const auto runs = collected([](uint32_t file) { return file % 2 == 1; });
    for (const unsigned level : {0U, 1U, 2U, 3U, terms.zerosLevel(1)}) {
        for (FingerprintColumns rows = before.next(level, 50); rows.rows() > 0;
             rows = before.next(level, 50)) {
            rows.count.resize(rows.rows());
            addEarlier(*runs, terms, level, rows);
        }
    }
    FingerprintMerge united(terms, runs);
    EXPECT_EQ(rowsOf(united, 4, 64), rowsOf(whole, 4, 1000));
    const FingerprintColumns zeros = united.next(terms.zerosLevel(1), 100);
    const FingerprintColumns expectedZeros = whole.next(terms.zerosLevel(1), 100);
    EXPECT_EQ(zeros.file.size(), 40U);
    EXPECT_EQ(zeros.hash, expectedZeros.hash);
    EXPECT_EQ(zeros.bytes, expectedZeros.bytes);
}

/** The vectors of SipHash-2-4's authors: key 00 to 0f, messages 00, 01, … */
TEST(KeyedHash, IsSipHash) {
    const HashKey key{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};
    EXPECT_EQ(keyedHash(key, {0x0706050403020100U, 0x0f0e0d0c0b0a0908U}), 0x3f2acc7f57c29bdbU);
}

TEST_F(Fingerprints, OfASurveyCountWhatItsTablesCount) {
    for (unsigned i = 0; i < 60; ++i) {
        write("a/" + std::to_string(i), noise(i * 997 % 40'000 + 1, i % 25));
        write("b/" + std::to_string(i), noise(5000, 1) + std::string(i * 500, '\0'));
    }
    write("a/long", noise(2'000'000, 99) + std::string(100'000, '\0'));
    write("a/empty", "");
    SurveyOptions given = options();
    given.blockSizes = {2352};
    given.blocksFrom512 = true;
    given.chunkProfiles = {{2048, 8192, 65536, UINT64_MAX / 8192, UINT64_MAX / 8192},
                           {4096, 8192, 65536, UINT64_MAX / 8192, UINT64_MAX / 8192}};
    const size_t levels = BlockLevels::mainLevels + BlockLevels::fineLevels + size_t{4};
    given.fingerprints = termsOf(std::vector<uint8_t>(levels, 0), size_t{32} << 10U);
    given.fingerprints->scratch = root.string() + "-scratch";
    const FingerprintTerms terms = *given.fingerprints;
    Survey survey(given);
    survey.run();
    std::vector<uint64_t> unique;
    std::vector<uint64_t> uniqueBytes;
    for (unsigned level = 0; level < levels; ++level) {
        uint64_t count = 0;
        uint64_t bytes = 0;
        std::optional<int64_t> last;
        for (;;) {
            const FingerprintColumns columns = survey.takeFingerprints(level, 1000);
            if (columns.rows() == 0) break;
            for (size_t at = 0; at < columns.rows(); ++at) {
                if (last == columns.hash[at]) continue;
                last = columns.hash[at];
                ++count;
                bytes += static_cast<uint64_t>(columns.bytes[at]);
            }
        }
        unique.push_back(count);
        uniqueBytes.push_back(bytes);
    }
    const std::vector<BlockLevel> blocks = survey.blockLevels();
    const size_t tree = blocks.size() - 1;
    const std::vector<ChunkLevel> chunks = survey.chunkLevels();
    const auto placeOf = [&](size_t at) { return at < tree ? at : levels - 1; };
    for (size_t at = 0; at < blocks.size(); ++at) {
        EXPECT_EQ(unique[placeOf(at)], blocks[at].retained.count);
        EXPECT_EQ(uniqueBytes[placeOf(at)], blocks[at].retained.bytes);
        uint64_t zeroBlocks = 0;
        uint64_t zeroBytes = 0;
        const FingerprintColumns zeros =
            survey.takeFingerprints(terms.zerosLevel(static_cast<unsigned>(placeOf(at))), 10'000);
        for (size_t row = 0; row < zeros.rows(); ++row) {
            zeroBlocks += static_cast<uint64_t>(zeros.hash[row]);
            zeroBytes += static_cast<uint64_t>(zeros.bytes[row]);
        }
        EXPECT_EQ(zeroBlocks, blocks[at].zeroBlocks);
        EXPECT_EQ(zeroBytes, blocks[at].zeroBytes);
    }
    for (size_t at = 0; at < chunks.size(); ++at)
        EXPECT_EQ(uniqueBytes[tree + at], chunks[at].retained.bytes);
    EXPECT_EQ(unique[tree + 2], 60U + 60U + 1U);
}
