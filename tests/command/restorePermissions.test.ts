import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { stowage } from '../fixtures/stowageCommand'
import { addStowageFolders, sha256, type VolumeFolder } from '../support/volumeFolders'

let folder: string
let to: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-restore-permissions-'))
  to = join(folder, 'restored')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Volumes with files of some content each, by their paths and permissions. */
function volumesOf(...all: readonly (readonly (readonly [path: string, mode: number])[])[]): string[] {
  const volumes = all.map((files, at): VolumeFolder => {
    const path = join(folder, `volume ${at + 1}`)
    const entries = files.flatMap(([name, mode]): PlanEntry[] => {
      if (name.endsWith('/')) return [{ kind: 'folder', path: name.slice(0, -1), source: '/s', mode }]
      const mtimeNs = '1000000000000000000'
      const content = Buffer.from(`the content of ${name}`)
      mkdirSync(join(path, name, '..'), { recursive: true })
      writeFileSync(join(path, name), content)
      return [
        {
          kind: 'file',
          path: name,
          source: '/s',
          bytes: content.length,
          sha256: sha256(content),
          mode,
          mtimeNs,
        },
      ]
    })
    return { path, entries }
  })
  addStowageFolders(volumes)
  return volumes.map(({ path }) => path)
}

/** Root may pass over permissions, which nobody else may. */
const restore = async (...volumes: string[]) => {
  const end = await stowage(['restore', ...volumes, '--to', to, '--json'], {
    home: join(folder, 'home'),
    withoutOverride: process.getuid?.() === 0,
  })
  return { code: end.code, stderr: end.stderr, document: JSON.parse(end.stdout || 'null') }
}

const modeOf = (name: string): number => statSync(join(to, name)).mode & 0o7777

test('a file that its owner may not read is restored, and does not keep the others', async () => {
  const volumes = volumesOf([
    ['closed', 0],
    ['other', 0o640],
    ['write only', 0o200],
  ])
  expect(await restore(...volumes)).toMatchObject({ code: 0, document: { restored: 3, kept: 0 } })
  expect(['closed', 'other', 'write only'].map(modeOf)).toEqual([0, 0o640, 0o200])
  // Again: it is proved by its content.
  expect(await restore(...volumes)).toMatchObject({ code: 0, document: { restored: 0, kept: 3 } })
  expect(['closed', 'other', 'write only'].map(modeOf)).toEqual([0, 0o640, 0o200])
})

test('a read-only folder that an earlier disc has filled takes the files of the next one', async () => {
  const [first = '', second = ''] = volumesOf(
    [
      ['a/', 0o555],
      ['a/b/', 0o500],
      ['a/b/1', 0o444],
    ],
    [
      ['a/', 0o555],
      ['a/b/', 0o500],
      ['a/b/2', 0o444],
      ['a/3', 0o444],
    ],
  )
  expect(await restore(first)).toMatchObject({ code: 3, document: { restored: 1 } })
  expect(['a', 'a/b'].map(modeOf)).toEqual([0o555, 0o500])
  expect(await restore(second)).toMatchObject({ code: 0, document: { restored: 2, damaged: [] } })
  expect(['a', 'a/b'].map(modeOf)).toEqual([0o555, 0o500])
  expect(readFileSync(join(to, 'a/b/2'), 'utf8')).toBe('the content of a/b/2')
})
