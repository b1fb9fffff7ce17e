#include "core/containers/encryption/encryptionHeader.h"
#include "core/containers/sparse/bundleInfo.h"
#include "core/containers/sparse/plist.h"
#include "fuzzing.h"

using namespace stowage::fuzzing;

/** `Info.plist`, or, after a first byte that is odd, a token. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
    if (length == 0) return 0;
    try {
        if (bytes[0] % 2 != 0) {
            MemoryStore token(bytes + 1, length - 1);
            if (isEncrypted(token)) readEncryptionHeader(token);
            return 0;
        }
        const std::string text(reinterpret_cast<const char*>(bytes + 1), length - 1);
        parsePlist(text);
        const BundleInfo info = parseBundleInfo(text);
        const BundleInfo again = parseBundleInfo(bundleInfoPlist(info));
        if (again.bandBytes != info.bandBytes || again.diskBytes != info.diskBytes) __builtin_trap();
    } catch (const ContainerError&) { // what every wrong file ends in
    }
    return 0;
}
