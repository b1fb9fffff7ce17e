#pragma once

#include <string>
#include <string_view>

namespace stowage::containers {

/** Decodes base64 (RFC 4648), white space ignored. @throws ContainerError `bad-input` */
std::string fromBase64(std::string_view text);

/** Encodes bytes, without line ends. */
std::string toBase64(std::string_view bytes);

} // namespace stowage::containers
