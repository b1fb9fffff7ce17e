#pragma once

#include "core/discImage/diskBytes.h"
#include "core/discImage/layout.h"

namespace stowage::discImage {

/** The sectors of folders in the ISO 9660 tree, with Rock Ridge 1.12 in the system use fields. */
class IsoFolderBytes {
  public:
    /**
     * Makes the records of a folder and their continuation, each of whole sectors. Lengths are the
     * same whatever the layout's places are.
     * @throws std::length_error for a link's target that Rock Ridge cannot hold
     */
    void make(const Layout& layout, uint32_t folder);

    [[nodiscard]] const Bytes& records() const { return records_; }
    [[nodiscard]] const Bytes& continuation() const { return continuation_; }

  private:
    /** The place of a record. */
    struct Extent {
        uint64_t sector = 0;
        uint64_t bytes = 0;
        uint8_t flags = 0;
    };
    void describe(const Layout& layout, uint32_t entry, bool isRootItself, bool isNamed);
    void addRecord(std::string_view identifier, const Extent& extent, Moment modified);
    void addFile(const Layout& layout, uint32_t entry);

    /** Fields that every record holds, and those that may stand in the continuation. */
    Bytes fixed_;
    Bytes free_;
    Bytes records_;
    Bytes continuation_;
    uint64_t continuationSector_ = 0;
};

/** The bytes of a path table with the numbers' low or high byte first. */
void addPathTable(const Layout& layout, bool isBigEndian, Bytes& to);
/** The length of one record in it. */
inline uint64_t pathRecordBytes(size_t identifierBytes) {
    return 8 + identifierBytes + identifierBytes % 2;
}

/** The two descriptors at sector 16. */
void addIsoDescriptors(const Layout& layout, Bytes& to);

} // namespace stowage::discImage
