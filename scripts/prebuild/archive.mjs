import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../bootstrap/paths.mjs'
import { addonPlace, archiveName, SUMS } from '../bootstrap/prebuiltAddon.mjs'
import { librariesOf } from './targets.mjs'

/** Same order, owners, times and rights whoever packs: equal addons give equal archives. */
const SAME = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=0644']

/**
 * Packs a target's addon with the versions of its libraries.
 * @returns {string} the archive's path
 */
export function packAddon(target, into) {
  const archive = join(into, archiveName(target))
  mkdirSync(into, { recursive: true })
  pack(
    {
      'libraries.json': join(librariesOf(target), 'versions.json'),
      'stowage.node': join(ROOT, addonPlace(target)),
    },
    archive,
  )
  return archive
}

/** Packs files under the given names. */
export function pack(files, archive) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-archive-'))
  try {
    for (const [name, path] of Object.entries(files)) copyFileSync(path, join(folder, name))
    const argv = [...SAME, '-C', folder, '-cf', '-', ...Object.keys(files).toSorted()]
    writeFileSync(archive, gzipSync(execFileSync('tar', argv, { maxBuffer: 1 << 30 }), { level: 9 }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Lists the digests of all archives of a folder. */
export function writeSums(folder) {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.tar.gz'))
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, SUMS), lines.join(''))
}
