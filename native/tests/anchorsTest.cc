#include "core/anchorIndex.h"
#include "slowChunks.h"
#include "surveyFixture.h"

#include <cmath>
#include <set>
#include <thread>
#include <unordered_map>

using namespace stowage;
using namespace stowage::testing;

namespace {

/** The anchors of a content by their definition: each window summed up, short repeats left out. */
const std::vector<Anchor>& slowAnchors(const std::string& content) {
    static const auto table = gearTable();
    static std::map<std::string, std::vector<Anchor>> known;
    const auto [place, isNew] = known.try_emplace(content);
    std::vector<Anchor>& found = place->second;
    if (!isNew) return found;
    std::vector<Anchor> all;
    for (size_t end = 1; end <= content.size(); ++end) {
        uint64_t hash = 0;
        for (size_t age = 0; age < 64 && age < end; ++age)
            hash += table[static_cast<uint8_t>(content[end - 1 - age])] << age;
        if (hash >= anchorLimit) continue;
        bool repeats = false;
        for (size_t back = 0; back < std::min<size_t>(4, all.size()); ++back) {
            const Anchor& before = all[all.size() - 1 - back];
            repeats = repeats || (before.hash == hash && end - before.end <= 64);
        }
        all.push_back({hash, end});
        if (!repeats) found.push_back({hash, end});
    }
    return found;
}

struct SlowReuse {
    double quiet = 0;
    std::vector<double> novel;
    std::vector<double> runs;
};

/** The figures by their words, for one dictionary after another. A new archive begins at each of these files. */
SlowReuse slowReuse(const std::vector<std::string>& files, const std::vector<uint64_t>& dictionaries,
                    const std::set<size_t>& borders = {}) {
    SlowReuse slow;
    for (const uint64_t dictionary : dictionaries) {
        std::unordered_map<uint64_t, uint64_t> last;
        double novel = 0;
        double runs = 0;
        slow.quiet = 0;
        uint64_t base = 0;
        uint64_t lastDistance = ReuseMeter::never;
        for (size_t place = 0; place < files.size(); ++place) {
            const std::string& content = files[place];
            if (borders.contains(place)) last.clear();
            uint64_t end = 0;
            bool isNovel = true;
            const auto account = [&](uint64_t to) {
                if (to - end > quietGap)
                    slow.quiet += static_cast<double>(to - end);
                else if (isNovel)
                    novel += static_cast<double>(to - end);
                end = to;
            };
            for (const Anchor& anchor : slowAnchors(content)) {
                const auto before = last.find(anchor.hash);
                const uint64_t distance =
                    before == last.end() ? ReuseMeter::never : base + anchor.end - before->second;
                isNovel = distance > dictionary;
                if (!isNovel && distance != lastDistance) ++runs;
                lastDistance = distance;
                last[anchor.hash] = base + anchor.end;
                account(anchor.end);
            }
            account(content.size());
            base += content.size();
        }
        slow.novel.push_back(novel);
        slow.runs.push_back(runs);
    }
    return slow;
}

class Anchoring : public SurveyFixture {
  protected:
    std::map<std::string, uint32_t> numbers;

    SurveyOptions with(unsigned threads, size_t tableBytes = size_t{64} << 20U) const {
        SurveyOptions given = options();
        given.threads = threads;
        given.anchors = true;
        given.chunkProfiles = smallProfiles();
        given.maxTableBytes = tableBytes;
        return given;
    }

    AnchorIndex indexed(const SurveyOptions& given) {
        Survey survey(given);
        survey.run();
        numbers.clear();
        for (;;) {
            const EntryColumns entries = survey.takeEntries();
            if (entries.count() == 0) break;
            for (size_t i = 0; i < entries.count(); ++i) {
                const size_t start = i == 0 ? 0 : entries.pathEnds[i - 1];
                if (entries.fileNumbers[i] != noFileNumber)
                    numbers[entries.paths.substr(start, entries.pathEnds[i] - start)] =
                        entries.fileNumbers[i];
            }
        }
        return survey.takeAnchors();
    }

