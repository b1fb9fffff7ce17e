import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { makeClashingTree } from '../fixtures/clashingTree'
import { makeHostileTree } from '../fixtures/hostileTree'
import { temporaryFolder } from '../support/archiveRun'
import { FOREIGN_DISKS, foreignDisk } from '../support/foreignDisk'
import { packedSet } from '../support/packedSet'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'
import { addStowageFolders, entriesBelow } from '../support/volumeFolders'

const folder = temporaryFolder('restore-foreign')
const source = join(folder.path, 'source')
let contents: string[]

/** The digests of all files below a folder, in the order of their bytes. */
function contentsBelow(root: string): string[] {
  const files = Object.entries(treeFacts(root)).filter(
    ([path, { kind }]) => kind === 'file' && path !== 'RESTORED-NAMES.tsv',
  )
  return files.map(([, { content }]) => content).toSorted()
}

/** Names with what they are and hold, but without times, permissions and hard links. */
function namesBelow(root: string): Record<string, string> {
  const facts = Object.entries(treeFacts(root))
  return Object.fromEntries(facts.map(([path, { kind, content }]) => [path, `${kind} ${content}`]))
}

beforeAll(() => {
  const random = Number(process.env['STOWAGE_TEST_SEED'] ?? 35)
  makeHostileTree(source, { seed: random })
  expect(makeClashingTree(join(source, 'clashes'), { seed: random, names: 220 })).toBe(220)
  makeClashingTree(source, { seed: random + 1, names: 60 })
  contents = Object.values(treeFacts(source))
    .filter(({ kind }) => kind === 'file')
    .map(({ content }) => content)
    .toSorted()
})
afterAll(() => folder.dispose())

const SETS: Record<string, (inside: string) => Promise<readonly string[]>> = {
  plain: async (inside) => {
    cpSync(source, inside, { recursive: true, verbatimSymlinks: true })
    addStowageFolders([{ path: inside, entries: entriesBelow(source) }])
    return [inside]
  },
  '7z': async (inside) => (await packedSet('7z-solid-1m-path', source, inside)).volumes,
  'tar.zst': async (inside) => (await packedSet('tar-zst-19-1m-path', source, inside)).volumes,
}

describe.each(Object.keys(FOREIGN_DISKS) as (keyof typeof FOREIGN_DISKS)[])('a disk with %s', (kind) => {
  let disk: ReturnType<typeof foreignDisk>
  beforeAll(() => {
    disk = foreignDisk(folder.path, kind)
  })
  afterAll(() => {
    if (typeof disk !== 'string') disk.unmount()
  })
  /** Skips a test with the reason where there is no such disk. */
  const diskFor = (context: TestContext): string => {
    if (typeof disk !== 'string') return disk.path
    console.warn(`skipped: ${disk}`)
    return context.skip(disk)
  }

  describe.each(Object.keys(SETS))('and a %s set', (set) => {
    let volumes: string[]
    beforeAll(async () => {
      volumes = [...((await SETS[set]?.(join(folder.path, `${kind} ${set}`))) ?? [])]
    })

    test.for([false, true])(
      'holds every content under a name of its own, with force: %s',
      async (force, context) => {
        const to = join(diskFor(context), 'back')
        const back = join(folder.path, 'back')
        try {
          const first = await runRestore({ volumes, to, force })
          expect(first.error).toBeNull()
          expect(first.document).toMatchObject({
            restored: contents.length,
            kept: 0,
            damaged: [],
            differing: [],
          })
          expect(first.document.renamed).toBeGreaterThan(0)
          expect(contentsBelow(to)).toEqual(contents)
          expect(readdirSync(to).filter((name) => name.startsWith('.stowage'))).toEqual([])

          const second = await runRestore({ volumes, to, force })
          expect(second.error).toBeNull()
          expect(second.document).toMatchObject({ restored: 0, kept: contents.length })

          const again = await runRestore({ volumes: [to], to: back, originalNames: true })
          expect(again.error).toBeNull()
          expect(namesBelow(back)).toEqual(namesBelow(source))
        } finally {
          rmSync(to, { recursive: true, force: true })
          rmSync(back, { recursive: true, force: true })
        }
      },
    )
  })
})
