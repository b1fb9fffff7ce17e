#include "core/discImage/calendar.h"
#include "core/discImage/isoNames.h"
#include "core/discImage/layout.h"
#include "core/discImage/udfBytes.h"
#include "core/discImage/udfText.h"

#include <gtest/gtest.h>

#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace stowage::discImage;

namespace {

/** Entries as the maker of images lists them. */
class EntryList {
  public:
    EntryList() { add(EntryKind::folder, 0, ""); }

    uint32_t add(EntryKind kind, uint32_t parent, std::string_view name, uint64_t bytes = 0,
                 uint8_t rank = 0) {
        const auto index = static_cast<uint32_t>(entries_.all.size());
        Entry entry;
        entry.kind = kind;
        entry.parent = parent;
        entry.content = index;
        entry.rank = rank;
        entry.bytes = bytes;
        entry.mode = 0444;
        entry.nameAt = entries_.text.size();
        entry.nameBytes = static_cast<uint32_t>(name.size());
        entries_.text += name;
        entries_.all.push_back(entry);
        return index;
    }
    Entry& at(uint32_t index) { return entries_.all[index]; }
    [[nodiscard]] Layout layout(const GivenPlaces* given = nullptr, bool hasUdf = true) const {
        return {entries_, {"LABEL", "0123456789abcdef", "STOWAGE", {1'700'000'000, 0}, hasUdf}, given};
    }

  private:
    Entries entries_;
};

std::string dated(Moment moment, int32_t firstYear, int32_t lastYear) {
    const CalendarTime time = calendarTime(moment, firstYear, lastYear);
    return std::to_string(time.year) + "-" + std::to_string(time.month) + "-" + std::to_string(time.day) +
           " " + std::to_string(time.hour) + ":" + std::to_string(time.minute) + ":" +
           std::to_string(time.second);
}

/** CPU time of 100,000 names over that of 20,000: 5 for linear work, 25 for quadratic. */
template <typename Work> double growth(const Work& namesOf) {
    const auto seconds = [&namesOf](uint32_t count) {
        const std::clock_t start = std::clock();
        EXPECT_EQ(namesOf(count), count);
        return static_cast<double>(std::clock() - start);
    };
    const double few = seconds(20'000);
    return seconds(100'000) / few;
}

constexpr double linear = 12;

uint64_t word32(const uint8_t* at) {
    return at[0] | uint64_t{at[1]} << 8U | uint64_t{at[2]} << 16U | uint64_t{at[3]} << 24U;
}

constexpr int64_t day = 86'400;
constexpr uint64_t gibi = uint64_t{1} << 30U;

/** The extents of a large file, whose allocation descriptors do not fit into its file entry. */
void expectExtentsOfAllocations(std::optional<Moment> created) {
    EntryList list;
    const uint64_t bytes = 300 * gibi + 5;
    const uint32_t file = list.add(EntryKind::file, 0, "large", bytes);
    list.at(file).created = created;
    const uint64_t start = fileEntryBytes + (created ? 56 : 0);
    const uint64_t inEntry = (sectorBytes - start) / 8;
    const Entry& large = list.at(file);
    EXPECT_EQ(allocationsInEntry(large), inEntry);
    EXPECT_EQ(allocationExtents(large, 0), 0U);
    EXPECT_EQ(allocationExtents(large, inEntry * longestUdfExtent), 0U);
    EXPECT_EQ(allocationExtents(large, inEntry * longestUdfExtent + 1), 1U);
    const uint64_t withOne = (inEntry - 1 + allocationsInExtent) * longestUdfExtent;
    EXPECT_EQ(allocationExtents(large, withOne), 1U);
    EXPECT_EQ(allocationExtents(large, withOne + 1), 2U);

    const Layout layout = list.layout();
    Bytes entry;
    addFileEntry(layout, file, entry);
    ASSERT_EQ(entry.size(), 2 * sectorBytes);
    uint64_t next = layout.firstSector(file) - place::partition;
    uint64_t sum = 0;
    const auto follow = [&](size_t at, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            const uint64_t length = word32(entry.data() + at + 8 * i);
            EXPECT_EQ(word32(entry.data() + at + 8 * i + 4), next);
            EXPECT_LE(length, longestUdfExtent);
            sum += length;
            next += length / sectorBytes;
        }
    };
    follow(start, inEntry - 1);
    const size_t pointer = start + 8 * (inEntry - 1);
    EXPECT_EQ(word32(entry.data() + pointer), sectorBytes | uint64_t{3} << 30U);
    EXPECT_EQ(word32(entry.data() + pointer + 4), layout.parts(file).entrySector + 1 - place::partition);
    EXPECT_EQ(word32(entry.data() + sectorBytes) & 0xFFFFU, 258U);
    const uint64_t rest = word32(entry.data() + sectorBytes + 20);
    follow(sectorBytes + allocationExtentBytes, rest / 8);
    EXPECT_EQ(sum, bytes);
}

} // namespace

TEST(DiscCalendar, GivesDatesBeforeAndAfter1970) {
    EXPECT_EQ(dated({0, 0}, 1, 9999), "1970-1-1 0:0:0");
    EXPECT_EQ(dated({-1, 0}, 1, 9999), "1969-12-31 23:59:59");
    EXPECT_EQ(dated({951'782'399, 0}, 1, 9999), "2000-2-28 23:59:59");
    EXPECT_EQ(dated({951'782'400, 0}, 1, 9999), "2000-2-29 0:0:0");
    EXPECT_EQ(dated({int64_t{1} << 31U, 0}, 1, 9999), "2038-1-19 3:14:8");
    EXPECT_EQ(dated({-2'203'977'600, 0}, 1, 9999), "1900-2-28 0:0:0");
    EXPECT_EQ(dated({-2'203'977'600 + day, 0}, 1, 9999), "1900-3-1 0:0:0");
}

TEST(DiscCalendar, GivesTheNearestMomentOfItsYears) {
    EXPECT_EQ(dated({-3'000'000'000, 0}, 1900, 2155), "1900-1-1 0:0:0");
    EXPECT_EQ(dated({6'000'000'000, 0}, 1900, 2155), "2155-12-31 23:59:59");
    EXPECT_EQ(dated({INT64_MIN, 0}, 1, 9999), "1-1-1 0:0:0");
    EXPECT_EQ(dated({INT64_MAX, 0}, 1, 9999), "9999-12-31 23:59:59");
}

TEST(DiscIsoNames, AreUniqueAmongNamesOfOneStemInLinearTime) {
    const double factor = growth([](uint32_t count) {
        IsoNames names;
        std::set<std::string> found;
        const std::string stem(40, 'a');
        for (uint32_t number = 0; number < count; ++number) {
            const std::string name =
                names.identifierFor(EntryKind::file, stem + std::to_string(number) + ".txt");
            EXPECT_LE(name.size(), 33U);
            EXPECT_EQ(name.substr(name.size() - 6), ".TXT;1");
            found.insert(name);
        }
        return found.size();
    });
    EXPECT_LT(factor, linear);
}

TEST(DiscIsoNames, AreUniqueAmongPairsOfNamesInLinearTime) {
    const double factor = growth([](uint32_t count) {
        IsoNames names;
        std::set<std::string> found;
        for (uint32_t number = 100'000; number < 100'000 + count / 2; ++number) {
            const std::string stem = "Holiday in Rome with " + std::to_string(number);
            found.insert(names.identifierFor(EntryKind::file, stem + " original.jpg"));
            found.insert(names.identifierFor(EntryKind::file, stem + " edited.jpg"));
        }
        return found.size();
    });
    EXPECT_LT(factor, linear);
}

TEST(DiscIsoNames, TellAFolderFromAFileWithoutAnExtension) {
    IsoNames names;
    EXPECT_EQ(names.identifierFor(EntryKind::folder, "music"), "MUSIC");
    EXPECT_EQ(names.identifierFor(EntryKind::file, "Music"), "MUSIC_1.;1");
    EXPECT_EQ(names.identifierFor(EntryKind::file, "music.mp3"), "MUSIC.MP3;1");
}

TEST(DiscUdfText, IsNarrowWhereEveryCharacterIsLatin1) {
    EXPECT_EQ(udfText("a\xC3\xBF"), std::string("\x08"
                                                "a\xFF"));
    EXPECT_EQ(udfText("a\xC4\x80"), std::string("\x10\0a\x01\0", 5));
    EXPECT_EQ(udfText("\xF0\x9F\x98\x80"), std::string("\x10\xD8\x3D\xDE\x00", 5));
}

TEST(DiscUdfText, ExcludesBytesThatAreNoUtf8AndMarksOfByteOrder) {
    for (const char* text : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE4\xBD", "\x80"})
        EXPECT_EQ(udfText(text), std::nullopt) << text;
    EXPECT_EQ(udfText("\xEF\xBB\xBF"), std::nullopt);
    EXPECT_EQ(udfText("\xEF\xBF\xBE"), std::nullopt);
}

TEST(DiscUdfNames, AreMappedToTheLengthOfUdfWithTheirExtension) {
    UdfNames names;
    const std::string mapped = names.mapped(std::string(251, 'n') + ".txt");
    EXPECT_EQ(mapped.size(), longestUdfName);
    EXPECT_EQ(mapped.substr(0, 4), "\x08nnn");
    EXPECT_EQ(mapped[mapped.size() - 9], '#');
    EXPECT_EQ(mapped.substr(mapped.size() - 4), ".txt");
    EXPECT_EQ(names
                  .mapped("\xFF"
                          "a")
                  .substr(0, 4),
              "\x08_a#");
    EXPECT_EQ(names
                  .mapped("\xEF\xBB\xBF"
                          "a")
                  .substr(0, 4),
              "\x08_a#");
}

TEST(DiscUdfNames, AreUniqueAmongMoreNamesThanACrcTellsApart) {
    const double factor = growth([](uint32_t count) {
        UdfNames names;
        std::set<std::string> found;
        for (uint32_t number = 0; number < count; ++number) {
            // Three bytes that are no UTF-8 all become `_`.
            std::string name;
            for (uint32_t shift = 0; shift < 18; shift += 6)
                name += static_cast<char>(0x80U | (number >> shift & 0x3FU));
            found.insert(names.mapped(name));
        }
        return found.size();
    });
    EXPECT_LT(factor, linear);
}

TEST(DiscLayout, GivesALargeFileExtentsOfAllocationDescriptors) {
    expectExtentsOfAllocations(std::nullopt);
}

TEST(DiscLayout, LeavesRoomForTheCreationTimeBeforeAllocationDescriptors) {
    expectExtentsOfAllocations(Moment{1'600'000'000, 123'456'789});
}

TEST(DiscFileEntry, HasItsCreationTimeAsAnExtendedAttribute) {
    EntryList list;
    const uint32_t file = list.add(EntryKind::file, 0, "file", 5);
    const uint32_t folder = list.add(EntryKind::folder, 0, "folder");
    list.at(file).created = Moment{1'600'000'000, 123'456'789};
    const Layout layout = list.layout();
    Bytes with;
    addFileEntry(layout, file, with);
    const uint8_t* const space = with.data() + fileEntryBytes;
    EXPECT_EQ(word32(with.data() + 168), 56U);
    EXPECT_EQ(word32(space) & 0xFFFFU, 262U);
    EXPECT_EQ(word32(space + 12), layout.parts(file).entrySector - place::partition);
    EXPECT_EQ(word32(space + 16), 56U);
    EXPECT_EQ(word32(space + 20), 56U);
    const std::vector<uint32_t> head = {5, 1, 32, 12, 1};
    for (size_t i = 0; i < head.size(); ++i)
        EXPECT_EQ(word32(space + 24 + 4 * i), head[i]) << i;
    // 2020-09-13 12:26:40.123456 UTC
    const std::vector<uint8_t> time = {0x00, 0x10, 0xE4, 0x07, 9, 13, 12, 26, 40, 12, 34, 56};
    EXPECT_EQ(std::vector<uint8_t>(space + 44, space + 56), time);
    EXPECT_EQ(word32(space + 56), 5U);

    Bytes without;
    addFileEntry(layout, folder, without);
    EXPECT_EQ(word32(without.data() + 168), 0U);
}

TEST(DiscVolume, IsClosedAfterTheLastCreationTime) {
    EntryList list;
    const uint32_t file = list.add(EntryKind::file, 0, "file", 5);
    list.at(file).modified = {1'800'000'000, 7'000};
    list.at(file).created = Moment{1'800'000'000, 9'000};
    Bytes sequence;
    addIntegritySequence(list.layout(), sequence);
    EXPECT_EQ(sequence.data()[16 + 11], 9);
}
TEST(DiscLayout, RefusesMoreThanItsNumbersHold) {
    EntryList list;
    list.add(EntryKind::file, 0, "large", uint64_t{1} << 43U);
    EXPECT_THROW((void)list.layout(), std::length_error);
}

TEST(DiscLayout, MovesNoOtherFileForTheLengthOfTheLast) {
    std::vector<uint64_t> photos;
    std::vector<uint64_t> sectors;
    for (const uint64_t bytes : {uint64_t{1}, 100 * sectorBytes, gibi}) {
        EntryList list;
        const uint32_t own = list.add(EntryKind::file, 0, "index", bytes, true);
        const uint32_t photo = list.add(EntryKind::file, 0, "photo", 5000);
        const Layout layout = list.layout();
        EXPECT_LT(layout.firstSector(photo), layout.firstSector(own));
        EXPECT_EQ(layout.sectors() % imageUnit, 0U);
        photos.push_back(layout.firstSector(photo));
        sectors.push_back(layout.sectors());
    }
    EXPECT_EQ(photos, std::vector<uint64_t>(3, photos[0]));
    EXPECT_GE(sectors[1], sectors[0] + 64);
    EXPECT_GT(sectors[2], sectors[1]);
}

TEST(DiscLayout, WithoutUdfHasPathTablesBehindTheDescriptorsAndNothingElseInAddition) {
    EntryList list;
    const uint32_t folder = list.add(EntryKind::folder, 0, "folder");
    const uint32_t first = list.add(EntryKind::file, folder, "first", 5000);
    const uint32_t empty = list.add(EntryKind::file, 0, "empty");
    const uint32_t second = list.add(EntryKind::file, 0, "second", 1);
    const Layout both = list.layout();
    const Layout layout = list.layout(nullptr, false);
    EXPECT_EQ(layout.pathTableSector(), 18U);
    // Two path tables; the records of the root, with a continuation, and of the folder.
    EXPECT_EQ(layout.isoFolder(0).sector, 20U);
    EXPECT_EQ(layout.isoFolder(folder).sector, 22U);
    EXPECT_EQ(layout.dataStart(), 23U);
    EXPECT_EQ(layout.firstSector(second), 23U);
    EXPECT_EQ(layout.firstSector(first), 24U);
    EXPECT_EQ(layout.firstSector(empty), 0U);
    EXPECT_EQ(layout.sectors(), 32U);
    EXPECT_EQ(layout.dataOrder(), both.dataOrder());
    EXPECT_EQ(layout.isoOrder(), both.isoOrder());
}

TEST(DiscLayout, WithoutUdfHasContentInItsLastSector) {
    for (const bool hasUdf : {false, true}) {
        EntryList list;
        const uint64_t before = list.layout(nullptr, hasUdf).dataStart();
        const uint64_t room = (before / imageUnit + 1) * imageUnit - before;
        const uint32_t file = list.add(EntryKind::file, 0, "file", room * sectorBytes);
        const Layout layout = list.layout(nullptr, hasUdf);
        const uint64_t end = layout.firstSector(file) + room;
        if (hasUdf) {
            EXPECT_GT(layout.sectors(), end);
        } else {
            EXPECT_EQ(layout.sectors(), end);
        }
    }
}

TEST(DiscLayout, OrdersRecordsByNameAndThenByExtension) {
    EntryList list;
    const uint32_t longer = list.add(EntryKind::file, 0, "a.txt0", 1);
    const uint32_t shorter = list.add(EntryKind::file, 0, "a.txt", 1);
    const uint32_t stem = list.add(EntryKind::file, 0, "a0.txt", 1);
    const Layout layout = list.layout();
    const auto order = layout.isoChildren(0);
    EXPECT_EQ(std::vector<uint32_t>(order.begin(), order.end()),
              (std::vector<uint32_t>{shorter, longer, stem}));
}

TEST(DiscLayout, StoresAContentOnceMoreWhereUdfCountsNoFurtherName) {
    EntryList list;
    const uint32_t first = list.add(EntryKind::file, 0, "0", 5);
    for (uint32_t number = 1; number < 70'000; ++number)
        list.at(list.add(EntryKind::file, 0, std::to_string(number), 5)).content = first;
    const Layout layout = list.layout();
    EXPECT_EQ(layout.fileCount(), 70'000U);
    ASSERT_EQ(layout.dataOrder().size(), 2U);
    const uint32_t copy = layout.dataOrder()[1];
    EXPECT_EQ(layout.sourceOf(first), first);
    EXPECT_EQ(layout.sourceOf(copy), first);
    EXPECT_EQ(layout.parts(first).links + layout.parts(copy).links, 70'000U);
}

TEST(DiscLayout, KeepsThePlacesThatAreGiven) {
    EntryList all;
    all.add(EntryKind::file, 0, "a", 5000);
    all.add(EntryKind::file, 0, "b", 5000);
    const uint32_t last = all.add(EntryKind::file, 0, "c", 5000, true);
    const Layout planned = all.layout();
    EntryList fewer;
    fewer.add(EntryKind::file, 0, "b", 5000);
    fewer.add(EntryKind::file, 0, "c", 5000, true);
    fewer.add(EntryKind::file, 0, "d", 2000, true);
    // In the first sector of the file that is not there.
    GivenPlaces given{planned.sectors(), {0, planned.firstSector(2), planned.firstSector(last), 0}};
    given.firstSectors[3] = planned.firstSector(1);
    const Layout kept = fewer.layout(&given);
    EXPECT_EQ(kept.sectors(), planned.sectors());
    EXPECT_EQ(kept.firstSector(1), planned.firstSector(2));
    EXPECT_EQ(kept.firstSector(3), planned.firstSector(1));
    EXPECT_EQ(kept.dataOrder(), (std::vector<uint32_t>{3, 1, 2}));
}

TEST(DiscLayout, RefusesPlacesInWhichNotEverythingFits) {
    EntryList list;
    list.add(EntryKind::file, 0, "a", 5000);
    list.add(EntryKind::file, 0, "b", 5000);
    const Layout planned = list.layout();
    const uint64_t first = planned.firstSector(1);
    const auto at = [&](uint64_t sectors, uint64_t one, uint64_t other) {
        const GivenPlaces given{sectors, {0, one, other}};
        static_cast<void>(list.layout(&given));
    };
    at(first + 7, first, first + 3);
    EXPECT_THROW(at(first + 6, first, first + 3), std::length_error);
    EXPECT_THROW(at(first + 7, first, first + 2), std::length_error);
    EXPECT_THROW(at(first + 9, first - 1, first + 3), std::length_error);
    EXPECT_THROW(at(first + 9, first, UINT32_MAX), std::length_error);
    const GivenPlaces few{first + 9, {0, first}};
    EXPECT_THROW(static_cast<void>(list.layout(&few)), std::invalid_argument);
}