    std::vector<uint32_t> order(const std::vector<std::string>& names) const {
        std::vector<uint32_t> found;
        for (const std::string& name : names)
            found.push_back(numbers.at(name));
        return found;
    }
};

/** Contents that share parts at several distances, with zeros, a pattern and sizes around the limits. */
std::vector<std::string> relatedContents() {
    std::vector<std::string> contents = {noise(60'000, 1)};
    contents.push_back(contents[0].substr(8000, 30'000) + noise(3000, 2) + contents[0].substr(38'500));
    contents.push_back(std::string(20'000, '\0') + noise(quietGap + 1, 3) + std::string(100, 'x'));
    std::string pattern;
    while (pattern.size() < 20'000)
        pattern += "0123456789abcdef0123456789ABCDEF";
    contents.push_back(pattern);
    for (const size_t size : {0, 1, 63, 64, 65, 127, 128, 129})
        contents.push_back(contents[0].substr(0, size));
    contents.push_back(contents[1].substr(5000, 30'000) + contents[2]);
    contents.push_back(contents[0]);
    return contents;
}

const std::atomic<bool> notCancelled{false};

} // namespace

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
        const Reuse reuse =
            index.reuse({order(names), std::vector<uint32_t>(60), 1, {}, {uint64_t{1} << 60U}, 0}, notCancelled);
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
        // A subset by hash: what is novel is still the same share, within four standard errors. The last ten
        // files are ten others with 50,000 bytes more each.
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

TEST_F(Anchoring, BeginsAnewAtTheBordersOfArchives) {
    const std::vector<std::string> contents = relatedContents();
    std::vector<std::string> names;
    for (size_t i = 0; i < contents.size(); ++i) {
        names.push_back(std::to_string(i));
        write(names.back(), contents[i]);
    }
    const AnchorIndex index = indexed(with(2));
    const std::vector<uint64_t> dictionaries = {30'000, 60'001, uint64_t{1} << 60U};
    const double count = static_cast<double>(contents.size());
    for (unsigned turn = 0; turn < 6; ++turn) {
        // One archive, one for each file, and some between.
        std::mt19937 random(turn);
        std::vector<uint32_t> archives;
        std::set<size_t> borders;
        for (size_t i = 0; i < contents.size(); ++i) {
            const bool isNew = i == 0 || turn == 1 || (turn > 1 && random() % 3 == 0);
            if (isNew) borders.insert(i);
            archives.push_back(static_cast<uint32_t>(borders.size() - 1));
        }
        const Reuse whole = index.reuse(
            {order(names), std::vector<uint32_t>(contents.size()), 1, archives, dictionaries, 0}, notCancelled);
        const SlowReuse slow = slowReuse(contents, dictionaries, borders);
        // Each archive by itself adds up to them.
        const Reuse apart =
            index.reuse({order(names), archives, borders.size(), archives, dictionaries, 0}, notCancelled);
        for (size_t i = 0; i < dictionaries.size(); ++i) {
            EXPECT_EQ(whole.novelBytes[i][0], slow.novel[i]) << turn << " " << dictionaries[i];
            EXPECT_EQ(whole.runs[i][0], slow.runs[i]) << turn << " " << dictionaries[i];
            size_t from = 0;
            for (size_t archive = 0; archive < borders.size(); ++archive) {
                std::vector<std::string> alone;
                for (; from < archives.size() && archives[from] == archive; ++from)
                    alone.push_back(contents[from]);
                const SlowReuse one = slowReuse(alone, dictionaries);
                EXPECT_EQ(apart.novelBytes[i][archive], one.novel[i]);
                EXPECT_EQ(apart.runs[i][archive], one.runs[i]);
                EXPECT_EQ(apart.quietBytes[archive], one.quiet);
            }
        }
        EXPECT_LE(static_cast<double>(borders.size()), count);
    }
}

TEST_F(Anchoring, GroupsFilesThatShareEnoughAndNoMoreThanFit) {
    // Six families of four, of which every second file lies in another folder; loners; files without anchors.
    std::vector<std::string> names;
    std::vector<std::string> contents;
    const auto add = [&](const std::string& name, const std::string& content) {
        names.push_back(name);
        contents.push_back(content);
    };
    for (unsigned clone = 0; clone < 4; ++clone) {
        for (unsigned family = 0; family < 6; ++family) {
            std::string content = noise(20'000, family);
            content.replace(3000 * clone, 1000, noise(1000, 100 + 10 * clone + family));
            add("f" + std::to_string(clone % 2) + "/" + std::to_string(family) + std::to_string(clone), content);
        }
    }
    for (unsigned loner = 0; loner < 5; ++loner)
        add("l" + std::to_string(loner), noise(9000, 50 + loner));
    // Shares a twentieth with the first family: too little.
    add("n", noise(20'000, 70) + noise(1000, 0) + noise(20'000, 71));
    add("tiny", "x");
    add("zeros", std::string(10'000, '\0'));
    for (size_t i = 0; i < names.size(); ++i)
        write(names[i], contents[i]);
    for (const unsigned threads : {1U, 3U}) {
        const AnchorIndex index = indexed(with(threads));
        GroupRequest request;
        request.order = order(names);
        for (const std::string& content : contents)
            request.bytes.push_back(content.size());
        request.leastShare = 0.125;
        request.mostBytes = 1'000'000;
        const std::vector<uint32_t> groups = index.contentGroups(request, notCancelled);
        ASSERT_EQ(groups.size(), names.size());
        for (size_t i = 0; i < names.size(); ++i)
            EXPECT_EQ(groups[i], i < 24 ? i % 6 : i - 18) << names[i];
        // Room for two of a family: the one that shares most comes along.
        request.mostBytes = 40'000;
        const std::vector<uint32_t> bounded = index.contentGroups(request, notCancelled);
        std::map<uint32_t, std::vector<size_t>> members;
        for (size_t i = 0; i < names.size(); ++i)
            members[bounded[i]].push_back(i);
        EXPECT_EQ(members.size(), 12U + 8U);
        for (const auto& [group, places] : members) {
            uint64_t bytes = 0;
            for (const size_t place : places) {
                bytes += contents[place].size();
                EXPECT_EQ(groups[place], groups[places[0]]);
            }
            EXPECT_TRUE(bytes <= request.mostBytes || places.size() == 1);
            EXPECT_EQ(places.size(), places[0] < 24 ? 2U : 1U);
        }
        // Whatever is asked, everything shares with everything that it shares an anchor with.
        request.mostBytes = 1'000'000;
        request.leastShare = 0;
        const std::vector<uint32_t> loose = index.contentGroups(request, notCancelled);
        EXPECT_EQ(loose[29], loose[0]);
        EXPECT_NE(loose[28], loose[0]);
        const std::atomic<bool> cancelled{true};
        EXPECT_EQ(index.contentGroups(request, cancelled), std::vector<uint32_t>(names.size()));
    }
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
    request.step = 7000;
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
