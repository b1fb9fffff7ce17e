#pragma once

#include "core/containers/container.h"

#include <napi.h>

#include <memory>

namespace stowage::binding {

/** A container as JavaScript has it: info, read, write, flush, resize, compact, verify, pass,
 * close; each gives a
 * job. */
Napi::Value containerObject(Napi::Env env, std::unique_ptr<containers::Container> container);

/** {keyBits, blockBytes, rounds, current} or null. */
Napi::Value encryptionObject(Napi::Env env, const std::optional<containers::EncryptionFacts>& facts);

} // namespace stowage::binding
