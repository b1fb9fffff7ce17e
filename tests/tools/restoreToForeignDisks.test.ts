import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { makeClashingTree } from '../fixtures/clashingTree'
import { makeHostileTree } from '../fixtures/hostileTree'
import { temporaryFolder } from '../support/archiveRun'
import { FOREIGN_DISKS, foreignDisk } from '../support/foreignDisk'
import { packedSet } from '../support/packedSet'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'
import {
  addStowageFolders,
  entriesBelow,
  OWN_FOLDER,
  runScript,
  type Shell,
  sha256,
} from '../support/volumeFolders'

const folder = temporaryFolder('restore-foreign')
const source = join(folder.path, 'source')
let contents: string[]

const SCRIPT = new URL('../../src/engine/sets/export/restore.sh', import.meta.url)

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

/** Two volumes, with a half of each file on either. */
function cutSet(inside: string, ...paths: string[]): string[] {
  const volumes = ['1', '2'].map((name) => ({ path: join(inside, name), entries: [] as PlanEntry[] }))
  for (const wholePath of paths) {
    const content = Buffer.from(wholePath.repeat(1000))
    const half = content.length / 2
    for (const [at, { path: volume, entries }] of volumes.entries()) {
      const path = `${wholePath}.00${at + 1}`
      const part = content.subarray(at * half, (at + 1) * half)
      mkdirSync(dirname(join(volume, path)), { recursive: true })
      writeFileSync(join(volume, path), part)
      const ofWhole = { wholePath, wholeBytes: content.length, wholeSha256: sha256(content) }
      const facts = { path, source: path, bytes: half, sha256: sha256(part), mtimeNs: '0', mode: 0o644 }
      entries.push({ kind: 'part', ...facts, ...ofWhole, offset: at * half, part: at + 1, parts: 2 })
    }
  }
  addStowageFolders(volumes)
  return volumes.map(({ path }) => path)
}

