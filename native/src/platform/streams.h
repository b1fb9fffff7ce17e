#pragma once

#include <cstddef>
#include <cstdint>

/**
 * All that the pipe asks of an operating system: streams of bytes that are open already, such as
 * stdin and stdout, and memory for a ring. A result of type `int` is 0 or an errno value.
 */
namespace stowage::platform {

/** How long one call may wait for a stream at most, so that a cancelled pipe ends soon. */
constexpr int streamWaitMs = 100;

/**
 * A stream in use, which stays open. A pipe's own buffer is made as large as the system allows
 * everybody, and it takes and gives what it can instead of waiting, so that a side can be
 * cancelled; its way of waiting is put back with the object. One thread at a time.
 */
class StreamInUse {
  public:
    explicit StreamInUse(int descriptor);
    StreamInUse(const StreamInUse&) = delete;
    StreamInUse& operator=(const StreamInUse&) = delete;
    StreamInUse(StreamInUse&&) = delete;
    StreamInUse& operator=(StreamInUse&&) = delete;
    ~StreamInUse();

    /**
     * Reads what is there, up to `length` bytes. `got` is 0 and `ended` true at the end of the
     * stream; `got` is 0 and `ended` false when nothing came within `streamWaitMs`.
     */
    int read(uint8_t* data, size_t length, size_t& got, bool& ended) const;
    /** Writes what the stream takes, up to `length` bytes; `put` is 0 when it took nothing within
     * `streamWaitMs`. EPIPE when nobody reads it any more. */
    int write(const uint8_t* data, size_t length, size_t& put) const;

  private:
    int descriptor_;
    /** A call returns at once when nothing can be moved. */
    bool returnsAtOnce_ = false;
    int flagsBefore_ = -1;
};

/** A pipe that programs started later do not inherit; its ends are to be closed. */
int openPipe(int& readEnd, int& writeEnd);

/** Memory of whole pages, zeroed, given back with the object. */
class RingMemory {
  public:
    RingMemory() = default;
    RingMemory(const RingMemory&) = delete;
    RingMemory& operator=(const RingMemory&) = delete;
    RingMemory(RingMemory&&) = delete;
    RingMemory& operator=(RingMemory&&) = delete;
    ~RingMemory();

    int allocate(size_t bytes);
    /** Keeps it from being swapped out; false where the system or its limit does not allow that. */
    bool lock() const;
    [[nodiscard]] uint8_t* data() const { return data_; }
    [[nodiscard]] size_t bytes() const { return bytes_; }

  private:
    uint8_t* data_ = nullptr;
    size_t bytes_ = 0;
};

} // namespace stowage::platform
