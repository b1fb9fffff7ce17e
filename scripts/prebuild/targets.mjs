import { join } from 'node:path'
import { CACHE } from '../bootstrap/paths.mjs'

/** The version of Zig's wheel on PyPI. It brings Clang, lld and the headers of the systems that it builds for. */
export const ZIG_VERSION = '0.17.1'

/**
 * The platforms that the addon is built for, by Node's names for platform and architecture, which CMake's presets have too.
 * Its static libraries: Debian's binary packages of `debian`, or Debian's sources configured for OpenSSL as `openssl`.
 * `zig` is what Zig builds for, `prefix` another cross compiler; without either it is this system's own.
 */
export const TARGETS = {
  'linux-x64': { debian: 'amd64' },
  'linux-arm64': { debian: 'arm64', zig: 'aarch64-linux-gnu.2.31' },
  'win32-x64': { openssl: 'mingw64', prefix: 'x86_64-w64-mingw32-' },
  'darwin-arm64': { openssl: 'darwin64-arm64-cc', zig: 'aarch64-macos.13.0' },
  'darwin-x64': { openssl: 'darwin64-x86_64-cc', zig: 'x86_64-macos.13.0' },
}

/** Where Zig and its compilers for each target are: native/toolchains/zig.cmake names the same folder. */
export const ZIG = join(CACHE, `zig-${ZIG_VERSION}`)

/** Where the libraries of a target are, with `include` and `lib`: the presets name the same folder. */
export function librariesOf(target) {
  return join(CACHE, 'libraries', target)
}

/** The programs of a target's toolchain. */
export function toolsOf({ zig, prefix }) {
  if (zig === undefined) return { cc: `${prefix}gcc-posix`, ar: `${prefix}ar`, ranlib: `${prefix}ranlib` }
  const folder = join(ZIG, zig)
  return { cc: join(folder, 'cc'), ar: join(folder, 'ar'), ranlib: join(folder, 'ranlib') }
}
