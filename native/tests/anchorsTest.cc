#include "anchorsFixture.h"

#include <cmath>
#include <thread>

using namespace stowage;
using namespace stowage::testing;

TEST_F(Anchoring, TellsWhatRepeatsWithinADictionaryLikeASlowReference) {
    const std::vector<std::string> contents = relatedContents();
    std::vector<std::string> names;
    for (size_t i = 0; i < contents.size(); ++i) {
        names.push_back(std::to_string(i % 3) + "/" + std::to_string(i));
        write(names.back(), contents[i]);
    }
    const std::vector<uint64_t> dictionaries = {0, 1, 30'000, 60'000, 60'001, 150'000, uint64_t{1} << 60U};
    for (const unsigned threads : {1U, 3U}) {
        const AnchorIndex index = indexed(with(threads));
        EXPECT_EQ(index.shift(), 0U);
        std::vector<size_t> shuffled(contents.size());
        for (size_t i = 0; i < shuffled.size(); ++i)
            shuffled[i] = i;
        for (unsigned turn = 0; turn < 3; ++turn) {
            std::vector<std::string> files;
            std::vector<std::string> chosen;
            for (const size_t place : shuffled) {
                files.push_back(contents[place]);
                chosen.push_back(names[place]);
            }
            const Reuse fast = index.reuse(
                {order(chosen), std::vector<uint32_t>(files.size()), 1, {}, dictionaries, 0}, notCancelled);
            const SlowReuse slow = slowReuse(files, dictionaries);
            EXPECT_EQ(fast.quietBytes[0], slow.quiet);
            for (size_t i = 0; i < dictionaries.size(); ++i) {
                EXPECT_EQ(fast.novelBytes[i][0], slow.novel[i]) << dictionaries[i];
                EXPECT_EQ(fast.runs[i][0], slow.runs[i]) << dictionaries[i];
            }
            EXPECT_GT(slow.runs.back(), 3);
            // The same from the bytes themselves.
            std::string all;
            std::vector<uint64_t> lengths;
            for (const std::string& file : files) {
                all += file;
                lengths.push_back(file.size());
            }
            const Reuse within = reuseWithin(reinterpret_cast<const uint8_t*>(all.data()), all.size(),
                                             lengths, std::vector<uint32_t>(files.size()), 1, dictionaries);
            EXPECT_EQ(within.novelBytes, fast.novelBytes);
            EXPECT_EQ(within.runs, fast.runs);
            std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(turn));
        }
    }
}

TEST_F(Anchoring, LeavesTheFiguresOfChunksAsTheyAre) {
    const std::vector<std::string> contents = relatedContents();
    for (size_t i = 0; i < contents.size(); ++i)
        write(std::to_string(i), contents[i]);
    SurveyOptions without = with(2);
    without.anchors = false;
    Survey plain(without);
    plain.run();
    Survey both(with(2));
    both.run();
    for (size_t profile = 0; profile < smallProfiles().size(); ++profile) {
        const ChunkLevel one = plain.chunkLevels()[profile];
        const ChunkLevel other = both.chunkLevels()[profile];
        EXPECT_EQ(one.chunks, other.chunks);
        EXPECT_EQ(one.retained.bytes, other.retained.bytes);
    }
    EXPECT_EQ(plain.takeAnchors().anchors(), 0U);
}

