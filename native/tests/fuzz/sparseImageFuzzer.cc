#include "core/containers/sparse/sparseImage.h"
#include "fuzzing.h"

using namespace stowage::fuzzing;

/** A whole sparse image: header, tables, bands; read, and written to as well. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
    for (const bool writable : {false, true}) {
        try {
            SparseImage disk(std::make_unique<MemoryStore>(bytes, length), writable, std::nullopt);
            readHereAndThere(disk);
            if (!writable || disk.info().bandBytes > (1U << 20U)) continue;
            const std::vector<uint8_t> ones(3000, 1);
            disk.write(disk.bytes() / 3, ones.data(),
                       static_cast<size_t>(std::min<uint64_t>(3000, disk.bytes() / 2)));
            Task task;
            disk.flush();
            disk.compact(task);
            std::vector<uint8_t> got(static_cast<size_t>(std::min<uint64_t>(3000, disk.bytes() / 2)));
            disk.read(disk.bytes() / 3, got.data(), got.size());
            if (std::any_of(got.begin(), got.end(), [](uint8_t byte) { return byte != 1; })) __builtin_trap();
        } catch (const ContainerError&) { // what every wrong image ends in
        }
    }
    return 0;
}
