import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { givenVolume } from '../../../../../../src/engine/sets/volume/open/givenVolumes'
import { openVolumes } from '../../../../../../src/engine/sets/volume/open/openVolumes'
import { addStowageFolders, entriesBelow, OWN_FOLDER } from '../../../../../support/volumeFolders'

const root = mkdtempSync(join(tmpdir(), 'stowage-given-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function volumeOf(name: string, file: string): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, file), file)
  addStowageFolders([{ path, entries: entriesBelow(path) }])
  return path
}

test.each(['A copied disc', 'Z copied disc'])(
  'the index of a volume is its own, not that of a disc copied into its source: %s',
  async (name) => {
    const old = volumeOf(`old ${name}`, 'old file')
    const path = join(root, name)
    mkdirSync(path)
    cpSync(join(old, OWN_FOLDER), join(path, name), { recursive: true })
    volumeOf(name, 'new file')
    const [files] = await openVolumes(path, 'restore from', () => {})
    if (files === undefined) throw new Error('no volume')
    const volume = await givenVolume({ ...files, topFolders: files.topFolders.toSorted() }, 'restore from')
    expect(volume.own).toBe(OWN_FOLDER)
    const paths = volume.index.rows.map((row) => row.path)
    expect(paths).toEqual(expect.arrayContaining(['new file', `${name}/INDEX.tsv`]))
    expect(paths).not.toContain('old file')
  },
)
