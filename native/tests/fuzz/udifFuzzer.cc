#include "core/containers/compressed/compressedImage.h"
#include "fuzzing.h"

using namespace stowage::fuzzing;

/** A whole UDIF image: trailer, property list, block tables, chunks. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
    try {
        CompressedImage disk(std::make_unique<MemoryStore>(bytes, length), std::nullopt);
        disk.info();
        if (disk.bytes() <= (uint64_t{1} << 24U)) {
            Task task;
            disk.verify(task);
        }
        readHereAndThere(disk);
    } catch (const ContainerError&) { // what every wrong image ends in
    }
    return 0;
}
