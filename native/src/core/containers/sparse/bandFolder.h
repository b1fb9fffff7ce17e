#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/encryption/blockCipher.h"

#include <list>
#include <map>
#include <set>

namespace stowage::containers {

/** The files of a bundle's `bands` folder: which there are, and a few of them open. */
class BandFolder {
  public:
    /**
     * Lists the folder. Names that are no band's, such as those of other programs, are left alone.
     */
    BandFolder(platform::Handle folder, bool writable, std::shared_ptr<BlockCipher> cipher);

    [[nodiscard]] const std::set<uint64_t>& bands() const { return bands_; }
    /** The band's bytes, null if it has no file. Valid until another band is asked for. */
    ByteStore* find(uint64_t band);
    /** The same, made if it is missing. */
    ByteStore& make(uint64_t band);
    /** To be called after every change of a band. */
    void changed(uint64_t band) { unsynced_.insert(band); }
    void remove(uint64_t band);
    /** Returns when all changes are on the medium. */
    void flush();
    /** The bytes that all bands together occupy on the medium. */
    [[nodiscard]] uint64_t allocatedBytes() const;

  private:
    using Open = std::pair<uint64_t, std::unique_ptr<ByteStore>>;
    void list();
    ByteStore* open(uint64_t band, platform::Opening how);

    platform::Handle folder_;
    bool writable_;
    std::shared_ptr<BlockCipher> cipher_;
    std::set<uint64_t> bands_;
    std::list<Open> open_; // the one used last comes first
    std::map<uint64_t, std::list<Open>::iterator> openByBand_;
    std::set<uint64_t> unsynced_;
    bool namesChanged_ = false;
};

/** A band's file name: its number in small hexadecimal digits. */
std::string bandName(uint64_t band);

} // namespace stowage::containers
