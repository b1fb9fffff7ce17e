/**
 * The room `discImage` lays out and writes images with ISO 9660, Rock Ridge and UDF.
 * How: all places follow from entries and lengths, so sizes are known before; the writer streams
 * contents to their places.
 * Not here: reading discs (`src/engine/sets/volume/image`), recovery data (`protection`).
 */

#pragma once

#include "core/discImage/diskBytes.h"
#include "core/discImage/entries.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace stowage::discImage {

/** Sectors of the parts whose place is the same on every image. */
namespace place {
inline constexpr uint64_t isoDescriptor = 16;
inline constexpr uint64_t isoDescriptors = 2;
inline constexpr uint64_t volumeSequence = 32;
inline constexpr uint64_t reserveSequence = 48;
inline constexpr uint64_t sequenceSectors = 16;
inline constexpr uint64_t integritySequence = 64;
inline constexpr uint64_t integritySectors = 2;
inline constexpr uint64_t anchor = 256;
/** UDF counts its blocks from here. */
inline constexpr uint64_t partition = 257;
inline constexpr uint64_t fileSet = partition;
inline constexpr uint64_t rootEntry = fileSet + 2;
} // namespace place

/** An image is a multiple of so many sectors: then drives append nothing of their own. */
inline constexpr uint64_t imageUnit = 32;

/** The most bytes of one extent: in ISO 9660 records and in UDF allocation descriptors. */
inline constexpr uint64_t longestIsoExtent = 0xFFFF'F800;
inline constexpr uint64_t longestUdfExtent = 0x3FFF'F800;
inline constexpr uint64_t allocationBytes = 8;
/**
 * A file entry of UDF, the extended attributes behind it, and the allocation descriptors that fill
 * the rest of its block.
 */
inline constexpr uint64_t fileEntryBytes = 176;
inline constexpr uint64_t attributeHeaderBytes = 24;
inline constexpr uint64_t creationBytes = 32;
inline uint64_t attributeBytes(const Entry& entry) {
    return entry.created ? attributeHeaderBytes + creationBytes : 0;
}
inline uint64_t allocationsInEntry(const Entry& entry) {
    return (sectorBytes - fileEntryBytes - attributeBytes(entry)) / allocationBytes;
}
inline constexpr uint64_t allocationExtentBytes = 24;
inline constexpr uint64_t allocationsInExtent = (sectorBytes - allocationExtentBytes) / allocationBytes;

/** A folder's parts in the ISO 9660 tree. */
struct IsoFolder {
    uint64_t sector = 0;
    /** Sectors of its records, and of the fields that do not fit into these. */
    uint64_t recordSectors = 0;
    uint64_t continuationSectors = 0;
    /** Its place in the path tables, from 1. */
    uint32_t number = 0;
};

/** The parts of an entry's content, by the first entry of each content. */
struct Parts {
    /** The place of its UDF file entry. */
    uint64_t entrySector = 0;
    /** The place of its bytes: a file's content or a folder's list of names in UDF; 0 for none. */
    uint64_t dataSector = 0;
    /** The length of a folder's list of names in UDF. */
    uint64_t udfBytes = 0;
    /** How many names it has; for a folder its own and those of its folders for it. */
    uint32_t links = 0;
};

/** Places that are given instead of computed: those of an image on which more files are. */
struct GivenPlaces {
    /** The whole image. */
    uint64_t sectors = 0;
    /** By entry: the first sector of its bytes; whatever for one without any. */
    std::vector<uint64_t> firstSectors;
};

/**
 * The place of everything on an image of ISO 9660 level 3 with Rock Ridge and UDF 1.02 over the
 * same bytes. Its length is the forecast, and `ImageWriter` writes it: they cannot disagree.
 *
 * From front to back: descriptors; UDF's file entries and lists of names, folder by folder; path
 * tables; the folders of ISO 9660; file content in the order of the file entries, each rank behind
 * the lower ones; the second anchor in the last sector. Without UDF the path tables follow the
 * descriptors of ISO 9660, and the last sector may be content.
 */
class Layout {
  public:
    /**
     * @param given the places of the files' bytes where they are known; sectors between them are
     *   zeros
     * @throws std::length_error for more than 2^32 sectors, a link's target that Rock Ridge cannot
     *   hold, or places in which not everything fits; std::invalid_argument for bad entries
     */
    Layout(Entries entries, ImageNames names, const GivenPlaces* given = nullptr);

