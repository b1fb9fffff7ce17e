import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseRecipe, type Recipe } from '../../../../../src/domain/options/recipes/recipe'
import { requireMade } from '../../../../../src/engine/options/builders/requireMade'
import { temporaryFolder } from '../../../../support/archiveRun'

const folder = temporaryFolder('made')
afterAll(() => folder.dispose())

const SEVEN_ZIP = Buffer.from('377abcaf271c0004', 'hex')
const KOLY = Buffer.concat([Buffer.alloc(100), Buffer.from('koly'), Buffer.alloc(508)])
const ISO = Buffer.concat([Buffer.alloc(32_769), Buffer.from('CD001')])
const files = [{ source: '/a', path: 'a', bytes: 1, digest: null }]
const archives = [{ path: 'a.gz', files: [{ path: 'a', name: 'a' }] }]

/** What a build left below its path; a file at the path itself has no name. */
type Left = Readonly<Record<string, Uint8Array | string>>

test.each<[string, Left, string | null, object?]>([
  ['7z-files', { '': SEVEN_ZIP }, null],
  ['7z-files', {}, 'made no made'],
  ['7z-files', { '': 'not 7z' }, 'made is not of that format'],
  ['7z-files', { '': '' }, 'made is not of that format'],
  ['tar-zst-19-4m-path', { '': Buffer.from('28b52ffd', 'hex') }, null],
  ['tar-zst-19-4m-path', { '': SEVEN_ZIP }, 'made is not of that format'],
  ['squashfs-lz4-1m', { '': 'hsqs' }, null],
  ['squashfs-lz4-1m', { '': 'hsq' }, 'made is not of that format'],
  ['iso', { '': ISO }, null],
  ['iso', { '': ISO.subarray(0, -1) }, 'made is not of that format'],
  ['udzo', { '': KOLY }, null],
  ['udzo', { '': 'encrcdsa' }, null],
  ['udzo', { '': KOLY.subarray(1, -1) }, 'made is not of that format'],
  ['borg-1-none', { config: 'x', 'data/0/1': 'x' }, null],
  ['borg-1-none', { config: 'x' }, 'the repository has no data'],
  ['borg-1-none', { config: '', 'data/0/1': 'x' }, 'the repository has no config'],
  ['restic-off', { config: 'x', 'keys/1': 'x', 'snapshots/1': 'x' }, null],
  ['restic-off', { config: 'x', 'keys/1': 'x' }, 'the repository has no snapshots'],
  ['files-gzip-9', { 'a.gz': 'x' }, null, { archives }],
  ['files-gzip-9', { 'b.gz': 'x' }, 'made no a.gz', { archives }],
  ['files-gzip-9', {}, 'a is in no container', { archives: [] }],
  ['plain', {}, null],
])('a build of %s that left %j is checked: %s', (variant, left, because, more = {}) => {
  const path = join(mkdtempSync(join(folder.path, 'one-')), 'made')
  for (const [name, content] of Object.entries(left)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(name === '' ? path : join(path, name), content)
  }
  const check = (): void =>
    requireMade({ recipe: parseRecipe(variant) as Recipe, path, files }, { tool: 'packer', ...more })
  if (because === null) check()
  else
    expect(check).toThrow(
      expect.objectContaining({
        code: 'tool-failed',
        message: `cannot build ${variant}: packer reported success, but ${because}`,
      }),
    )
})
