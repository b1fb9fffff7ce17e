#include "core/anchors/anchors.h"
#include "core/hashing/gearHashForms.h"
#include "slowChunks.h"
#include "surveyFixture.h"

#include <cmath>
#include <map>

using namespace stowage;
using namespace stowage::testing;

namespace {

std::string repeated(const std::string& pattern, size_t bytes) {
    std::string content;
    while (content.size() < bytes)
        content += pattern;
    content.resize(bytes);
    return content;
}

/**
 * Shifted copies, zeros long and short, patterns of every small period, and sizes around the
 * limits.
 */
std::vector<std::string> contents() {
    std::vector<std::string> all = {"", "x", noise(127, 1), noise(128, 2), noise(129, 3)};
    for (const size_t size : {2047, 2048, 2049, 4095, 4096, 4097, 16'383, 16'384, 16'385, 19'999, 20'000,
                              20'001, 65'535, 65'536, 65'537})
        all.push_back(noise(size, static_cast<unsigned>(size)));
    const std::string base = noise(700'000, 4);
    all.push_back(base);
    all.push_back(base.substr(1));
    all.push_back("inserted" + base.substr(0, 300'000) + noise(77, 5) + base.substr(300'000));
    all.push_back(base.substr(0, 200'001) + std::string(300'000, '\0') + base.substr(200'001));
    all.push_back(noise(99, 6) + std::string(1'500'000, '\0') + noise(5000, 7));
    all.emplace_back(2'300'000, '\0');
    all.emplace_back(65'536, '\0');
    all.emplace_back(140'000, 'a');
    for (size_t period = 2; period < 70; period += 7) {
        all.push_back(noise(1000, 8) + repeated(noise(period, 9), 30'000));
        all.push_back(repeated(noise(period, 9), 20'000));
    }
    return all;
}

/** Every chunk found of one content after another. */
class FoundChunks : public ChunkSink {
  public:
    struct Chunk {
        Hash128 identity;
        uint64_t bytes;
    };
    std::map<size_t, std::vector<Chunk>> chunks;

    explicit FoundChunks(std::vector<ChunkProfile> profiles) : profiles_(std::move(profiles)) {}
    void wholeFile(const Hash128& identity, uint32_t bytes) override {
        for (size_t profile = 0; profile < profiles_.size(); ++profile)
            if (profiles_[profile].minBytes > bytes) chunk(profile, identity, bytes, 1);
    }
    void chunk(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count) override {
        for (uint64_t i = 0; i < count; ++i)
            chunks[profile].push_back({identity, bytes});
    }
    void anchors(std::span<const Candidate> /*found*/) override {}

  private:
    std::vector<ChunkProfile> profiles_;
};

void feed(ChunkCutter& cutter, const std::string& content, size_t piece) {
    std::vector<uint8_t> buffer(ChunkCutter::headroom + piece);
    for (size_t at = 0; at < content.size(); at += piece) {
        const size_t length = std::min(piece, content.size() - at);
        std::copy_n(content.begin() + static_cast<ptrdiff_t>(at), length,
                    buffer.begin() + ChunkCutter::headroom);
        cutter.data(buffer.data() + ChunkCutter::headroom, length);
    }
    cutter.finish();
}

/** One identity for one content, and one content for one identity. */
void expectIdentities(const std::vector<FoundChunks::Chunk>& chunks, const std::string& content,
                      std::map<std::string, std::string>& identityOf,
                      std::map<std::string, std::string>& contentOf) {
    size_t start = 0;
    for (const FoundChunks::Chunk& chunk : chunks) {
        const auto bytes = canonicalBytes(chunk.identity);
        const std::string identity(bytes.begin(), bytes.end());
        const std::string piece = content.substr(start, chunk.bytes);
        start += chunk.bytes;
        EXPECT_EQ(identityOf.emplace(piece, identity).first->second, identity);
        EXPECT_EQ(contentOf.emplace(identity, piece).first->second.size(), piece.size());
        EXPECT_TRUE(contentOf[identity] == piece);
    }
}

} // namespace

TEST(GearHash, FindsTheSameInEveryForm) {
    std::string content = noise(200'000, 12) + std::string(3000, '\0') + repeated("abc", 2000);
    const auto* const bytes = reinterpret_cast<const uint8_t*>(content.data());
    for (const GearHashForm& form : gearHashForms()) {
        for (const uint64_t limit : {candidateLimit, anchorLimit}) {
            for (const size_t before : {0, 5}) {
                for (const size_t length :
                     {0,    1,    63,   64,   65,   2047,   2048,   2049,   2055,    2056,   4095,
                      4096, 4097, 4159, 4160, 4161, 65'535, 65'536, 65'537, 150'000, 209'000}) {
                    uint64_t state = 77;
                    uint64_t portableState = 77;
                    std::vector<Candidate> found;
                    std::vector<Candidate> portable;
                    form.find(bytes + before, length, 9, limit, state, found);
                    findCandidatesPortable(bytes + before, length, 9, limit, portableState, portable);
                    ASSERT_EQ(state, portableState) << form.name << " at " << length;
                    ASSERT_EQ(found.size(), portable.size()) << form.name << " at " << length;
                    for (size_t i = 0; i < found.size(); ++i) {
                        EXPECT_EQ(found[i].end, portable[i].end) << form.name << " at " << length;
                        EXPECT_EQ(found[i].hash, portable[i].hash) << form.name << " at " << length;
                    }
                }
            }
        }
    }
    const auto halves = gearHalves();
    EXPECT_EQ(gearTable()[0xa7], halves[7] + halves[16 + 10]);
}

TEST(SegmentSum, OfAStretchFollowsFromTheFiles) {
    // Slowly: doubled bit by bit, so that no product is longer than a number.
    const auto slowProduct = [](uint128 one, uint128 other) {
        uint128 product = 0;
        for (unsigned bit = 127; bit-- > 0;) {
            product = product * 2 % modulus;
            if ((other >> bit & 1) != 0) product = (product + one) % modulus;
        }
        return product;
    };
    const std::vector<uint128> numbers = {0,
                                          1,
                                          2,
                                          modulus - 1,
                                          modulus - 2,
                                          uint128{1} << 126U,
                                          uint128{1} << 64U,
                                          (uint128{1} << 64U) - 1,
                                          sumBase,
                                          inverseBase};
    for (const uint128 one : numbers) {
        for (const uint128 other : numbers) {
            EXPECT_TRUE(modularProduct(one, other) == slowProduct(one, other));
            EXPECT_TRUE(modularSum(one, other) == (one + other) % modulus);
            EXPECT_TRUE(modularSum(modularDifference(one, other), other) == one);
        }
    }
    FileSum all;
    FileSum before;
    SegmentSum stretch;
    for (uint64_t i = 0; i < 50; ++i) {
        const Hash128 digest{i == 20 ? UINT64_MAX : i * 0x9e3779b97f4a7c15ULL, ~i};
        if (i == 17) before = all;
        if (i >= 17) stretch.add(digest);
        all.add(digest);
    }
    SegmentSum inferred;
    all.appendSince(before, inferred);
    EXPECT_TRUE(inferred.sum == stretch.sum);
    EXPECT_TRUE(inferred.power == stretch.power);
}

TEST(GearHash, FindsThePositionsThatASumOverEachWindowFinds) {
    const auto table = gearTable();
    for (const size_t size : {1, 63, 64, 65, 1023, 1024, 1025, 1026, 1027, 100'003}) {
        const uint64_t limit = size % 2 == 0 ? candidateLimit : anchorLimit;
        const std::string content = noise(size, static_cast<unsigned>(size) + 1);
        std::vector<uint8_t> bytes(content.begin(), content.end());
        std::vector<Candidate> found;
        uint64_t state = 0;
        const size_t first = size / 3;
        findCandidates(bytes.data(), first, 0, limit, state, found);
        findCandidates(bytes.data() + first, size - first, first, limit, state, found);
        size_t next = 0;
        for (size_t end = 1; end <= size; ++end) {
            uint64_t hash = 0;
            for (size_t age = 0; age < 64 && age < end; ++age)
                hash += table[bytes[end - 1 - age]] << age;
            if (hash >= limit) continue;
            ASSERT_LT(next, found.size());
            EXPECT_EQ(found[next].end, end);
            EXPECT_EQ(found[next].hash, hash);
            ++next;
        }
        EXPECT_EQ(next, found.size());
    }
}

TEST(ChunkCutter, CutsAndNamesLikeASlowReferenceHoweverTheFileComesInPieces) {
    const std::vector<ChunkProfile> profiles = smallProfiles();
    std::map<std::string, std::string> identityOf;
    std::map<std::string, std::string> contentOf;
    for (const std::string& content : contents()) {
        const SlowCandidates candidates = slowCandidates(content);
        for (const size_t piece : {1ULL << 20U, 65'536ULL, 2048ULL, 4099ULL}) {
            FoundChunks found(profiles);
            ChunkCutter cutter(profiles, found, piece % 2048 == 0);
            feed(cutter, content, piece);
            for (size_t profile = 0; profile < profiles.size(); ++profile) {
                std::vector<size_t> lengths;
                for (const FoundChunks::Chunk& chunk : found.chunks[profile])
                    lengths.push_back(chunk.bytes);
                EXPECT_EQ(lengths, slowCuts(content, candidates, profiles[profile]))
                    << profile << " of " << content.size() << " bytes by " << piece;
                expectIdentities(found.chunks[profile], content, identityOf, contentOf);
            }
        }
    }
    EXPECT_GT(identityOf.size(), 300U);
}

TEST(ChunkCutter, CountsHolesLikeZerosThatAreRead) {
    const std::vector<ChunkProfile> profiles = smallProfiles();
    const std::string before = noise(33'333, 1);
    const std::string after = noise(44'444, 2);
    for (const size_t hole : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{4096}, size_t{2'097'152},
                              size_t{3'145'727}, size_t{3'145'728}, size_t{12'345'678}}) {
        FoundChunks read(profiles);
        ChunkCutter slow(profiles, read, false);
        // Pieces that are never all zeros, so that no run is taken for a hole.
        std::string content = before + std::string(hole, '\0') + after;
        feed(slow, content, content.size());
        FoundChunks skipped(profiles);
        ChunkCutter fast(profiles, skipped, false);
        std::vector<uint8_t> buffer(ChunkCutter::headroom + after.size());
        std::copy(before.begin(), before.end(), buffer.begin() + ChunkCutter::headroom);
        fast.data(buffer.data() + ChunkCutter::headroom, before.size());
        fast.zeros(hole / 2);
        fast.zeros(hole - hole / 2);
        std::copy(after.begin(), after.end(), buffer.begin() + ChunkCutter::headroom);
        fast.data(buffer.data() + ChunkCutter::headroom, after.size());
        fast.finish();
        for (size_t profile = 0; profile < profiles.size(); ++profile) {
            ASSERT_EQ(skipped.chunks[profile].size(), read.chunks[profile].size()) << hole;
            for (size_t i = 0; i < read.chunks[profile].size(); ++i) {
                EXPECT_EQ(skipped.chunks[profile][i].bytes, read.chunks[profile][i].bytes);
                EXPECT_EQ(skipped.chunks[profile][i].identity, read.chunks[profile][i].identity);
            }
        }
    }
}

TEST(ChunkCutter, CutsElsewhereButNoMoreOftenInEachDraw) {
    const std::string content = noise(4'000'000, 9);
    std::vector<ChunkProfile> profiles;
    for (uint64_t draw = 0; draw < 4; ++draw)
        profiles.push_back({1024, 1024, 65'536, uint64_t{1} << 51U, uint64_t{1} << 51U, drawNumber(draw)});
    FoundChunks found(profiles);
    ChunkCutter cutter(profiles, found, false);
    feed(cutter, content, 65'536);
    std::vector<std::set<size_t>> ends(profiles.size());
    for (size_t draw = 0; draw < profiles.size(); ++draw) {
        size_t end = 0;
        for (const FoundChunks::Chunk& chunk : found.chunks[draw])
            ends[draw].insert(end += chunk.bytes);
        // Mean 1024 + 8192 bytes; four standard deviations of the count.
        EXPECT_NEAR(static_cast<double>(ends[draw].size()), 434, 4 * 19);
    }
    for (size_t draw = 1; draw < profiles.size(); ++draw) {
        size_t shared = 0;
        for (const size_t end : ends[draw])
            shared += ends[0].count(end);
        // All draws choose among the same candidates, here every fourth of them.
        EXPECT_NEAR(static_cast<double>(shared), 434.0 / 4, 50);
    }
}

TEST(ChunkProfiles, AreRefusedIfTheyCannotBeCutRightly) {
    const uint64_t limit = candidateLimit;
    EXPECT_TRUE((ChunkProfile{128, 128, 1024, limit, limit}).possible());
    EXPECT_FALSE((ChunkProfile{127, 128, 1024, limit, limit}).possible());
    EXPECT_FALSE((ChunkProfile{128, 128, 1000, limit, limit}).possible());
    EXPECT_FALSE((ChunkProfile{2048, 128, 1024, limit, limit}).possible());
    EXPECT_FALSE((ChunkProfile{128, 128, 1024, limit + 1, limit}).possible());
    EXPECT_FALSE((ChunkProfile{128, 128, 1024, limit, limit + 1}).possible());
    EXPECT_TRUE((ChunkProfile{128, 128, 1024, limit, limit, 3}).possible());
    EXPECT_FALSE((ChunkProfile{128, 128, 1024, limit, limit, 2}).possible());
    constexpr auto nowhere = ChunkProfile::Runs::cutNowhere;
    EXPECT_TRUE((ChunkProfile{32'896, 32'896, 65'536, limit, limit, 1, nowhere, true}).possible());
    EXPECT_FALSE((ChunkProfile{32'895, 32'895, 65'536, limit, limit, 1, nowhere, true}).possible());
}

class SurveyingChunks : public SurveyFixture {
  protected:
    /**
     * That a survey of the folder with any number of threads tells what counting these contents
     * tells.
     */
    void expectCounted(const std::vector<std::string>& contents) const {
        const std::vector<ChunkLevel> expected = countedByContent(contents, smallProfiles());
        for (const unsigned threads : {1U, 2U, 7U}) {
            SurveyOptions given = options();
            given.threads = threads;
            given.chunkProfiles = smallProfiles();
            Survey survey(given);
            survey.run();
            expectConsistent(survey, take(survey, false));
            const std::vector<ChunkLevel> levels = survey.chunkLevels();
            ASSERT_EQ(levels.size(), expected.size());
            for (size_t i = 0; i < levels.size(); ++i) {
                EXPECT_EQ(levels[i].chunks, expected[i].chunks) << i;
                EXPECT_EQ(levels[i].bytes, expected[i].bytes) << i;
                EXPECT_EQ(levels[i].retained.count, expected[i].retained.count) << i;
                EXPECT_EQ(levels[i].retained.bytes, expected[i].retained.bytes) << i;
                EXPECT_TRUE(levels[i].exact);
            }
        }
    }
};

TEST_F(SurveyingChunks, CountsLikeACountByContentWithAnyNumberOfThreads) {
    std::vector<std::string> all = contents();
    all.push_back(noise((size_t{1} << 20U) + 12'345, 20));
    all.push_back("shift" + all.back());
    for (size_t i = 0; i < all.size(); ++i)
        write("folder" + std::to_string(i % 5) + "/" + std::to_string(i), all[i]);
    const std::string sparse = (root / "sparse").string();
    write("sparse", noise(5000, 21));
    std::filesystem::resize_file(sparse, 4'000'000);
    all.push_back(noise(5000, 21) + std::string(4'000'000 - 5000, '\0'));
    expectCounted(all);
}

TEST_F(SurveyingChunks, CountsFilesAroundTheShortestChunkOnceAlsoWhereTheyEndLongerOnes) {
    std::vector<std::string> all = {""};
    const std::string base = noise(540'000, 30);
    for (const ChunkProfile& profile : smallProfiles()) {
        for (const uint64_t bytes : {profile.minBytes - 1, profile.minBytes, profile.minBytes + 1}) {
            all.push_back(base.substr(0, bytes));
            if (bytes > 100'000) continue;
            // The same again, and what no other file begins with.
            all.push_back(base.substr(0, bytes));
            all.push_back(base.substr(1, bytes));
            all.emplace_back(bytes, '\0');
            all.emplace_back(bytes, 'a');
        }
    }
    // The end of a longer file for one profile is a whole file for all.
    const std::string longer = noise(90'000, 31);
    const SlowCandidates candidates = slowCandidates(longer);
    for (const ChunkProfile& profile : smallProfiles())
        all.push_back(longer.substr(longer.size() - slowCuts(longer, candidates, profile).back()));
    all.push_back(longer);
    for (size_t i = 0; i < all.size(); ++i)
        write("folder" + std::to_string(i % 3) + "/" + std::to_string(i), all[i]);
    expectCounted(all);
}

#ifndef _WIN32 // Wine does not know where holes are
TEST_F(SurveyingChunks, PassesOverAHugeHoleAtOnce) {
    write("huge", "start");
    const std::string huge = (root / "huge").string();
    std::filesystem::resize_file(huge, uint64_t{1} << 42U);
    SurveyOptions given = options();
    given.chunkProfiles = smallProfiles();
    Survey survey(given);
    survey.run();
    const std::vector<ChunkLevel> levels = survey.chunkLevels();
    for (size_t i = 0; i < levels.size(); ++i) {
        EXPECT_EQ(levels[i].bytes, uint64_t{1} << 42U);
        EXPECT_GE(levels[i].chunks, (uint64_t{1} << 42U) / smallProfiles()[i].maxBytes);
        EXPECT_LE(levels[i].retained.count, 4U);
    }
}
#endif

TEST_F(SurveyingChunks, CountsNoneUnlessAsked) {
    write("file", "content");
    Survey survey(options());
    survey.run();
    EXPECT_TRUE(survey.chunkLevels().empty());
}