    /** The whole image. */
    [[nodiscard]] uint64_t sectors() const { return sectors_; }
    /** The first sector of a file's bytes; 0 for what has none. */
    [[nodiscard]] uint64_t firstSector(uint32_t entry) const;

    [[nodiscard]] const Entries& entries() const { return entries_; }
    [[nodiscard]] const Entry& entry(uint32_t index) const { return entries_.all[index]; }
    [[nodiscard]] const ImageNames& names() const { return names_; }
    [[nodiscard]] const Parts& parts(uint32_t entry) const { return parts_[entries_.all[entry].content]; }
    [[nodiscard]] const IsoFolder& isoFolder(uint32_t folder) const { return isoFolders_[folderAt_[folder]]; }
    [[nodiscard]] std::string_view isoIdentifier(uint32_t entry) const;
    /** The name in UDF's form. */
    [[nodiscard]] std::string udfName(uint32_t entry) const;

    /** Entries of a folder in the order of the source, and in that of ISO 9660. */
    [[nodiscard]] std::span<const uint32_t> children(uint32_t folder) const;
    [[nodiscard]] std::span<const uint32_t> isoChildren(uint32_t folder) const;
    /** Links are in the ISO 9660 tree alone: 7-Zip opens no UDF with links in it. */
    [[nodiscard]] bool isInUdf(uint32_t entry) const { return entries_.all[entry].kind != EntryKind::link; }
    /**
     * Folders and first entries of contents, in the order of their UDF file entries, also where
     * there is no UDF.
     */
    [[nodiscard]] const std::vector<uint32_t>& udfOrder() const { return udfOrder_; }
    /**
     * The entry whose source has the content of this first entry: another one where a content has
     * more names than UDF counts, and is on the image once more.
     */
    [[nodiscard]] uint32_t sourceOf(uint32_t entry) const {
        const auto found = copies_.find(entry);
        return found == copies_.end() ? entry : found->second;
    }
    /** First entries of contents that have bytes, in their order on the image. */
    [[nodiscard]] const std::vector<uint32_t>& dataOrder() const { return dataOrder_; }
    /** Folders in the order of the path tables. */
    [[nodiscard]] const std::vector<uint32_t>& isoOrder() const { return isoOrder_; }
    [[nodiscard]] uint64_t pathTableSector() const { return pathTableSector_; }
    [[nodiscard]] uint64_t pathTableBytes() const { return pathTableBytes_; }
    /** How many folders the path tables name: their numbers have 16 bits. */
    [[nodiscard]] uint32_t pathTableFolders() const;
    [[nodiscard]] uint32_t folderCount() const { return static_cast<uint32_t>(isoFolders_.size()); }
    /** Names of files in UDF: further names of a file count, as UDF 2.2.6.4 has it. */
    [[nodiscard]] uint32_t fileCount() const { return fileCount_; }
    /** The first sector of the files' bytes: where files without any point to. */
    [[nodiscard]] uint64_t dataStart() const { return dataStart_; }

  private:
    void checkEntries() const;
    void splitMuchLinked();
    void orderChildren();
    void nameForUdf(uint32_t folder);
    [[nodiscard]] std::string_view sortedBy(uint32_t entry) const;
    void nameForIso(uint32_t folder);
    void orderContents();
    void placeUdf();
    void placeIso();
    void placeData();
    void placeDataAt(const GivenPlaces& given);

    Entries entries_;
    ImageNames names_;
    std::vector<uint32_t> firstChild_;
    std::vector<uint32_t> children_;
    std::vector<uint32_t> isoChildren_;
    std::vector<Parts> parts_;
    /** By entry: the number of a folder in `isoFolders_`. */
    std::vector<uint32_t> folderAt_;
    std::vector<IsoFolder> isoFolders_;
    std::string identifiers_;
    std::vector<uint64_t> identifierAt_;
    std::unordered_map<uint32_t, std::string> mapped_;
    std::unordered_map<uint32_t, uint32_t> copies_;
    std::vector<uint32_t> udfOrder_;
    std::vector<uint32_t> dataOrder_;
    std::vector<uint32_t> isoOrder_;
    uint64_t pathTableSector_ = 0;
    uint64_t pathTableBytes_ = 0;
    uint64_t dataStart_ = 0;
    uint32_t fileCount_ = 0;
    uint64_t sectors_ = 0;
};

/** Extra blocks of a file entry whose allocation descriptors, for so many bytes, do not fit in. */
uint64_t allocationExtents(const Entry& entry, uint64_t bytes);

} // namespace stowage::discImage
