#include "core/discImage/isoFolder.h"

#include "core/discImage/calendar.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace stowage::discImage {

namespace {

using namespace std::string_view_literals;

constexpr size_t longestRecord = 254;
constexpr size_t recordHead = 33;
constexpr size_t continuationField = 28;
/** A field of Rock Ridge has at most 255 bytes, 5 of them its head. */
constexpr size_t longestPiece = 250;
/** A component of a target needs a head of two bytes and one of text. */
constexpr size_t leastRoom = 3;
constexpr uint8_t isFolderFlag = 0x02;
constexpr uint8_t moreFollowFlag = 0x80;

constexpr std::string_view itself("\0", 1);
constexpr std::string_view itsParent("\1", 1);

uint8_t* addField(Bytes& to, std::string_view signature, size_t length) {
    uint8_t* const at = to.grow(length);
    std::memcpy(at, signature.data(), 2);
    at[2] = static_cast<uint8_t>(length);
    at[3] = 1;
    return at;
}

void storeDate(uint8_t* at, Moment moment) {
    // A byte counts years from 1900 on; many readers take it as signed.
    const CalendarTime time = calendarTime(moment, 1900, 2155);
    at[0] = static_cast<uint8_t>(time.year - 1900);
    at[1] = time.month;
    at[2] = time.day;
    at[3] = time.hour;
    at[4] = time.minute;
    at[5] = time.second;
    at[6] = 0;
}

/** Fields that come in pieces: all but the last are flagged. */
class Pieces {
  public:
    Pieces(Bytes& to, std::string_view signature) : to_(to), signature_(signature) {}

    /** Room for `length` bytes within one field; the flag says that the text goes on. */
    uint8_t* add(size_t length) {
        if (!isOpen_ || to_.size() - at_ + length > 5 + longestPiece) {
            goOn();
            at_ = to_.size();
            addField(to_, signature_, 5);
            isOpen_ = true;
        }
        return to_.grow(length);
    }
    [[nodiscard]] size_t room() const {
        return isOpen_ ? 5 + longestPiece - (to_.size() - at_) : longestPiece;
    }
    /** Ends a field: the text goes on in another one. */
    void goOn() {
        if (isOpen_) to_.data()[at_ + 4] = 1;
        close();
    }
    void close() {
        if (!isOpen_) return;
        to_.data()[at_ + 2] = static_cast<uint8_t>(to_.size() - at_);
        isOpen_ = false;
    }

  private:
    Bytes& to_;
    std::string_view signature_;
    size_t at_ = 0;
    bool isOpen_ = false;
};

void addName(std::string_view name, Bytes& to) {
    Pieces pieces(to, "NM");
    while (!name.empty()) {
        const std::string_view part = name.substr(0, longestPiece);
        std::memcpy(pieces.add(part.size()), part.data(), part.size());
        name.remove_prefix(part.size());
    }
    pieces.close();
}

/** Components of a link's target: where the flags say so they have no text. */
void addTarget(std::string_view target, Bytes& to) {
    Pieces pieces(to, "SL");
    const auto component = [&pieces](uint8_t flags, std::string_view text) {
        uint8_t* const at = pieces.add(2 + text.size());
        at[0] = flags;
        at[1] = static_cast<uint8_t>(text.size());
        if (!text.empty()) std::memcpy(at + 2, text.data(), text.size());
    };
    if (target.starts_with('/')) component(0x08, {});
    while (!target.empty()) {
        const size_t slash = std::min(target.find('/'), target.size());
        std::string_view name = target.substr(0, slash);
        target.remove_prefix(std::min(slash + 1, target.size()));
        if (name.empty()) continue;
        if (name == "." || name == "..") {
            // Neither can end a field as a name below does: a name without text is there instead.
            if (!target.empty() && pieces.room() < 2 + leastRoom) {
                component(0x01, {});
                pieces.goOn();
            }
            component(name == "." ? 0x02 : 0x04, {});
        } else {
            // A field of the target ends within a name wherever another follows: some readers
            // (libarchive) put no slash between names of two fields.
            while (!name.empty()) {
                const size_t room = pieces.room() < leastRoom ? longestPiece : pieces.room();
                const size_t most = room - 2;
                const bool endsField =
                    name.size() <= most && most - name.size() < leastRoom && !target.empty();
                const std::string_view part = name.substr(0, endsField ? name.size() - 1 : most);
                name.remove_prefix(part.size());
                component(name.empty() ? 0 : 0x01, part);
            }
        }
    }
    pieces.close();
}

void addExtensionReference(Bytes& to) {
    // The texts that IEEE P1282 prescribes.
    constexpr std::string_view id = "IEEE_P1282";
    constexpr std::string_view description =
        "THE IEEE P1282 PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS";
    constexpr std::string_view source =
        "PLEASE CONTACT THE IEEE STANDARDS DEPARTMENT, PISCATAWAY, NJ, USA FOR "
        "THE P1282 SPECIFICATION.";
    uint8_t* const at = addField(to, "ER", 8 + id.size() + description.size() + source.size());
    at[4] = static_cast<uint8_t>(id.size());
    at[5] = static_cast<uint8_t>(description.size());
    at[6] = static_cast<uint8_t>(source.size());
    at[7] = 1;
    std::memcpy(at + 8, id.data(), id.size());
    std::memcpy(at + 8 + id.size(), description.data(), description.size());
    std::memcpy(at + 8 + id.size() + description.size(), source.data(), source.size());
}

uint32_t modeOf(const Entry& entry) {
    constexpr uint32_t folder = 0040000;
    constexpr uint32_t file = 0100000;
    constexpr uint32_t link = 0120000;
    const uint32_t kind = entry.kind == EntryKind::folder ? folder
                          : entry.kind == EntryKind::file ? file
                                                          : link;
    return kind | (entry.mode & 07777U);
}

} // namespace

