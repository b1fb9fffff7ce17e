import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { WrittenTo } from '../../src/contract/dto/copies'
import type { writeRequestSchema } from '../../src/contract/dto/run'
import { type FileSystems, fileSystems } from '../../src/engine/files/fileSystems'
import { apart } from '../../src/engine/sets/copies/apart'
import { writtenTo } from '../../src/engine/sets/copies/writtenTo'
import { AppError } from '../../src/primitives/appError'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { folderOnOtherDisk } from '../support/otherDisk'
import { smallDisk } from '../support/smallDisk'
import { makeFolder } from '../support/smallSource'

let folder: ReturnType<typeof temporaryFolder>
let here: string
/** On another disk. */
let away: string
let bench: Bench
let planId: string
beforeEach(async () => {
  folder = temporaryFolder('copies')
  here = realpathSync(folder.path)
  away = folderOnOtherDisk(here)
  makeFolder(at('source'), ['1', '2', '3'], 60_000)
  bench = openBench(at('home'))
  const surveyId = await bench.survey([at('source')], { sha256: true })
  planId = (await bench.plan(surveyId, 'custom:3MB', { labelPrefix: 'V' })).id
  await bench.export(planId, at('plan'))
  expect((await bench.build(at('plan'))).error).toBeNull()
})
afterEach(() => {
  bench.close()
  folder.dispose()
  rmSync(away, { recursive: true, force: true })
})

const at = (name: string): string => join(here, name)

type Written = Partial<z.input<typeof writeRequestSchema>>

/** The message of the failure of a copy into a folder; null where it was written. */
async function written(to: string, more: Written = {}): Promise<string | null> {
  const asked = { directory: at('plan'), folder: to, ...more }
  const refused = await bench.write(asked).then(
    ({ error }) => error,
    (thrown: unknown) => AppError.from(thrown),
  )
  return refused?.message ?? null
}

describe('the first of two copies is refused before anything is written where the second one', () => {
  test('goes to the same folder, by whatever path', async () => {
    mkdirSync(at('shelf'))
    symlinkSync(at('shelf'), at('link'))
    for (const nextFolder of [at('shelf'), at('link')])
      expect(await written(at('shelf'), { nextFolder })).toBe(
        `cannot write copy 2 to ${nextFolder}: copy 1 is written there; choose another folder`,
      )
    expect(existsSync(at('shelf/V_01.iso'))).toBe(false)
  })

  test('goes to a file', async () => {
    writeFileSync(at('file'), '')
    expect(await written(at('shelf'), { nextFolder: at('file') })).toBe(
      `cannot write copy 2 to ${at('file')}: it is not a folder`,
    )
    expect(existsSync(at('shelf'))).toBe(false)
  })

  test('has space for one copy alone and the first one goes there too', async ({ skip }) => {
    const disk = smallDisk(here, 8)
    if (typeof disk === 'string') return skip(disk)
    try {
      const bytes = statSync(at('plan/images/01.iso')).size
      const nextFolder = join(disk.path, 'second')
      mkdirSync(nextFolder)
      writeFileSync(join(disk.path, 'other'), Buffer.alloc(disk.free - Math.round(1.5 * bytes)))
      // One copy has space there, two have not.
      mkdirSync(join(disk.path, 'first'))
      expect(await written(join(disk.path, 'first'), { nextFolder })).toMatch(
        /^cannot write copy 2 to .*second: .* needed, .* free$/,
      )
      expect(existsSync(join(disk.path, 'first/V_01.iso'))).toBe(false)
      expect(await written(at('shelf'), { nextFolder })).toBeNull()
    } finally {
      disk.unmount()
    }
  })

  test('goes to the folder of a third one', async () => {
    expect(await written(at('attic'), { copy: 3 })).toBeNull()
    expect(await written(at('shelf'), { nextFolder: at('attic') })).toBe(
      `cannot write ${at('attic/V_01.iso')}: it is copy 3 of V_01; choose another folder`,
    )
    expect(existsSync(at('shelf'))).toBe(false)
    expect(await written(at('shelf'), { nextFolder: at('attic'), nextCopy: 3 })).toBeNull()
    expect(existsSync(at('shelf/V_01.iso'))).toBe(true)
  })
})

test('two folders are one, on one disk, or on two', async () => {
  for (const name of ['one', 'other']) mkdirSync(at(name))
  symlinkSync(at('one'), at('link'))
  expect(await apart(at('one'), at('link'), fileSystems)).toBe('one-folder')
  expect(await apart(at('one'), at('other'), fileSystems)).toBe('one-disk')
  expect(await apart(at('one'), away, fileSystems)).toBe('apart')
  expect(await apart(at('one'), at('missing'), fileSystems)).toBe('apart')
})

test('a folder that is mounted at a second place is one folder', async ({ skip }) => {
  for (const name of ['one', 'bound']) mkdirSync(at(name))
  const mounted = spawnSync('mount', ['--bind', at('one'), at('bound')])
  if (mounted.status !== 0) return skip('this system lets nobody mount a folder at a second place')
  try {
    expect(await apart(at('one'), at('bound'), fileSystems)).toBe('one-folder')
    expect(await written(at('one'), { nextFolder: at('bound') })).toMatch(/copy 1 is written there/)
  } finally {
    spawnSync('umount', [at('bound')])
  }
})

describe('where a copy was written', () => {
  const of = (copy: number, disks = fileSystems): Promise<WrittenTo | null> =>
    writtenTo(bench.catalog, { planId, copy, volumes: [1] }, disks)

  test('is the folder that it was written to last', async () => {
    expect(await of(1)).toBeNull()
    expect(await written(at('shelf'))).toBeNull()
    expect(await written(away, { copy: 2 })).toBeNull()
    expect(await written(at('attic'))).toBeNull()
    expect(await of(1)).toEqual({ kind: 'folder', path: at('attic'), problem: null })
    expect(await of(2)).toEqual({ kind: 'folder', path: away, problem: null })
    expect(await of(3)).toBeNull()
  })

  test('is not known of a file that stood in for a disc', async () => {
    expect((await bench.write({ directory: at('plan'), file: at('disc.iso') })).error).toBeNull()
    expect(await of(1)).toBeNull()
  })

  test('cannot be reached while its disk is away, or another one is in its place', async () => {
    expect(await written(away)).toBeNull()
    const without: FileSystems = { ...fileSystems, mounted: async () => [] }
    expect(await of(1, without)).toMatchObject({ problem: 'its file system is not mounted' })
    const other: FileSystems = {
      ...fileSystems,
      of: async () => ({ id: 'other', disk: null, mountPoint: away }),
    }
    expect(await of(1, other)).toMatchObject({ problem: 'another file system is at its place' })
    renameSync(away, `${away}, put away`)
    expect(await of(1)).toMatchObject({ path: away, problem: `${away} is not there` })
    renameSync(`${away}, put away`, away)
  })
})
