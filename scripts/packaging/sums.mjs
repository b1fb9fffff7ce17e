import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ENDINGS = ['.deb', '.rpm', '.AppImage', '.zip', '.exe', '.cdx.json']

/** The packages of a version in a folder: name, bytes and SHA-256, by name. */
export function packagesIn(folder, version) {
  return readdirSync(folder)
    .filter((name) => name.includes(version) && ENDINGS.some((ending) => name.endsWith(ending)))
    .toSorted()
    .map((name) => {
      const file = join(folder, name)
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
      return { name, bytes: statSync(file).size, sha256 }
    })
}

/**
 * Writes SHA256SUMS for all packages of a version in a folder.
 * @returns {string[]} one line a package, with its size
 */
export function writeSums(folder, version) {
  const packages = packagesIn(folder, version)
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    packages.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''),
  )
  return packages.map(({ name, bytes }) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`)
}