void IsoFolderBytes::make(const Layout& layout, uint32_t folder) {
    records_.clear();
    continuation_.clear();
    const IsoFolder& own = layout.isoFolder(folder);
    continuationSector_ = own.sector + own.recordSectors;
    const auto folderExtent = [&layout](uint32_t which) {
        const IsoFolder& found = layout.isoFolder(which);
        return Extent{found.sector, found.recordSectors * sectorBytes, isFolderFlag};
    };
    const uint32_t parent = layout.entry(folder).parent;
    describe(layout, folder, folder == 0, false);
    addRecord(itself, folderExtent(folder), layout.entry(folder).modified);
    describe(layout, parent, false, false);
    addRecord(itsParent, folderExtent(parent), layout.entry(parent).modified);
    for (const uint32_t child : layout.isoChildren(folder)) {
        const Entry& entry = layout.entry(child);
        describe(layout, child, false, true);
        if (entry.kind == EntryKind::folder)
            addRecord(layout.isoIdentifier(child), folderExtent(child), entry.modified);
        else
            addFile(layout, child);
    }
    records_.fillSector();
    continuation_.fillSector();
}

void IsoFolderBytes::addFile(const Layout& layout, uint32_t entry) {
    const Entry& file = layout.entry(entry);
    uint64_t left = file.kind == EntryKind::file ? file.bytes : 0;
    uint64_t sector = left > 0 ? layout.parts(entry).dataSector : layout.dataStart();
    do {
        const uint64_t part = std::min(left, longestIsoExtent);
        left -= part;
        addRecord(layout.isoIdentifier(entry), {sector, part, left > 0 ? moreFollowFlag : uint8_t{0}},
                  file.modified);
        sector += part / sectorBytes;
    } while (left > 0);
}

void IsoFolderBytes::describe(const Layout& layout, uint32_t entry, bool isRootItself, bool isNamed) {
    const Entry& found = layout.entry(entry);
    fixed_.clear();
    free_.clear();
    if (isRootItself) {
        uint8_t* const at = addField(fixed_, "SP", 7);
        at[4] = 0xBE;
        at[5] = 0xEF;
    }
    uint8_t* const owner = addField(fixed_, "PX", 44);
    storeBoth32(owner + 4, modeOf(found));
    // A folder's own names: in its parent, `.`, and `..` of each folder in it.
    storeBoth32(owner + 12, layout.parts(entry).links + (found.kind == EntryKind::folder ? 1U : 0U));
    storeBoth32(owner + 20, found.user);
    storeBoth32(owner + 28, found.group);
    storeBoth32(owner + 36, found.content + 1);
    uint8_t* const times = addField(fixed_, "TF", 5 + 3 * 7);
    times[4] = 0x0E; // modified, accessed, attributes changed
    for (size_t i = 0; i < 3; ++i)
        storeDate(times + 5 + 7 * i, found.modified);
    if (isRootItself) addExtensionReference(free_);
    if (isNamed) addName(layout.entries().name(found), free_);
    if (found.kind == EntryKind::link) addTarget(layout.entries().target(found), free_);
}

void IsoFolderBytes::addRecord(std::string_view identifier, const Extent& extent, Moment modified) {
    const size_t head = recordHead + identifier.size() + (identifier.size() % 2 == 0 ? 1 : 0);
    const bool fits = head + fixed_.size() + free_.size() <= longestRecord;
    size_t length = head + fixed_.size() + (fits ? free_.size() : continuationField);
    length += length % 2;
    const size_t used = records_.size() % sectorBytes;
    if (used + length > sectorBytes) records_.fillSector();
    const size_t start = records_.size();
    uint8_t* const at = records_.grow(head);
    at[0] = static_cast<uint8_t>(length);
    storeBoth32(at + 2, extent.sector);
    storeBoth32(at + 10, extent.bytes);
    storeDate(at + 18, modified);
    at[25] = extent.flags;
    storeBoth16(at + 28, 1);
    at[32] = static_cast<uint8_t>(identifier.size());
    std::memcpy(at + recordHead, identifier.data(), identifier.size());
    std::memcpy(records_.grow(fixed_.size()), fixed_.data(), fixed_.size());
    if (fits) {
        if (free_.size() > 0) std::memcpy(records_.grow(free_.size()), free_.data(), free_.size());
    } else {
        // The continuation of a record lies within a sector.
        if (free_.size() > sectorBytes) throw std::length_error("a link's target is too long for Rock Ridge");
        if (continuation_.size() % sectorBytes + free_.size() > sectorBytes) continuation_.fillSector();
        const size_t offset = continuation_.size();
        std::memcpy(continuation_.grow(free_.size()), free_.data(), free_.size());
        uint8_t* const field = addField(records_, "CE", continuationField);
        storeBoth32(field + 4, continuationSector_ + offset / sectorBytes);
        storeBoth32(field + 12, offset % sectorBytes);
        storeBoth32(field + 20, free_.size());
    }
    records_.grow(start + length - records_.size());
}

