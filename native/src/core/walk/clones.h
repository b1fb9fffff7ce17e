#pragma once

#include "platform/device.h"

#include <atomic>
#include <map>
#include <mutex>

namespace stowage {

/** Places that were seen, as intervals that neither overlap nor touch. */
class PlacesSeen {
  public:
    /** Adds [start, end) and returns how many of its bytes had been added before. */
    uint64_t add(uint64_t start, uint64_t end);
    [[nodiscard]] size_t intervals() const { return ends_.size(); }

  private:
    std::map<uint64_t, uint64_t> ends_;
};

/**
 * Counts cloned bytes: those that are in the same place of a file system as other bytes of the
 * files looked at, beyond the first, whatever the order. They are bytes on the disk (a file's last
 * block counts as a whole). A file that is shared only with something that is not looked at (a
 * snapshot, say) counts nothing. A file system that cannot share is asked once a device. Any
 * thread.
 */
class Clones {
  public:
    void look(const platform::Handle& file, const platform::FileFacts& facts);

    /**
     * Nothing if no file lies where content can be shared and the system says so, if it failed to
     * say so of one, or if there are more places than are kept (half a million intervals, some
     * 32 MiB).
     */
    [[nodiscard]] std::optional<uint64_t> bytes() const;

  private:
    static constexpr size_t mostIntervals = size_t{1} << 19U;

    std::optional<platform::ExtentSpace> spaceOf(const platform::Handle& file, uint64_t device);

    /**
     * The last device found unable: nearly all surveys need no more than this one comparison a
     * file.
     */
    std::atomic<uint64_t> unable_{UINT64_MAX};
    mutable std::mutex lock_;
    std::map<uint64_t, std::optional<platform::ExtentSpace>> spaces_;
    std::map<platform::ExtentSpace, PlacesSeen> seen_;
    uint64_t bytes_ = 0;
    bool asked_ = false;
    bool unknown_ = false;
};

} // namespace stowage
