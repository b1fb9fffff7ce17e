#include "anchorsFixture.h"

using namespace stowage;
using namespace stowage::testing;

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
        const Reuse whole =
            index.reuse({order(names), std::vector<uint32_t>(contents.size()), 1, archives, dictionaries, 0},
                        notCancelled);
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
    // Six families of four, of which every second file lies in another folder; loners; files
    // without anchors.
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
            add("f" + std::to_string(clone % 2) + "/" + std::to_string(family) + std::to_string(clone),
                content);
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