TEST_F(Anchoring, KeepsTheSameAnchorsWithAnyThreadsWhenTheyAreTooMany) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 60; ++i) {
        write(std::to_string(i), noise(20'000 + i * 1000, i % 50));
        bytes += 20'000 + i * 1000;
    }
    size_t kept = 0;
    unsigned shift = 0;
    Reuse first;
    for (const unsigned threads : {1U, 2U, 7U}) {
        const AnchorIndex index = indexed(with(threads, AnchorIndex::mostBytesEach * 8 * 5000));
        std::vector<std::string> names;
        for (unsigned i = 0; i < 60; ++i)
            names.push_back(std::to_string(i));
        const Reuse reuse = index.reuse(
            {order(names), std::vector<uint32_t>(60), 1, {}, {uint64_t{1} << 60U}, 0}, notCancelled);
        if (threads == 1) {
            kept = index.anchors();
            shift = index.shift();
            first = reuse;
            EXPECT_LE(kept, 5000U);
            EXPECT_GT(kept, 2000U);
            EXPECT_GT(shift, 1U);
        }
        EXPECT_EQ(index.anchors(), kept);
        EXPECT_EQ(index.shift(), shift);
        EXPECT_EQ(reuse.novelBytes, first.novelBytes);
        EXPECT_EQ(reuse.runs, first.runs);
        // A subset by hash: what is novel is still the same share, within four standard errors. The
        // last ten files are ten others with 50,000 bytes more each.
        double novel = 10 * 50'000;
        for (unsigned i = 0; i < 50; ++i)
            novel += 20'000 + i * 1000;
        const double error = static_cast<double>(bytes) / std::sqrt(static_cast<double>(kept));
        EXPECT_NEAR(reuse.novelBytes[0][0], novel, 4 * error);
    }
}

TEST(AnchorCollector, IsNotFloodedByPatternsAndTellsThemApart) {
    AnchorDensity density(UINT64_MAX);
    AnchorCollector collector(density);
    size_t files = 0;
    for (size_t period = 1; period <= 64; period *= 2) {
        for (unsigned seed = 0; seed < 8; ++seed) {
            const std::string pattern = noise(period, seed);
            std::vector<uint8_t> bytes;
            while (bytes.size() < 65'536)
                bytes.insert(bytes.end(), pattern.begin(), pattern.end());
            std::vector<Candidate> found;
            uint64_t state = 0;
            findCandidates(bytes.data(), bytes.size(), 0, anchorLimit, state, found);
            collector.add(found);
            collector.finishFile(static_cast<uint32_t>(files++), bytes.size());
            EXPECT_GT(collector.files().back().quietBytes, 60'000U) << period;
        }
    }
    EXPECT_LT(collector.anchors().size(), 8 * files);
}

TEST_F(Anchoring, PutsFilesThatShareContentNextToEachOther) {
    std::vector<std::string> names;
    for (unsigned clone = 0; clone < 5; ++clone) {
        for (unsigned family = 0; family < 8; ++family) {
            std::string content = noise(30'000, family);
            for (unsigned edit = 0; edit < clone; ++edit)
                content.replace(edit * 5000, 300, noise(300, 100 * family + 10 * clone + edit));
            names.push_back(std::to_string(clone) + "/" + std::to_string(family));
            write(names.back(), content);
        }
    }
    const AnchorIndex index = indexed(with(3));
    const std::vector<uint32_t> given = order(names);
    const std::vector<uint32_t> proposed = index.contentOrder(given, notCancelled);
    ASSERT_TRUE(std::is_permutation(proposed.begin(), proposed.end(), given.begin(), given.end()));
    unsigned changes = 0;
    const auto familyOf = [&](uint32_t number) {
        return (std::find(given.begin(), given.end(), number) - given.begin()) % 8;
    };
    for (size_t i = 1; i < proposed.size(); ++i)
        changes += familyOf(proposed[i]) != familyOf(proposed[i - 1]) ? 1 : 0;
    EXPECT_EQ(changes, 7U);
    EXPECT_EQ(proposed[0], given[0]);
    const auto novel = [&](const std::vector<uint32_t>& files) {
        return index.reuse({files, std::vector<uint32_t>(files.size()), 1, {}, {100'000}, 0}, notCancelled)
            .novelBytes[0][0];
    };
    EXPECT_LT(novel(proposed), 0.3 * novel(given));
}

TEST_F(Anchoring, SamplesStretchesThatAreNovelOrAll) {
    const std::string part = noise(200'000, 1);
    write("a", part);
    write("b", noise(50'000, 2) + part.substr(10'000) + noise(30'000, 3));
    write("c", part);
    const AnchorIndex index = indexed(with(2));
    StretchRequest request;
    request.order = order({"a", "b", "c"});
    request.bridge = 0;
    // Everything, in pieces that follow one another.
    for (uint64_t place = 0; place < 700'000; place += 7000)
        request.places.push_back(place);
    request.pieceBytes = 7000;
    const auto total = [](const std::vector<Stretch>& stretches) {
        uint64_t bytes = 0;
        for (const Stretch& stretch : stretches)
            bytes += stretch.length;
        return static_cast<double>(bytes);
    };
    const Reuse reuse = index.reuse({request.order, {0, 0, 0}, 1, {}, {uint64_t{1} << 60U}, 0}, notCancelled);
    EXPECT_EQ(total(index.stretches(request, notCancelled)), reuse.novelBytes[0][0]);
    request.novelOnly = false;
    EXPECT_EQ(total(index.stretches(request, notCancelled)), reuse.bytes[0]);
    // A tenth of it.
    request.pieceBytes = 700;
    EXPECT_NEAR(total(index.stretches(request, notCancelled)), reuse.bytes[0] / 10, 700);
    request.novelOnly = true;
    for (const Stretch& stretch : index.stretches(request, notCancelled)) {
        EXPECT_NE(stretch.fileNumber, numbers.at("c"));
        EXPECT_LE(stretch.offset + stretch.length, 270'000U);
    }
    // One piece; what begins within it begins where it ends.
    request.places = {100, 150};
    EXPECT_EQ(total(index.stretches(request, notCancelled)), 1400);
    request.places = {};
    EXPECT_EQ(total(index.stretches(request, notCancelled)), 0);
}

TEST_F(Anchoring, StopsWhenAskedTo) {
    for (unsigned i = 0; i < 30; ++i)
        write(std::to_string(i), noise(1000, i));
    const AnchorIndex index = indexed(with(2));
    const std::atomic<bool> cancelled{true};
    std::vector<uint32_t> all(30);
    for (uint32_t i = 0; i < 30; ++i)
        all[i] = i;
    EXPECT_TRUE(index.contentOrder(all, cancelled).empty());
    EXPECT_EQ(index.reuse({all, std::vector<uint32_t>(30), 1, {}, {1}, 0}, cancelled).bytes[0], 0);
}
