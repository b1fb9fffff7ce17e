import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package of the registry for another system, unpacked below `cache` in a folder of its name and version, once. */
export async function unpacked(name: string, cache: string): Promise<string> {
  const place = join(cache, name)
  if (existsSync(place)) return place
  const partial = join(cache, 'unpacking')
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', partial, name])
  await run('tar', ['-xzf', join(partial, stdout.trim()), '-C', partial])
  mkdirSync(join(place, '..'), { recursive: true })
  renameSync(join(partial, 'package'), place)
  rmSync(partial, { recursive: true })
  return place
}

/** The package of lz4-napi's binary for a system, in the version that the lock of this system's packages names. */
export function lz4Package(system: string): string {
  const { version } = JSON.parse(readFileSync('node_modules/lz4-napi/package.json', 'utf8')) as {
    version: string
  }
  return `@antoniomuso/lz4-napi-${system}@${version}`
}
