import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TARGETS, ZIG, ZIG_VERSION } from './targets.mjs'

/** Zig's own Clang, linker and archiver, under the names that CMake and OpenSSL's configuration expect. */
const PROGRAMS = { cc: 'cc -target', 'c++': 'c++ -target', ar: 'ar', ranlib: 'ranlib' }

/**
 * Installs Zig from its Python wheel into the cache, with a folder of compilers for each target that it builds.
 * @throws StepFailure if pip cannot fetch it.
 */
export async function ensureZig(runner) {
  if (existsSync(ZIG)) return
  const partial = `${ZIG}.partial`
  rmSync(partial, { recursive: true, force: true })
  await runner.step(`Zig ${ZIG_VERSION} installed`, () =>
    runner.command(
      'zig',
      'pip3',
      ['install', '--no-deps', '--no-input', '--target', partial, `ziglang==${ZIG_VERSION}`],
      { what: 'pip3 install ziglang' },
    ),
  )
  for (const { zig } of Object.values(TARGETS)) {
    if (zig === undefined) continue
    mkdirSync(join(partial, zig))
    for (const [name, does] of Object.entries(PROGRAMS)) {
      const file = join(partial, zig, name)
      const target = does.endsWith('-target') ? ` ${zig}` : ''
      writeFileSync(file, `#!/bin/sh\nexec "\${0%/*}/../ziglang/zig" ${does}${target} "$@"\n`)
      chmodSync(file, 0o755)
    }
  }
  renameSync(partial, ZIG)
}
