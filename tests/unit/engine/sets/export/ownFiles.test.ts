import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { scriptAndTextBytes } from '../../../../../src/engine/sets/export/volumeTexts'
import { writeVolumes } from '../../../../../src/engine/sets/export/writeVolumes'
import { plannedVolumes } from '../../../../../src/engine/sets/volume/planned/plannedVolume'

const folder = mkdtempSync(join(tmpdir(), 'stowage-own-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SHA256 = 'ab'.repeat(32)
const METHODS = ['7z-files', 'tar.zst-3', 'borg-1-zstd-3', 'restic-auto', 'squashfs-zstd-128k', 'udzo']
const IN_SECTORS = new Set(['README.txt', 'RESTORE.txt', 'RESTORE.sh', 'REJOIN.sh'])

/** A cut file, and one for every method: texts and scripts name all that they can. */
const entries: PlanEntry[] = [
  ...METHODS.map(
    (method): PlanEntry => ({
      kind: 'file',
      path: method,
      source: `/s/${method}`,
      bytes: 1,
      sha256: SHA256,
      method,
    }),
  ),
  {
    kind: 'part',
    path: 'big.001',
    source: '/s/big',
    bytes: 300,
    sha256: SHA256,
    offset: 0,
    part: 1,
    parts: 2,
    wholePath: 'big',
    wholeBytes: 1000,
    wholeSha256: SHA256,
  },
]

test.each([
  { medium: 'bd-r-25', roots: ['/s'] },
  { medium: 'bd-r-25', roots: ['a', 'ä', '€'].map((letter) => `/home/${letter.repeat(900)}`) },
  { medium: 'folder:25GB', roots: ['/s'] },
  {
    medium: 'bd-r-25',
    roots: ['a', 'ä', '€'].map((letter) => `/home/${letter.repeat(900)}`),
    language: 'de' as const,
  },
])('a plan for $medium keeps room for all of its texts and scripts', async ({ medium, ...given }) => {
  const place = mkdtempSync(join(folder, 'plan-'))
  const plan = {
    id: 'p-0123456789ab',
    createdWallMs: 0,
    ...given,
    medium: resolveMedium(mediaCatalogue, medium),
    mastering: { tool: 'stowage', version: '0.2.0', volumeDateWallMs: 0 },
  }
  const volumes = plannedVolumes([{ index: 1, label: 'PHOTOS_01' }], 'STOWAGE', () => entries)
  const written = await writeVolumes(place, plan, volumes)
  const own = written.volumes[0]?.lists.filter(({ path }) => IN_SECTORS.has(basename(path))) ?? []
  expect(own).toHaveLength(IN_SECTORS.size)
  const bytes = own.reduce((sum, list) => sum + 2048 * Math.ceil(list.bytes / 2048), 0)
  expect(bytes).toBeLessThanOrEqual(scriptAndTextBytes(given.roots))
})
