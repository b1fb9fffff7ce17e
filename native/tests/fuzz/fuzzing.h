#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/container.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace stowage::fuzzing {

using namespace stowage::containers;

/** An image in memory. */
class MemoryStore : public ByteStore {
  public:
    MemoryStore(const uint8_t* bytes, size_t length) : content_(bytes, bytes + length) {}
    [[nodiscard]] uint64_t bytes() const override { return content_.size(); }
    void read(uint64_t offset, uint8_t* into, size_t length) override {
        if (offset > content_.size() || length > content_.size() - offset) damaged("cut off");
        if (length > 0) std::memcpy(into, content_.data() + offset, length);
    }
    void write(uint64_t offset, const uint8_t* from, size_t length) override {
        if (offset + length > content_.size()) resize(offset + length);
        std::memcpy(content_.data() + offset, from, length);
    }
    void resize(uint64_t bytes) override {
        if (bytes > (uint64_t{1} << 26U)) fail(Fault::noSpace, "enough");
        content_.resize(bytes);
    }
    void beginFlush() override {}
    void flush() override {}
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override {
        start = std::min<uint64_t>(offset, content_.size());
        end = content_.size();
    }
    bool punch(uint64_t /*offset*/, uint64_t /*length*/) override { return false; }
    void expectReading(uint64_t /*offset*/, uint64_t /*length*/) override {}
    [[nodiscard]] uint64_t allocatedBytes() const override { return content_.size(); }

  private:
    std::vector<uint8_t> content_;
};

/** Reads at both ends and in the middle, and walks over what is stored. */
inline void readHereAndThere(Container& disk) {
    std::vector<uint8_t> some(70000);
    const uint64_t bytes = disk.bytes();
    for (const uint64_t offset : {uint64_t{0}, bytes / 2, bytes - std::min<uint64_t>(bytes, some.size())}) {
        disk.read(offset, some.data(), static_cast<size_t>(std::min<uint64_t>(some.size(), bytes - offset)));
    }
    uint64_t start = 0;
    uint64_t end = 0;
    unsigned steps = 0;
    for (disk.nextData(0, start, end); start < end && steps < 2000; disk.nextData(end, start, end)) {
        if (end > bytes) __builtin_trap();
        ++steps;
    }
}

} // namespace stowage::fuzzing
