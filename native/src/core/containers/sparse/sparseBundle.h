#pragma once

#include "core/containers/container.h"
#include "core/containers/sparse/bandFolder.h"
#include "core/containers/sparse/bundleInfo.h"

namespace stowage::containers {

/** UDSB: a folder with one file for each band that was ever written. */
class SparseBundle : public Container {
  public:
    /** Opens what is in the folder; `lock` is the file whose lock keeps others out. */
    SparseBundle(platform::Handle folder, platform::Handle lock, bool writable,
                 std::shared_ptr<BlockCipher> cipher, std::optional<EncryptionFacts> encryption);
    /**
     * Fills an empty folder; returns when it is on the medium. `token` is the encryption header or
     * empty.
     */
    static void format(const platform::Handle& folder, const BundleInfo& info,
                       const std::vector<uint8_t>& token);
    /**
     * Reads `Info.plist`, or its copy `Info.bckup` when that is missing or damaged; `copyUsed`
     * tells.
     */
    static BundleInfo readInfo(const platform::Handle& folder, bool& copyUsed);

    [[nodiscard]] ContainerInfo info() const override;
    [[nodiscard]] uint64_t bytes() const override { return info_.diskBytes; }
    void flush() override;
    void compact(Task& task) override;
    VerifyReport verify(Task& task) override;
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override;

  protected:
    void readRange(uint64_t offset, uint8_t* into, size_t length) override;
    void writeRange(uint64_t offset, const uint8_t* from, size_t length) override;
    void changeSize(uint64_t bytes, Task& task) override;
    [[nodiscard]] bool isWritable() const override { return writable_; }

  private:
    /**
     * Lets the system fetch what a reader that goes on as before will want next: it cannot see from
     * one band that the next one follows.
     */
    void fetchAhead(uint64_t offset, size_t length);
    /**
     * Brings `Info.bckup` up to date after a change that was interrupted, and removes what it left.
     */
    void repairCopy();
    void dropBehind(uint64_t end);
    uint64_t contentOf(ByteStore& band) const;

    platform::Handle folder_;
    platform::Handle lock_;
    bool writable_;
    bool copyUsed_ = false;
    BundleInfo info_;
    BandFolder bands_;
    uint64_t readUpTo_ = 0;
    uint64_t fetchedUpTo_ = 0;
    std::optional<EncryptionFacts> encryption_;
};

} // namespace stowage::containers