void addPathTable(const Layout& layout, bool isBigEndian, Bytes& to) {
    const size_t start = to.size();
    for (uint32_t number = 1; number <= layout.pathTableFolders(); ++number) {
        const uint32_t folder = layout.isoOrder()[number - 1];
        const std::string_view identifier = folder == 0 ? itself : layout.isoIdentifier(folder);
        const uint64_t parent = layout.isoFolder(layout.entry(folder).parent).number;
        uint8_t* const at = to.grow(pathRecordBytes(identifier.size()));
        at[0] = static_cast<uint8_t>(identifier.size());
        if (isBigEndian) {
            storeBig32(at + 2, layout.isoFolder(folder).sector);
            storeBig16(at + 6, parent);
        } else {
            store32(at + 2, layout.isoFolder(folder).sector);
            store16(at + 6, parent);
        }
        std::memcpy(at + 8, identifier.data(), identifier.size());
    }
    to.grow(sectorsFor(layout.pathTableBytes()) * sectorBytes - (to.size() - start));
}

namespace {

/** Text padded with spaces, in the characters that ISO 9660 permits there. */
void storeText(uint8_t* at, size_t length, std::string_view text, bool isUpper) {
    std::memset(at, ' ', length);
    for (size_t i = 0; i < std::min(length, text.size()); ++i) {
        const char character = text[i];
        const bool isLower = character >= 'a' && character <= 'z';
        const bool isPlain = character >= ' ' && character <= '~';
        at[i] = static_cast<uint8_t>(!isPlain ? '_' : isUpper && isLower ? character - 'a' + 'A' : character);
    }
}

/** Seventeen characters: digits to hundredths of a second, and the distance from UTC. */
void storeLongDate(uint8_t* at, Moment moment) {
    const CalendarTime time = calendarTime(moment, 1, 9999);
    const auto digits = [&at](uint32_t value, size_t count) {
        for (size_t i = count; i > 0; --i, value /= 10)
            at[i - 1] = static_cast<uint8_t>('0' + value % 10);
        at += count;
    };
    digits(static_cast<uint32_t>(time.year), 4);
    for (const uint8_t part : {time.month, time.day, time.hour, time.minute, time.second})
        digits(part, 2);
    digits(time.nanoseconds / 10'000'000, 2);
    *at = 0;
}

void storeNoDate(uint8_t* at) {
    std::memset(at, '0', 16);
    at[16] = 0;
}

} // namespace

void addIsoDescriptors(const Layout& layout, Bytes& to) {
    const ImageNames& names = layout.names();
    uint8_t* const at = to.grow(sectorBytes);
    at[0] = 1;
    storeText(at + 1, 5, "CD001", true);
    at[6] = 1;
    storeText(at + 8, 32, "", true);
    storeText(at + 40, 32, names.label, true);
    storeBoth32(at + 80, layout.sectors());
    storeBoth16(at + 120, 1);
    storeBoth16(at + 124, 1);
    storeBoth16(at + 128, sectorBytes);
    storeBoth32(at + 132, layout.pathTableBytes());
    const uint64_t tableSectors = sectorsFor(layout.pathTableBytes());
    store32(at + 140, layout.pathTableSector());
    storeBig32(at + 148, layout.pathTableSector() + tableSectors);
    const IsoFolder& root = layout.isoFolder(0);
    uint8_t* const record = at + 156;
    record[0] = 34;
    storeBoth32(record + 2, root.sector);
    storeBoth32(record + 10, root.recordSectors * sectorBytes);
    storeDate(record + 18, layout.entry(0).modified);
    record[25] = isFolderFlag;
    storeBoth16(record + 28, 1);
    record[32] = 1;
    storeText(at + 190, 128, names.uniqueId, true);
    storeText(at + 318, 128, "", false);
    storeText(at + 446, 128, names.application, true);
    storeText(at + 574, 128, names.application, true);
    storeText(at + 702, 111, "", false);
    storeLongDate(at + 813, names.made);
    storeLongDate(at + 830, names.made);
    storeNoDate(at + 847);
    storeNoDate(at + 864);
    at[881] = 1;
    uint8_t* const end = to.grow(sectorBytes);
    end[0] = 255;
    storeText(end + 1, 5, "CD001", true);
    end[6] = 1;
}

} // namespace stowage::discImage
