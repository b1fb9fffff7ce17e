#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * protectFiles(paths, offsets, lengths, firstBlocks, blockBytes, exponents, threads): the checks
 * and recovery blocks of PAR2. Paths as bytes; the other columns are three Float64Arrays and a
 * Uint16Array. Gives {cancel(), finished, bytesDone()}; the promise is of {cancelled, failure,
 * files, blocks, writeRecovery}, where `files` has 32 bytes for each file (MD5 of it and of its
 * first 16 KiB), `blocks` 20 for each block in the order of files (MD5, CRC-32), and
 * writeRecovery(output, heads, frame) writes packets and gives {cancel(), finished, bytesDone()},
 * whose promise is of {cancelled, error}.
 */
Napi::Value protectFiles(const Napi::CallbackInfo& info);

/**
 * md5Ranges(paths, offsets, lengths): MD5 of parts of files; an array of paths as bytes and two
 * Float64Arrays. Gives {cancel(), finished, bytesDone()}, the promise of {cancelled, failure, md5},
 * 16 bytes for each part.
 */
Napi::Value md5Ranges(const Napi::CallbackInfo& info);

/**
 * repairBlocks(paths, offsets, lengths, {blockBytes, numbers, inputs, lost, lostBytes}, output,
 * threads): calculates lost blocks and writes their bytes one after another. The first `inputs`
 * items of the columns are input blocks, the others recovery blocks with their exponents; numbers
 * are Float64Arrays. Gives {cancel(), finished, bytesDone()}, the promise of {cancelled, solvable,
 * failure, error, blocks}, where `blocks` has 20 bytes for each lost block, as above.
 */
Napi::Value repairBlocks(const Napi::CallbackInfo& info);

} // namespace stowage::binding
