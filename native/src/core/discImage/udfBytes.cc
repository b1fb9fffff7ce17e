#include "core/discImage/udfBytes.h"

#include "core/discImage/calendar.h"
#include "core/discImage/udfText.h"

#include <algorithm>

namespace stowage::discImage {

namespace {

/** Identifiers of descriptors (ECMA-167 3/7.2.1 and 4/7.2.1). */
enum Tag : uint16_t {
    primaryVolume = 1,
    anchorPointer = 2,
    implementationUse = 4,
    partitionDescriptor = 5,
    logicalVolume = 6,
    unallocatedSpace = 7,
    terminating = 8,
    logicalVolumeIntegrity = 9,
    fileSetDescriptor = 256,
    fileIdentifier = 257,
    allocationExtent = 258,
    fileEntry = 261,
    attributeHeader = 262,
};

constexpr size_t tagBytes = 16;
constexpr uint16_t udfRevision = 0x0102;
/** In the two highest bits of an extent's length: it goes on in another descriptor. */
constexpr uint64_t continues = uint64_t{3} << 30U;

uint64_t block(uint64_t sector) {
    return sector - place::partition;
}

/** Closes a descriptor whose other fields are filled. `location` is a sector or a block. */
void storeTag(uint8_t* at, Tag tag, uint64_t location, size_t length) {
    store16(at, tag);
    store16(at + 2, 2);
    const uint16_t crc = crc16(at + tagBytes, length - tagBytes);
    store16(at + 8, crc);
    store16(at + 10, length - tagBytes);
    store32(at + 12, location);
    uint32_t sum = 0;
    for (size_t i = 0; i < tagBytes; ++i)
        sum += i == 4 ? 0U : at[i];
    at[4] = static_cast<uint8_t>(sum);
}

void storeTime(uint8_t* at, Moment moment) {
    const CalendarTime time = calendarTime(moment, 1, 9999);
    store16(at, 0x1000); // local time, no minutes away from UTC
    store16(at + 2, static_cast<uint64_t>(time.year));
    at[4] = time.month;
    at[5] = time.day;
    at[6] = time.hour;
    at[7] = time.minute;
    at[8] = time.second;
    at[9] = static_cast<uint8_t>(time.nanoseconds / 10'000'000);
    at[10] = static_cast<uint8_t>(time.nanoseconds / 100'000 % 100);
    at[11] = static_cast<uint8_t>(time.nanoseconds / 1000 % 100);
}

/** An identifier with a suffix of eight bytes. */
void storeEntity(uint8_t* at, std::string_view name) {
    std::memcpy(at + 1, name.data(), name.size());
}

/** Stowage on a system with owners: on any other they would have to be invalid (UDF 3.3.3.1). */
void storeDeveloper(uint8_t* at) {
    constexpr uint8_t unixClass = 4;
    storeEntity(at, "*Stowage");
    at[24] = unixClass;
}

/** One that UDF defines: its suffix begins with UDF's revision. */
void storeUdfEntity(uint8_t* at, std::string_view name) {
    storeEntity(at, name);
    store16(at + 24, udfRevision);
}

void storeCharacterSet(uint8_t* at) {
    constexpr std::string_view name = "OSTA Compressed Unicode";
    std::memcpy(at + 1, name.data(), name.size());
}

/** Text in a field of its own, cut to it: the last byte is the length used. */
void storeFieldText(uint8_t* at, size_t length, std::string_view utf8) {
    std::string text = udfText(utf8).value_or(std::string("\x08_"));
    const size_t unit = text[0] == '\x10' ? 2 : 1;
    const size_t most = (length - 2) / unit * unit + 1;
    if (text.size() > most) text.resize(most);
    if (text.size() == 1) return;
    std::copy(text.begin(), text.end(), at);
    at[length - 1] = static_cast<uint8_t>(text.size());
}

/** A place within the partition: the length of its sectors, block, and the partition's number 0. */
void storeLongPlace(uint8_t* at, uint64_t sector, uint64_t sectors) {
    store32(at, sectors * sectorBytes);
    store32(at + 4, block(sector));
}

constexpr size_t nameHead = 38;

size_t padded4(size_t length) {
    return (length + 3) / 4 * 4;
}

/** One name in a folder's list, which begins at `listSector` and, in `to`, at `from`. */
void addIdentifier(std::string_view name, uint8_t characteristics, uint64_t entrySector, uint64_t listSector,
                   size_t from, Bytes& to) {
    const size_t at = to.size() - from;
    const size_t length = padded4(nameHead + name.size());
    uint8_t* const found = to.grow(length);
    store16(found + 16, 1);
    found[18] = characteristics;
    found[19] = static_cast<uint8_t>(name.size());
    storeLongPlace(found + 20, entrySector, 1);
    if (!name.empty()) std::memcpy(found + nameHead, name.data(), name.size());
    storeTag(found, fileIdentifier, block(listSector + at / sectorBytes), length);
}

/** No file's time may be later than that of the integrity descriptor (ECMA-167 3/10.10.2). */
Moment latestTime(const Layout& layout) {
    Moment latest = layout.names().made;
    for (const Entry& entry : layout.entries().all) {
        latest = std::max(latest, entry.modified);
        if (entry.created) latest = std::max(latest, *entry.created);
    }
    return latest;
}

/**
 * The space of extended attributes of a file entry (ECMA-167 4/14.10): the file's creation alone.
 * `location` is the block of the file entry.
 */
void storeAttributes(uint8_t* at, Moment created, uint64_t location) {
    constexpr uint8_t fileTimes = 5;
    constexpr uint64_t timeBytes = 12;
    constexpr uint32_t isCreation = 1;
    uint8_t* const times = at + attributeHeaderBytes;
    // No attributes of implementations and applications: their place is the end (UDF 3.3.4.1).
    store32(at + 16, attributeHeaderBytes + creationBytes);
    store32(at + 20, attributeHeaderBytes + creationBytes);
    storeTag(at, attributeHeader, location, attributeHeaderBytes);
    store32(times, fileTimes);
    times[4] = 1;
    store32(times + 8, creationBytes);
    store32(times + 12, timeBytes);
    store32(times + 16, isCreation);
    storeTime(times + 20, created);
}

} // namespace

uint64_t udfFolderBytes(const Layout& layout, uint32_t folder) {
    uint64_t bytes = padded4(nameHead);
    for (const uint32_t child : layout.children(folder))
        if (layout.isInUdf(child)) bytes += padded4(nameHead + layout.udfName(child).size());
    return bytes;
}

void addUdfFolder(const Layout& layout, uint32_t folder, Bytes& to) {
    constexpr uint8_t isFolder = 0x02;
    constexpr uint8_t isParent = 0x08;
    const size_t from = to.size();
    const uint64_t sector = layout.parts(folder).dataSector;
    addIdentifier({}, isFolder | isParent, layout.parts(layout.entry(folder).parent).entrySector, sector,
                  from, to);
    for (const uint32_t child : layout.children(folder)) {
        if (!layout.isInUdf(child)) continue;
        const uint8_t kind = layout.entry(child).kind == EntryKind::folder ? isFolder : 0;
        addIdentifier(layout.udfName(child), kind, layout.parts(child).entrySector, sector, from, to);
    }
    to.grow((sectorBytes - (to.size() - from) % sectorBytes) % sectorBytes);
}

void addFileEntry(const Layout& layout, uint32_t index, Bytes& to) {
    constexpr uint8_t folderType = 4;
    constexpr uint8_t fileType = 5;
    const Entry& entry = layout.entry(index);
    const Parts& parts = layout.parts(index);
    const size_t from = to.size();
    const bool isFile = entry.kind == EntryKind::file;
    const uint64_t bytes = isFile ? entry.bytes : parts.udfBytes;

    uint8_t* at = to.grow(sectorBytes);
    uint8_t* const icb = at + 16;
    store16(icb + 4, 4);
    store16(icb + 8, 1);
    icb[11] = isFile ? fileType : folderType;
    // setuid, setgid, sticky (ECMA-167 4/14.6.8)
    const uint32_t special = ((entry.mode & 04000U) != 0 ? 0x40U : 0U) |
                             ((entry.mode & 02000U) != 0 ? 0x80U : 0U) |
                             ((entry.mode & 01000U) != 0 ? 0x100U : 0U);
    store16(icb + 18, special);
    store32(at + 36, entry.user);
    store32(at + 40, entry.group);
    // Three bits of POSIX become five: execute, write, read, change attributes, delete.
    uint32_t permissions = 0;
    for (uint32_t who = 0; who < 3; ++who) {
        const uint32_t bits = entry.mode >> (3 * who) & 7U;
        const uint32_t own = bits | (who == 2 ? 8U : 0U);
        permissions |= own << (5 * who);
    }
    store32(at + 44, permissions);
    store16(at + 48, parts.links);
    store64(at + 56, bytes);
    store64(at + 64, sectorsFor(bytes));
    storeTime(at + 72, entry.modified);
    storeTime(at + 84, entry.modified);
    storeTime(at + 96, entry.modified);
    store32(at + 108, 1);
    storeDeveloper(at + 128);
    store64(at + 160, index == 0 ? 0 : 16 + uint64_t{index});
    const uint64_t extents = bytes == 0 ? 0 : (bytes - 1) / longestUdfExtent + 1;
    uint64_t sector = parts.dataSector;
    uint64_t left = bytes;
    uint64_t done = 0;
    const uint64_t attributes = attributeBytes(entry);
    store32(at + 168, attributes);
    if (entry.created) storeAttributes(at + fileEntryBytes, *entry.created, block(parts.entrySector));
    const uint64_t more = allocationExtents(entry, bytes);
    for (uint64_t part = 0; part <= more; ++part) {
        const bool isFirst = part == 0;
        const uint64_t room = isFirst ? allocationsInEntry(entry) : allocationsInExtent;
        if (!isFirst) to.grow(sectorBytes);
        at = to.data() + from + part * sectorBytes;
        uint8_t* const list = at + (isFirst ? fileEntryBytes + attributes : allocationExtentBytes);
        const bool goesOn = part < more;
        const uint64_t here = goesOn ? room - 1 : extents - done;
        for (uint64_t i = 0; i < here; ++i) {
            const uint64_t length = std::min(left, longestUdfExtent);
            store32(list + i * allocationBytes, length);
            store32(list + i * allocationBytes + 4, block(sector));
            left -= length;
            sector += length / sectorBytes;
        }
        done += here;
        const uint64_t own = parts.entrySector + part;
        if (goesOn) {
            store32(list + here * allocationBytes, sectorBytes | continues);
            store32(list + here * allocationBytes + 4, block(own + 1));
        }
        const uint64_t length = (here + (goesOn ? 1 : 0)) * allocationBytes;
        if (isFirst) {
            store32(at + 172, length);
            storeTag(at, fileEntry, block(own), fileEntryBytes + attributes + length);
        } else {
            store32(at + 20, length);
            // The descriptors that follow are not under its checksum (ECMA-167 4/14.5).
            storeTag(at, allocationExtent, block(own), allocationExtentBytes);
        }
    }
}

void addRecognition(Bytes& to) {
    for (const std::string_view name : {"BEA01", "NSR02", "TEA01"}) {
        uint8_t* const at = to.grow(sectorBytes);
        std::memcpy(at + 1, name.data(), name.size());
        at[6] = 1;
    }
}

void addVolumeSequence(const Layout& layout, uint64_t sector, Bytes& to) {
    const ImageNames& names = layout.names();
    const size_t from = to.size();
    uint64_t number = 0;

    uint8_t* at = to.grow(sectorBytes);
    store32(at + 16, ++number);
    storeFieldText(at + 24, 32, names.label);
    store16(at + 56, 1);
    store16(at + 58, 1);
    store16(at + 60, 2);
    store16(at + 62, 2);
    store32(at + 64, 1);
    store32(at + 68, 1);
    storeFieldText(at + 72, 128, names.uniqueId + names.label);
    storeCharacterSet(at + 200);
    storeCharacterSet(at + 264);
    storeEntity(at + 344, "*Stowage");
    storeTime(at + 376, names.made);
    storeDeveloper(at + 388);
    storeTag(at, primaryVolume, sector, 512);

    at = to.grow(sectorBytes);
    store32(at + 16, ++number);
    storeUdfEntity(at + 20, "*UDF LV Info");
    storeCharacterSet(at + 52);
    storeFieldText(at + 116, 128, names.label);
    storeDeveloper(at + 352);
    storeTag(at, implementationUse, sector + 1, 512);

    at = to.grow(sectorBytes);
    store32(at + 16, ++number);
    store16(at + 20, 1);
    storeEntity(at + 24, "+NSR02");
    store32(at + 184, 1);
    store32(at + 188, place::partition);
    store32(at + 192, layout.sectors() - 1 - place::partition);
    storeDeveloper(at + 196);
    storeTag(at, partitionDescriptor, sector + 2, 512);

    at = to.grow(sectorBytes);
    store32(at + 16, ++number);
    storeCharacterSet(at + 20);
    storeFieldText(at + 84, 128, names.label);
    store32(at + 212, sectorBytes);
    storeUdfEntity(at + 216, "*OSTA UDF Compliant");
    storeLongPlace(at + 248, place::fileSet, 2);
    store32(at + 264, 6);
    store32(at + 268, 1);
    storeDeveloper(at + 272);
    store32(at + 432, place::integritySectors * sectorBytes);
    store32(at + 436, place::integritySequence);
    at[440] = 1;
    at[441] = 6;
    store16(at + 442, 1);
    storeTag(at, logicalVolume, sector + 3, 446);

    at = to.grow(sectorBytes);
    store32(at + 16, ++number);
    storeTag(at, unallocatedSpace, sector + 4, 24);

    at = to.grow(sectorBytes);
    storeTag(at, terminating, sector + 5, 512);
    to.grow(from + place::sequenceSectors * sectorBytes - to.size());
}

void addIntegritySequence(const Layout& layout, Bytes& to) {
    uint8_t* at = to.grow(sectorBytes);
    storeTime(at + 16, latestTime(layout));
    store32(at + 28, 1);
    // The next identifier of a file: behind those of all entries.
    store64(at + 40, 16 + layout.entries().all.size());
    store32(at + 72, 1);
    store32(at + 76, 46);
    store32(at + 84, layout.sectors() - 1 - place::partition);
    storeDeveloper(at + 88);
    store32(at + 120, layout.fileCount());
    store32(at + 124, layout.folderCount());
    store16(at + 128, udfRevision);
    store16(at + 130, udfRevision);
    store16(at + 132, udfRevision);
    storeTag(at, logicalVolumeIntegrity, place::integritySequence, 134);
    at = to.grow(sectorBytes);
    storeTag(at, terminating, place::integritySequence + 1, 512);
}

void addAnchor(uint64_t sector, Bytes& to) {
    uint8_t* const at = to.grow(sectorBytes);
    store32(at + 16, place::sequenceSectors * sectorBytes);
    store32(at + 20, place::volumeSequence);
    store32(at + 24, place::sequenceSectors * sectorBytes);
    store32(at + 28, place::reserveSequence);
    storeTag(at, anchorPointer, sector, 512);
}

void addFileSet(const Layout& layout, Bytes& to) {
    uint8_t* at = to.grow(sectorBytes);
    storeTime(at + 16, layout.names().made);
    store16(at + 28, 3);
    store16(at + 30, 3);
    store32(at + 32, 1);
    store32(at + 36, 1);
    storeCharacterSet(at + 48);
    storeFieldText(at + 112, 128, layout.names().label);
    storeCharacterSet(at + 240);
    storeFieldText(at + 304, 32, layout.names().label);
    storeLongPlace(at + 400, layout.parts(0).entrySector, 1);
    storeUdfEntity(at + 416, "*OSTA UDF Compliant");
    storeTag(at, fileSetDescriptor, block(place::fileSet), 512);
    at = to.grow(sectorBytes);
    storeTag(at, terminating, block(place::fileSet + 1), 512);
    to.fillSector();
}

} // namespace stowage::discImage
