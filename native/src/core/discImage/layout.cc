#include "core/discImage/layout.h"

#include "core/discImage/isoFolder.h"
#include "core/discImage/isoNames.h"
#include "core/discImage/udfBytes.h"
#include "core/discImage/udfText.h"

#include <algorithm>
#include <stdexcept>

namespace stowage::discImage {

namespace {

constexpr uint32_t noFolder = UINT32_MAX;
/** Numbers of links in UDF and of folders in path tables have 16 bits. */
constexpr uint32_t most16 = 0xFFFF;

} // namespace

uint64_t allocationExtents(const Entry& entry, uint64_t bytes) {
    const uint64_t extents = bytes == 0 ? 0 : (bytes - 1) / longestUdfExtent + 1;
    const uint64_t inEntry = allocationsInEntry(entry);
    if (extents <= inEntry) return 0;
    // The last descriptor of each block but the last leads to the next.
    const uint64_t rest = extents - (inEntry - 1);
    uint64_t blocks = 1;
    for (uint64_t left = rest; left > allocationsInExtent; left -= allocationsInExtent - 1)
        ++blocks;
    return blocks;
}

Layout::Layout(Entries entries, ImageNames names, const GivenPlaces* given)
    : entries_(std::move(entries)), names_(std::move(names)) {
    checkEntries();
    splitMuchLinked();
    orderChildren();
    orderContents();
    if (names_.hasUdf) {
        placeUdf();
    } else {
        pathTableSector_ = place::isoDescriptor + place::isoDescriptors;
    }
    placeIso();
    if (given == nullptr) {
        placeData();
    } else {
        placeDataAt(*given);
    }
}

void Layout::checkEntries() const {
    const std::vector<Entry>& all = entries_.all;
    if (all.empty() || all[0].kind != EntryKind::folder)
        throw std::invalid_argument("the first entry is no folder");
    for (uint32_t index = 0; index < all.size(); ++index) {
        const Entry& entry = all[index];
        const bool hasParent = index == 0
                                   ? entry.parent == 0
                                   : entry.parent < index && all[entry.parent].kind == EntryKind::folder;
        const bool hasContent =
            entry.content == index ||
            (entry.content < index && all[entry.content].content == entry.content &&
             entry.kind == EntryKind::file && all[entry.content].kind == EntryKind::file &&
             all[entry.content].bytes == entry.bytes);
        const bool hasText = entry.nameAt + entry.nameBytes <= entries_.text.size() &&
                             entry.targetAt + entry.targetBytes <= entries_.text.size();
        if (!hasParent || !hasContent || !hasText || (index > 0 && entry.nameBytes == 0))
            throw std::invalid_argument("entry " + std::to_string(index) + " does not fit the others");
    }
}

/** A content with more names than UDF can count is on the image once more. */
void Layout::splitMuchLinked() {
    std::vector<Entry>& all = entries_.all;
    parts_.resize(all.size());
    std::unordered_map<uint32_t, uint32_t> next;
    for (uint32_t index = 0; index < all.size(); ++index) {
        if (all[index].kind == EntryKind::folder) continue;
        if (all[index].kind == EntryKind::file) ++fileCount_;
        const auto found = next.find(all[index].content);
        uint32_t content = found == next.end() ? all[index].content : found->second;
        if (content != index && parts_[content].links == most16) {
            next[all[index].content] = index;
            copies_.emplace(index, all[index].content);
            content = index;
        }
        all[index].content = content;
        ++parts_[content].links;
    }
}

void Layout::orderChildren() {
    const std::vector<Entry>& all = entries_.all;
    firstChild_.assign(all.size() + 1, 0);
    for (uint32_t index = 1; index < all.size(); ++index)
        ++firstChild_[all[index].parent + 1];
    for (size_t index = 1; index < firstChild_.size(); ++index)
        firstChild_[index] += firstChild_[index - 1];
    children_.resize(all.size() - 1);
    std::vector<uint32_t> next(firstChild_.begin(), firstChild_.end() - 1);
    for (uint32_t index = 1; index < all.size(); ++index)
        children_[next[all[index].parent]++] = index;
    folderAt_.assign(all.size(), noFolder);
    for (uint32_t index = 0; index < all.size(); ++index) {
        if (all[index].kind != EntryKind::folder) continue;
        folderAt_[index] = static_cast<uint32_t>(isoFolders_.size());
        isoFolders_.emplace_back();
        uint32_t& links = parts_[index].links;
        links = std::max(links, 1U);
        if (index > 0) {
            uint32_t& above = parts_[all[index].parent].links;
            if (above < most16) ++above;
        }
    }
}

std::span<const uint32_t> Layout::children(uint32_t folder) const {
    return std::span(children_).subspan(firstChild_[folder], firstChild_[folder + 1] - firstChild_[folder]);
}

std::span<const uint32_t> Layout::isoChildren(uint32_t folder) const {
    return std::span(isoChildren_)
        .subspan(firstChild_[folder], firstChild_[folder + 1] - firstChild_[folder]);
}

std::string_view Layout::isoIdentifier(uint32_t entry) const {
    return std::string_view(identifiers_)
        .substr(identifierAt_[entry], identifierAt_[entry + 1] - identifierAt_[entry]);
}

std::string Layout::udfName(uint32_t entry) const {
    const auto found = mapped_.find(entry);
    if (found != mapped_.end()) return found->second;
    return udfText(entries_.name(entries_.all[entry])).value_or("");
}

void Layout::nameForUdf(uint32_t folder) {
    std::vector<uint32_t> unfit;
    for (const uint32_t child : children(folder)) {
        const std::string name = udfName(child);
        if (isInUdf(child) && (name.empty() || name.size() > longestUdfName)) unfit.push_back(child);
    }
    if (unfit.empty()) return;
    UdfNames names;
    for (const uint32_t child : children(folder)) {
        const std::string name = udfName(child);
        if (!name.empty() && name.size() <= longestUdfName) names.keep(name);
    }
    for (const uint32_t child : unfit)
        mapped_.emplace(child, names.mapped(entries_.name(entries_.all[child])));
}

void Layout::orderContents() {
    std::vector<uint32_t> folders = {0};
    while (!folders.empty()) {
        const uint32_t folder = folders.back();
        folders.pop_back();
        udfOrder_.push_back(folder);
        const auto inside = children(folder);
        for (const uint32_t child : inside) {
            const Entry& entry = entries_.all[child];
            if (entry.kind != EntryKind::file || entry.content != child) continue;
            udfOrder_.push_back(child);
            if (entry.bytes > 0) dataOrder_.push_back(child);
        }
        const size_t first = folders.size();
        for (const uint32_t child : inside)
            if (entries_.all[child].kind == EntryKind::folder) folders.push_back(child);
        std::reverse(folders.begin() + static_cast<ptrdiff_t>(first), folders.end());
    }
    std::stable_sort(dataOrder_.begin(), dataOrder_.end(), [this](uint32_t one, uint32_t other) {
        return entries_.all[one].rank < entries_.all[other].rank;
    });
}

void Layout::placeUdf() {
    uint64_t sector = place::rootEntry;
    for (const uint32_t index : udfOrder_) {
        const Entry& entry = entries_.all[index];
        Parts& own = parts_[index];
        own.entrySector = sector++;
        if (entry.kind == EntryKind::file) {
            sector += allocationExtents(entry, entry.bytes);
            continue;
        }
        nameForUdf(index);
        own.udfBytes = udfFolderBytes(*this, index);
        own.dataSector = sector + allocationExtents(entry, own.udfBytes);
        sector = own.dataSector + sectorsFor(own.udfBytes);
    }
    pathTableSector_ = sector;
}

/** ECMA-119 9.3 orders by names and extensions filled with spaces, without the version. */
std::string_view Layout::sortedBy(uint32_t entry) const {
    const std::string_view identifier = isoIdentifier(entry);
    return identifier.substr(0, identifier.rfind(';'));
}

void Layout::nameForIso(uint32_t folder) {
    const uint32_t first = firstChild_[folder];
    const uint32_t end = firstChild_[folder + 1];
    std::sort(isoChildren_.begin() + first, isoChildren_.begin() + end,
              [this](uint32_t one, uint32_t other) { return sortedBy(one) < sortedBy(other); });
}

void Layout::placeIso() {
    const size_t count = entries_.all.size();
    std::vector<std::string> found(count);
    for (uint32_t folder = 0; folder < count; ++folder) {
        if (folderAt_[folder] == noFolder) continue;
        IsoNames names;
        for (const uint32_t child : children(folder))
            found[child] = names.identifierFor(entries_.all[child].kind, entries_.name(entries_.all[child]));
    }
    identifierAt_.resize(count + 1);
    for (size_t index = 0; index < count; ++index) {
        identifierAt_[index] = identifiers_.size();
        identifiers_ += found[index];
    }
    identifierAt_[count] = identifiers_.size();
    isoChildren_ = children_;
    isoOrder_ = {0};
    for (size_t next = 0; next < isoOrder_.size(); ++next) {
        const uint32_t folder = isoOrder_[next];
        isoFolders_[folderAt_[folder]].number = static_cast<uint32_t>(next + 1);
        nameForIso(folder);
        for (const uint32_t child : isoChildren(folder))
            if (entries_.all[child].kind == EntryKind::folder) isoOrder_.push_back(child);
    }
    for (uint32_t number = 1; number <= pathTableFolders(); ++number) {
        const uint32_t folder = isoOrder_[number - 1];
        pathTableBytes_ += pathRecordBytes(folder == 0 ? 1 : isoIdentifier(folder).size());
    }
    uint64_t sector = pathTableSector_ + 2 * sectorsFor(pathTableBytes_);
    IsoFolderBytes bytes;
    for (const uint32_t folder : isoOrder_) {
        bytes.make(*this, folder);
        IsoFolder& own = isoFolders_[folderAt_[folder]];
        own.sector = sector;
        own.recordSectors = bytes.records().size() / sectorBytes;
        own.continuationSectors = bytes.continuation().size() / sectorBytes;
        sector += own.recordSectors + own.continuationSectors;
    }
    dataStart_ = sector;
}

uint32_t Layout::pathTableFolders() const {
    return std::min(folderCount(), most16);
}

void Layout::placeData() {
    uint64_t sector = dataStart_;
    for (const uint32_t entry : dataOrder_) {
        parts_[entry].dataSector = sector;
        sector += sectorsFor(entries_.all[entry].bytes);
    }
    // The second anchor of UDF has the last sector.
    if (names_.hasUdf) ++sector;
    sectors_ = (sector + imageUnit - 1) / imageUnit * imageUnit;
    if (sectors_ > UINT32_MAX) throw std::length_error("an image has at most 4294967295 sectors");
}

void Layout::placeDataAt(const GivenPlaces& given) {
    if (given.firstSectors.size() != entries_.all.size())
        throw std::invalid_argument("there is not one place for each entry");
    for (const uint32_t entry : dataOrder_)
        parts_[entry].dataSector = given.firstSectors[entry];
    std::sort(dataOrder_.begin(), dataOrder_.end(), [this](uint32_t one, uint32_t other) {
        return parts_[one].dataSector < parts_[other].dataSector;
    });
    uint64_t end = dataStart_;
    for (const uint32_t entry : dataOrder_) {
        const uint64_t sector = parts_[entry].dataSector;
        const uint64_t length = sectorsFor(entries_.all[entry].bytes);
        if (sector < end || sector >= given.sectors || length > given.sectors - sector)
            throw std::length_error("a file does not fit into the place that is given");
        end = sector + length;
    }
    // The last sector has the second anchor.
    if (end >= given.sectors) throw std::length_error("the files fill the image that is given");
    sectors_ = given.sectors;
}

uint64_t Layout::firstSector(uint32_t entry) const {
    const Entry& found = entries_.all[entry];
    return found.kind == EntryKind::file && found.bytes > 0 ? parts(entry).dataSector : 0;
}

} // namespace stowage::discImage
