import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BuildPlace, buildPlace, failureOf, writeNoise } from '../../support/builtOption'
import { smallDisk } from '../../support/smallDisk'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

it('a build on a full disk reports the full disk', { tags: 'long' }, async (context) => {
  const disk = smallDisk(place.folder, 4)
  if (typeof disk === 'string') {
    context.skip(disk)
    return
  }
  try {
    writeNoise(place.source, 'noise', disk.free + 200_000)
    for (const variant of [
      'plain',
      'iso',
      'files-gzip-6',
      'files-lz4',
      '7z-files',
      'squashfs-lz4-1m',
      'restic-off',
    ]) {
      const failure = await failureOf(place.build(variant, { path: join(disk.path, variant) }))
      expect(`${variant}: ${failure.code}`).toBe(`${variant}: no-space`)
      for (const name of readdirSync(disk.path)) rmSync(join(disk.path, name), { recursive: true })
    }
  } finally {
    disk.unmount()
  }
})
