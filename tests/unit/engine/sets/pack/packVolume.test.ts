import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import type { Made } from '../../../../../src/engine/sets/pack/container'
import { writeMade } from '../../../../../src/engine/sets/pack/packManifest'
import { type PackTask, packVolume } from '../../../../../src/engine/sets/pack/packSet'
import { sha256 } from '../../../../support/volumeFolders'

const directory = mkdtempSync(join(tmpdir(), 'stowage-pack-volume-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('an older record of a volume is gone before its new files come', async () => {
  const source = join(directory, 'source')
  const work = join(directory, 'work')
  mkdirSync(source)
  mkdirSync(join(work, '1'), { recursive: true })
  writeFileSync(join(source, 'a'), 'content')
  const entry: PlanEntry = {
    kind: 'file',
    path: 'a',
    source: join(source, 'a'),
    bytes: 7,
    sha256: sha256(Buffer.from('content')),
  }
  // Of files that are not as recorded any more, so they are made again.
  const older: Made = {
    files: [{ path: 'a.zst', bytes: 1, sha256: '', identity: '' }],
    folders: [],
    members: [],
  }
  await writeMade(work, 1, older)
  const plan = {
    roots: [source],
    medium: { kind: 'folder' },
    mastering: { volumeDateWallMs: 0 },
    packing: { recipe: 'files-zstd-3', encryption: 'none', arrangement: 'independent' },
  }
  const task = {
    folder: { directory, plan, lists: 'volumes' },
    planned: [[entry]],
    room: 1e6,
    catalog: {
      notePlace: () => ({}),
      placeGone: () => undefined,
      ownPlaces: () => ({ dataFolder: directory, plans: [] }),
    },
    password: null,
    context: { signal: new AbortController().signal, progress: () => undefined },
  } as unknown as PackTask
  const volume = { index: 1, stem: '', members: [entry], isWhole: true, onBytes: () => undefined }
  // As if the process was killed when it moves what was made to its place.
  const killed = packVolume(task, volume, () => {
    const making = readdirSync(work).find((name) => name.startsWith('.making')) ?? ''
    rmSync(join(work, making, 'made'), { recursive: true })
  })
  await expect(killed).rejects.toThrow()
  expect(existsSync(join(work, '1.jsonl'))).toBe(false)
})
