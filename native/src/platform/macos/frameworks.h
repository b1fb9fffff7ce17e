#pragma once

#include <cstdint>

namespace stowage::platform {

// Types of CoreFoundation and IOKit, as their documentation declares them: the frameworks' headers
// come with Xcode alone, while the addon is compiled on other systems too.
using CFTypeRef = const void*;
using CFIndex = long;           // NOLINT(google-runtime-int): their declaration
using CFTypeID = unsigned long; // NOLINT(google-runtime-int)
using Service = uint32_t;

/**
 * The functions of CoreFoundation and IOKit that are used, resolved when the program runs; so the
 * addon names no framework in its load commands.
 */
struct Frameworks {
    void (*release)(CFTypeRef);
    CFTypeID (*typeOf)(CFTypeRef);
    CFTypeID (*stringType)();
    CFTypeID (*dictionaryType)();
    CFTypeID (*numberType)();
    CFTypeRef (*makeString)(CFTypeRef allocator, const char* text, uint32_t encoding);
    unsigned char (*textOf)(CFTypeRef string, char* into, CFIndex bytes, uint32_t encoding);
    CFTypeRef (*valueOf)(CFTypeRef dictionary, const void* key);
    unsigned char (*numberOf)(CFTypeRef number, CFIndex type, void* into);
    CFTypeRef (*matchingName)(uint32_t port, uint32_t options, const char* name);
    Service (*matchingService)(uint32_t port, CFTypeRef matching);
    CFTypeRef (*property)(Service entry, const char* plane, CFTypeRef key, CFTypeRef allocator,
                          uint32_t options);
    int (*releaseObject)(Service object);
};

/** Null where one of them is missing. */
const Frameworks* frameworks();

} // namespace stowage::platform