function makeHeldTree(root: string): void {
  mkdirSync(root, { recursive: true })
  for (const name of ['one', 'two']) writeFileSync(join(root, name), `the content of ${name}`)
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

/** @param own a folder for the programs of a shell, which has 7-Zip already */
const SHELLS: [name: string, shellOf: (own: string) => Shell][] = [
  ['dash', (own) => ({ command: ['dash'], path: `${own}:${process.env['PATH']}` })],
  [
    'BusyBox, with its own programs',
    (own) => {
      execFileSync('busybox', ['--install', '-s', own])
      return { command: [join(own, 'sh')], path: own }
    },
  ],
  [
    'bash, with the awk of macOS',
    (own) => {
      symlinkSync('/usr/bin/original-awk', join(own, 'awk'))
      return { command: ['bash', '--posix'], path: `${own}:${process.env['PATH']}` }
    },
  ],
]

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

  const tags = kind === 'exFAT' ? [] : ['long']
  test('unpacks on the disk itself where that can hold all names', { tags }, async (context) => {
    const root = diskFor(context)
    const inside = join(folder.path, `${kind} holds all names`)
    makeHeldTree(join(inside, 'source'))
    const { volumes: set } = await packedSet('7z-solid-1m-path', join(inside, 'source'), join(inside, 'set'))
    vi.stubEnv('TMPDIR', root)
    const to = join(root, 'back')
    try {
      const { document, error } = await runRestore({ volumes: [...set], to })
      expect(error).toBeNull()
      expect(document).toMatchObject({ restored: 2, renamed: 0 })
    } finally {
      vi.unstubAllEnvs()
      rmSync(to, { recursive: true, force: true })
    }
  })

  test('goes on with restore where RESTORE.sh waits for a part of a file with another name', async (context) => {
    const root = diskFor(context)
    const to = join(root, 'back')
    const volumes = cutSet(join(folder.path, `${kind} cut`), 'Album/Clip', 'RESTORED-NAMES.tsv')
    const [first = ''] = volumes
    try {
      const script = join(first, OWN_FOLDER, 'RESTORE.sh')
      const { status, errors } = runScript({ command: ['dash'] }, script, { words: [to, first] })
      expect(status).toBe(3)
      expect(errors).toContain(
        `not complete: ${to}/RESTORED-NAMES~1.tsv (the next part is on volume DISC_02)`,
      )
      expect(Object.keys(treeFacts(to))).toContain('RESTORED-NAMES~1.tsv.joining')
      const { document, error } = await runRestore({ volumes: volumes.slice(1), to })
      expect(error).toBeNull()
      expect(document).toMatchObject({ outcome: 'done', restored: 2, renamed: 1 })
      expect(readFileSync(join(to, 'Album/Clip'), 'utf8')).toBe('Album/Clip'.repeat(1000))
      const renamed = readFileSync(join(to, 'RESTORED-NAMES~1.tsv'), 'utf8')
      expect(renamed).toBe('RESTORED-NAMES.tsv'.repeat(1000))
    } finally {
      rmSync(to, { recursive: true, force: true })
    }
  })

  describe.each(Object.keys(SETS))('and a %s set', (set) => {
    let volumes: string[]
    beforeAll(async () => {
      volumes = [...((await SETS[set]?.(join(folder.path, `${kind} ${set}`))) ?? [])]
    })

    test.for(set === 'plain' ? SHELLS : SHELLS.slice(0, 1))(
      'gets the same names from RESTORE.sh, run by %s',
      { tags: 'long' },
      async ([name, shellOf], context) => {
        const own = join(folder.path, `${kind} ${set} ${name}`)
        const to = join(diskFor(context), 'back')
        const [volume = ''] = volumes
        mkdirSync(own)
        symlinkSync((await requireTool(sevenZip)).path, join(own, '7zz'))
        const shell = shellOf(own)
        const script = join(volume, set === 'plain' ? OWN_FOLDER : 'STOWAGE', 'RESTORE.sh')
        cpSync(SCRIPT, script)
        const right = `${contents.length} of ${contents.length} files are right`
        try {
          for (const run of ['first', 'second']) {
            const { status, errors, output } = runScript(shell, script, { words: [to] })
            expect(errors, run).toMatch(/^(symbolic links that the target cannot hold: \d+\n)?$/)
            expect(output, run).toContain(right)
            expect(status, run).toBe(errors === '' ? 0 : 3)
          }
          expect(contentsBelow(to)).toEqual(contents)
          const names = namesBelow(to)
          expect(Object.keys(names).filter((path) => path.startsWith('.stowage'))).toEqual([])

          // The same names and the same list: nothing is restored again.
          const { document, error } = await runRestore({ volumes, to })
          expect(error).toBeNull()
          expect(document).toMatchObject({ restored: 0, kept: contents.length })
          expect(namesBelow(to)).toEqual(names)
        } finally {
          rmSync(to, { recursive: true, force: true })
        }
      },
    )

    if (set !== 'plain')
      test('counts only what is there where RESTORE.sh has no folder for all names', {
        tags: 'long',
      }, async (context) => {
        const root = diskFor(context)
        const to = join(root, 'back')
        const own = join(folder.path, `${kind} ${set} without a folder`)
        mkdirSync(own)
        symlinkSync((await requireTool(sevenZip)).path, join(own, '7zz'))
        vi.stubEnv('TMPDIR', root)
        try {
          const shell: Shell = { command: ['dash'], path: `${own}:${process.env['PATH']}` }
          const script = join(volumes[0] ?? '', 'STOWAGE/RESTORE.sh')
          cpSync(SCRIPT, script)
          const { status, errors, output } = runScript(shell, script, { words: [to] })
          expect(status).toBe(6)
          expect(errors).toContain('cannot hold all names either')
          const there = contentsBelow(to)
          expect(there.filter((content) => !contents.includes(content))).toEqual([])
          expect(output).toContain(`\n${there.length} of ${contents.length} files are right\n`)
          expect(readdirSync(root).filter((name) => name.startsWith('stowage-restore'))).toEqual([])
        } finally {
          vi.unstubAllEnvs()
          rmSync(to, { recursive: true, force: true })
        }
      })

    for (const force of [false, true]) {
      const isQuick = kind === 'exFAT' && set === 'plain' && !force
      test(`holds every content under a name of its own, with force: ${force}`, {
        tags: isQuick ? [] : ['long'],
      }, async (context) => {
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
      })
    }
  })
})
