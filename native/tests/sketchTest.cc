#include "core/hashing/blockHash.h"
#include "core/sketches/sketchMerge.h"
#include "surveyFixture.h"

#include <array>
#include <cstring>
#include <thread>

using namespace stowage;
using namespace stowage::testing;

namespace {

std::string readAll(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Sketches : public SurveyFixture {
  protected:
    std::filesystem::path out;

    void SetUp() override {
        SurveyFixture::SetUp();
        out = root.string() + "-out";
        std::filesystem::create_directory(out);
    }
    void TearDown() override {
        std::filesystem::remove_all(out);
        SurveyFixture::TearDown();
    }

    /** Small files in two folders, many of them in both, some in more than eight places. */
    void writeFiles(int count) const {
        for (int i = 0; i < count; ++i) {
            const auto number = std::to_string(i);
            const auto seed = static_cast<unsigned>(i);
            write("a/" + number, noise(static_cast<size_t>(i * 37 % 9000 + 1), seed));
            write("b/" + number,
                  noise(static_cast<size_t>(i * 37 % 9000 + 1), i % 4 == 0 ? seed : seed + 10'000));
            if (i % 10 == 0) write("b/same " + number, noise(5000, 1));
        }
        write("a/zeros", std::string(20'000, '\0'));
        write("b/zeros", std::string(70'000, '\0') + noise(3000, 2) + std::string(9000, '\0'));
        write("b/empty", "");
        write("a/long", noise(1'200'000, 5));
    }

    [[nodiscard]] SurveyOptions optionsOf(const std::vector<std::string>& folders, size_t tableBytes,
                                          unsigned threads) const {
        SurveyOptions given;
        for (const std::string& folder : folders)
            given.roots.push_back((root / folder).string());
        given.threads = threads;
        given.maxTableBytes = tableBytes;
        given.chunkProfiles = {{2048, 8192, 65536, UINT64_MAX / 8192, UINT64_MAX / 8192}};
        return given;
    }

    /** Saves a survey's sketch with its files numbered by path, so that two can be compared. */
    std::string sketchOf(const std::vector<std::string>& folders, const std::string& name,
                         size_t tableBytes = size_t{64} << 20U, unsigned threads = 3) {
        Survey survey(optionsOf(folders, tableBytes, threads));
        survey.run();
        const std::string raw = (out / "raw").string();
        survey.saveSketch(raw);
        std::map<std::string, uint32_t> numbers;
        for (;;) {
            const EntryColumns entries = survey.takeEntries();
            if (entries.count() == 0) break;
            for (uint32_t i = 0; i < entries.count(); ++i) {
                const size_t start = i == 0 ? 0 : entries.pathEnds[i - 1];
                if (entries.fileNumbers[i] == noFileNumber) continue;
                numbers.emplace(folders[entries.rootIndex[i]] + "/" +
                                    entries.paths.substr(start, entries.pathEnds[i] - start),
                                entries.fileNumbers[i]);
            }
        }
        std::vector<uint32_t> map(numbers.size(), goneFile);
        for (const auto& [path, number] : numbers)
            map[number] = static_cast<uint32_t>(places.try_emplace(path, places.size()).first->second);
        std::string path = (out / name).string();
        SketchMerge merge({{raw, map}}, path);
        merge.run();
        EXPECT_FALSE(merge.failure()) << merge.failure()->cause;
        for (unsigned level = 0; level < survey.blockLevels().size(); ++level) {
            EXPECT_EQ(merge.blockLevels()[level].blocks, survey.blockLevels()[level].blocks);
            EXPECT_EQ(merge.blockLevels()[level].bytes, survey.blockLevels()[level].bytes);
            EXPECT_EQ(merge.blockLevels()[level].zeroBytes, survey.blockLevels()[level].zeroBytes);
        }
        EXPECT_EQ(merge.chunkLevels()[0].chunks, survey.chunkLevels()[0].chunks);
        return path;
    }

    std::map<std::string, size_t> places;

    static std::vector<uint32_t> identity(size_t count) {
        std::vector<uint32_t> map(count);
        for (uint32_t i = 0; i < count; ++i)
            map[i] = i;
        return map;
    }
};

} // namespace

TEST_F(Sketches, OfTwoFoldersMakeTheSketchOfBothBitForBit) {
    writeFiles(400);
    for (const size_t tableBytes : {size_t{64} << 20U, size_t{1} << 20U}) {
        const std::string a = sketchOf({"a"}, "a.sketch", tableBytes);
        const std::string b = sketchOf({"b"}, "b.sketch", tableBytes, 1);
        const std::string both = sketchOf({"a", "b"}, "both.sketch", tableBytes);
        EXPECT_EQ(readAll(sketchOf({"b", "a"}, "again.sketch", tableBytes, 1)), readAll(both));
        const std::string united = (out / "united").string();
        for (const bool turned : {false, true}) {
            std::vector<SketchInput> inputs{{a, identity(places.size())}, {b, identity(places.size())}};
            if (turned) std::swap(inputs[0], inputs[1]);
            SketchMerge merge(inputs, united);
            merge.run();
            ASSERT_FALSE(merge.failure()) << merge.failure()->cause;
            EXPECT_EQ(readAll(united), readAll(both));
            EXPECT_EQ(merge.blockLevels()[0].exact, tableBytes > size_t{1} << 20U);
        }
    }
}

TEST_F(Sketches, CanBeSavedWhileThePassRunsAndHoldEveryEntryTaken) {
    writeFiles(300);
    Survey survey(optionsOf({"a", "b"}, size_t{1} << 20U, 3));
    std::jthread running([&survey] { survey.run(); });
    std::vector<uint32_t> taken;
    for (int round = 0; round < 6; ++round) {
        for (;;) {
            const EntryColumns entries = survey.takeEntries();
            if (entries.count() == 0) break;
            for (uint32_t i = 0; i < entries.count(); ++i) {
                if (entries.fileNumbers[i] != noFileNumber) taken.push_back(entries.fileNumbers[i]);
            }
        }
        const std::string path = (out / "checkpoint").string();
        survey.saveSketch(path);
        SketchReader reader(path);
        std::vector<bool> saved(2000);
        reader.eachRecord([&saved](const FileRecord& record) { saved[record.file] = true; });
        for (const uint32_t number : taken)
            EXPECT_TRUE(saved[number]) << number;
        for (const Mark& mark : reader.level(0))
            EXPECT_TRUE(mark.file == manyFiles || saved[mark.file]);
    }
}

TEST_F(Sketches, SayWhenContentsMayStandForFilesThatAreGone) {
    for (int i = 0; i < 20; ++i)
        write("a/" + std::to_string(i), noise(5000, 1));
    write("a/other", noise(7000, 2));
    places = {{"a/other", 0}};
    const std::string sketch = sketchOf({"a"}, "a.sketch");
    for (const size_t left : {13U, 12U, 1U}) {
        SketchMerge merge({{sketch, identity(left)}}, "");
        merge.run();
        ASSERT_FALSE(merge.failure());
        const BlockLevel& level = merge.blockLevels()[9];
        EXPECT_EQ(level.bytes, 7000 + (left - 1) * 5000);
        EXPECT_EQ(level.retained.bytes, 12'000U);
        EXPECT_EQ(level.exact, left == 13);
        EXPECT_EQ(merge.unattributed()[9].bytes, left == 13 ? 0U : 5000U);
    }
}

TEST_F(Sketches, RefuseOtherTermsAndNumbersGivenTwice) {
    writeFiles(5);
    const std::string a = sketchOf({"a"}, "a.sketch");
    SurveyOptions fine = optionsOf({"a"}, size_t{1} << 20U, 1);
    fine.blocksFrom512 = true;
    SurveyOptions others = optionsOf({"a"}, size_t{1} << 20U, 1);
    others.chunkProfiles[0].maxBytes *= 2;
    for (const auto& [given, cause] : {std::pair{fine, "smallest blocks"}, {others, "other rules"}}) {
        Survey survey(given);
        survey.run();
        const std::string path = (out / "other").string();
        survey.saveSketch(path);
        SketchMerge merge({{a, std::nullopt}, {path, std::nullopt}}, "");
        merge.run();
        ASSERT_TRUE(merge.failure());
        EXPECT_EQ(merge.failure()->input, 1U);
        EXPECT_NE(merge.failure()->cause.find(cause), std::string::npos) << merge.failure()->cause;
    }
    SketchMerge twice({{a, std::nullopt}, {a, std::vector<uint32_t>{3, 3}}}, "");
    twice.run();
    ASSERT_TRUE(twice.failure());
    EXPECT_EQ(twice.failure()->cause, "two files would have the number 3");
    SketchMerge fresh({{a, std::nullopt}, {a, std::nullopt}}, "");
    fresh.run();
    ASSERT_FALSE(fresh.failure());
    EXPECT_EQ(fresh.files().files, 2U * 7U);
    EXPECT_EQ(fresh.offsets()[1], 7U);
}

TEST_F(Sketches, DamagedAnywhereAreRefusedAndNothingElseHappens) {
    writeFiles(12);
    const std::string whole = readAll(sketchOf({"a"}, "a.sketch", size_t{1} << 20U));
    const std::string path = (out / "damaged").string();
    const auto refused = [&path](const std::string& content) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
        SketchMerge merge({{path, std::nullopt}}, "");
        merge.run();
        return merge.failure().has_value();
    };
    ASSERT_FALSE(refused(whole));
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        std::string damaged = whole;
        // The header more often than the rest, which is longer.
        const size_t within = trial % 2 == 0 ? std::min<size_t>(700, whole.size()) : whole.size();
        const size_t at = random() % within;
        switch (trial % 3) {
        case 0:
            damaged[at] = static_cast<char>(damaged[at] ^ (1U << random() % 8));
            break;
        case 1:
            damaged.resize(at);
            break;
        default:
            damaged.insert(at, noise(random() % 40 + 1, static_cast<unsigned>(trial)));
        }
        EXPECT_TRUE(refused(damaged)) << trial << " at " << at;
    }
    EXPECT_TRUE(refused(""));
    EXPECT_TRUE(refused(whole + "x"));
}

namespace {

template <typename Number> Number numberAt(const std::string& bytes, size_t at) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
}

/** Makes all checksums right, as far as the lengths in the header lead to something. */
void forgeChecksums(std::string& sketch) {
    const auto put = [&sketch](size_t at, size_t from, size_t length) {
        Hash128 hash;
        fastestBlockHasher()(reinterpret_cast<const uint8_t*>(sketch.data()) + from, length, 1, &hash);
        std::memcpy(sketch.data() + at, &hash.low, 8);
        std::memcpy(sketch.data() + at + 8, &hash.high, 8);
    };
    constexpr uint64_t fixed = 72;
    const uint64_t profiles = numberAt<uint32_t>(sketch, 16);
    const uint64_t levels = numberAt<uint32_t>(sketch, 20);
    const uint64_t levelsAt = fixed + profiles * 64;
    const uint64_t hashed = levelsAt + levels * 32;
    if (hashed + 16 > sketch.size()) return;
    uint64_t at = hashed + 16;
    for (uint64_t level = 0; level < levels; ++level) {
        const auto marks = numberAt<uint64_t>(sketch, levelsAt + level * 32 + 8);
        if (marks > (sketch.size() - at) / 32) break;
        put(levelsAt + level * 32 + 16, at, marks * 32);
        at += marks * 32;
    }
    const auto records = std::min<uint64_t>(numberAt<uint64_t>(sketch, 48), sketch.size());
    put(56, sketch.size() - records, records);
    put(hashed, 0, hashed);
}

} // namespace

TEST_F(Sketches, ForgedWithRightChecksumsDoNoHarm) {
    writeFiles(30);
    const std::string whole = readAll(sketchOf({"a"}, "a.sketch", size_t{1} << 20U));
    std::string same = whole;
    forgeChecksums(same);
    ASSERT_EQ(same, whole);
    const std::string path = (out / "forged").string();
    std::mt19937 random(11);
    size_t accepted = 0;
    for (int trial = 0; trial < 400; ++trial) {
        std::string forged = whole;
        const size_t within = trial % 4 == 0 ? whole.size() : size_t{600};
        for (unsigned change = random() % 3 + 1; change > 0; --change) {
            constexpr std::array<uint64_t, 6> extremes{0, 1, UINT64_MAX, UINT32_MAX, 63, uint64_t{1} << 62U};
            const size_t at = (random() % within) & ~size_t{7};
            if (random() % 2 == 0 || at + 8 > forged.size()) {
                forged[at] = static_cast<char>(random());
            } else {
                std::memcpy(forged.data() + at, &extremes[random() % extremes.size()], 8);
            }
        }
        forgeChecksums(forged);
        std::ofstream(path, std::ios::binary | std::ios::trunc) << forged;
        const std::string united = trial % 8 == 0 ? (out / "united").string() : "";
        SketchMerge merge({{path, std::nullopt}, {path, std::vector<uint32_t>(20)}}, united);
        merge.run();
        SketchMerge alone({{path, std::nullopt}}, united);
        alone.run();
        accepted += alone.failure() ? 0 : 1;
    }
    // A plausible change cannot be told from a true one.
    EXPECT_GT(accepted, 20U);
    EXPECT_LT(accepted, 380U);
}
