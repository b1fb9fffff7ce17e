#pragma once

#include "platform/fileSystem.h"

#include <string>

namespace stowage {

/**
 * Why something was left out. The names given by `skipCodeName` are those of the application's
 * closed list of codes.
 */
enum class SkipCode : unsigned char {
    permissionDenied,
    vanished,
    changed,
    io,
    specialFile,
    symlinkLoop,
    notFound,
    refused,
    cancelled,
    onlyInCloud,
};

struct Skip {
    SkipCode code = SkipCode::io;
    /** A few plain words, without the object's name. */
    std::string cause;
};

const char* skipCodeName(SkipCode code);

/** A file or folder whose content is elsewhere: opening it would fetch it. */
Skip skipForCloud();

/** Something that is neither file, folder nor link. */
Skip skipForSpecial(const platform::FileFacts& facts);

/** The skip for a failed system call. */
Skip skipFor(int error);

} // namespace stowage
