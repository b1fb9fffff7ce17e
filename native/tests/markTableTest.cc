#include "core/sketches/markTable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <thread>

using namespace stowage;

namespace {

/**
 * Contents of which most are in one or two files, some in very many, and some many times in one.
 */
std::vector<Mark> population(size_t contents, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<Mark> marks;
    for (size_t i = 0; i < contents; ++i) {
        const Hash128 hash{random(), random()};
        const uint64_t bytes = random() % 5000 + 1;
        const uint64_t kind = random() % 10;
        const uint64_t files = kind < 6 ? 1 : kind < 8 ? 2 : kind < 9 ? random() % 12 + 1 : 40;
        for (uint64_t file = 0; file < files; ++file) {
            const auto number = static_cast<uint32_t>(random() % 1000);
            const uint64_t times = random() % 8 == 0 ? 5 : 1;
            for (uint64_t again = 0; again < times; ++again)
                marks.push_back({hash, bytes, number, static_cast<uint32_t>(random() % 3 + 1)});
        }
    }
    return marks;
}

/** The entries that a table of that many slots must keep, by the definition. */
MarkTable::Copy expected(const std::vector<Mark>& marks, size_t slots, unsigned leastShift = 0) {
    std::map<std::pair<uint64_t, uint64_t>, std::map<uint32_t, Mark>> contents;
    for (const Mark& mark : marks) {
        Mark& kept = contents[{mark.hash.high, mark.hash.low}].try_emplace(mark.file, mark).first->second;
        if (&kept != &mark && kept.count != 0) kept.count += mark.count;
    }
    // Each was counted once too often by the mark that made it.
    std::map<std::tuple<uint64_t, uint64_t, uint32_t>, uint32_t> firsts;
    for (const Mark& mark : marks)
        firsts.try_emplace({mark.hash.high, mark.hash.low, mark.file}, mark.count);
    MarkTable::Copy all;
    std::array<size_t, 65> charge{};
    for (auto& [key, files] : contents) {
        Mark many;
        for (auto& [file, mark] : files) {
            mark.count -= firsts[{key.first, key.second, file}];
            many = {mark.hash, mark.bytes, manyFiles, many.bytes == 0 ? mark.count : many.count + mark.count};
        }
        const bool collapsed = files.size() > MarkTable::mostFiles;
        charge[static_cast<size_t>(std::countl_zero(key.first))] +=
            std::min<size_t>(files.size(), MarkTable::mostFiles);
        if (collapsed) all.marks.push_back(many);
        for (auto& [file, mark] : files) {
            if (!collapsed) all.marks.push_back(mark);
        }
    }
    size_t total = 0;
    for (size_t zeros = leastShift; zeros < charge.size(); ++zeros)
        total += charge[zeros];
    all.shift = leastShift;
    while (total > slots / 2)
        total -= charge[all.shift++];
    std::erase_if(all.marks, [&](const Mark& mark) { return mark.hash.high > UINT64_MAX >> all.shift; });
    sortMarks(all.marks);
    return all;
}

MarkTable::Copy kept(const MarkTable& table) {
    MarkTable::Copy copy = table.copy();
    sortMarks(copy.marks);
    return copy;
}

} // namespace

TEST(MarkTable, KeepsWhatItsDefinitionSaysInAnyOrder) {
    for (const size_t contents : {10U, 100U, 3000U}) {
        for (const size_t slots : {64U, 1000U, 100'000U}) {
            std::vector<Mark> marks = population(contents, static_cast<unsigned>(contents));
            const MarkTable::Copy wanted = expected(marks, slots);
            for (unsigned order = 0; order < 3; ++order) {
                MarkTable table(slots);
                table.insert(marks);
                const MarkTable::Copy got = kept(table);
                EXPECT_EQ(got.shift, wanted.shift);
                EXPECT_EQ(got.marks, wanted.marks) << contents << " in " << slots;
                std::shuffle(marks.begin(), marks.end(), std::mt19937(order));
            }
        }
    }
}

TEST(MarkTable, KeepsTheSameFromManyThreads) {
    const std::vector<Mark> marks = population(4000, 9);
    MarkTable table(2000);
    {
        std::vector<std::jthread> threads;
        for (size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&table, &marks, t] {
                for (size_t i = t; i < marks.size(); i += 4) {
                    if (table.wants(marks[i].hash)) table.insert({&marks[i], 1});
                }
            });
        }
    }
    const MarkTable::Copy wanted = expected(marks, 2000);
    EXPECT_GT(wanted.shift, 0U);
    EXPECT_EQ(kept(table).shift, wanted.shift);
    EXPECT_EQ(kept(table).marks, wanted.marks);
}

TEST(MarkTable, OfAPartAndOfTheRestMakesThatOfTheWhole) {
    const std::vector<Mark> marks = population(5000, 11);
    MarkTable whole(3000);
    whole.insert(marks);
    std::array<std::vector<Mark>, 2> parts;
    for (const Mark& mark : marks)
        parts[mark.file % 2].push_back(mark);
    MarkTable united(3000);
    for (const std::vector<Mark>& part : parts) {
        MarkTable table(3000);
        table.insert(part);
        const MarkTable::Copy copy = kept(table);
        united.raiseShift(copy.shift);
        united.insert(copy.marks);
    }
    EXPECT_EQ(kept(united).shift, kept(whole).shift);
    EXPECT_EQ(kept(united).marks, kept(whole).marks);
}

TEST(MarkTable, IsNotFloodedByOneContent) {
    MarkTable table(64);
    std::vector<Mark> marks;
    for (uint32_t i = 0; i < 10'000; ++i)
        marks.push_back({{1, UINT64_MAX}, 7, i % 5000, 1});
    table.insert(marks);
    table.insert(std::vector<Mark>{{{2, UINT64_MAX / 2}, 9, 3, UINT32_MAX}, {{2, UINT64_MAX / 2}, 9, 3, 5}});
    const MarkTable::Copy copy = kept(table);
    EXPECT_EQ(copy.shift, 0U);
    ASSERT_EQ(copy.marks.size(), 2U);
    EXPECT_EQ(copy.marks[0].count, UINT32_MAX);
    EXPECT_EQ(copy.marks[1], (Mark{{1, UINT64_MAX}, 7, manyFiles, 10'000}));
}

TEST(MarkTable, EndsWithHashesThatNoThresholdParts) {
    std::vector<Mark> marks;
    for (uint64_t i = 0; i < 100'000; ++i)
        marks.push_back({{i * 0x9e3779b97f4a7c15U, 0}, 7, static_cast<uint32_t>(i % 3)});
    MarkTable table(64);
    table.insert(marks);
    EXPECT_EQ(table.copy().marks.size(), marks.size());
}

TEST(SortMarks, SortsHashesHoweverTheyAreSpread) {
    std::mt19937_64 random(21);
    for (const size_t count : {0U, 1U, 7U, 8U, 9U, 5000U}) {
        for (const unsigned kind : {0U, 1U, 2U, 3U}) {
            std::vector<Mark> marks;
            for (size_t i = 0; i < count; ++i) {
                // Spread evenly, below a threshold, in a few places only, and all at one.
                const std::array<uint64_t, 4> highs{random(), random() >> 9U, ~(random() % 3), 0};
                marks.push_back({{random() % 50, highs[kind]}, 1, static_cast<uint32_t>(random() % 9), 1});
            }
            std::vector<Mark> sorted = marks;
            const auto key = [](const Mark& mark) {
                return std::make_tuple(mark.hash.high, mark.hash.low, mark.file);
            };
            std::sort(sorted.begin(), sorted.end(),
                      [&key](const Mark& left, const Mark& right) { return key(left) < key(right); });
            sortMarks(marks);
            EXPECT_EQ(marks, sorted) << count << " of kind " << kind;
        }
    }
}
