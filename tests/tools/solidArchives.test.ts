import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { titleMember, titlePlace } from '../../src/domain/forecast/titles'
import type { SolidFile } from '../../src/engine/forecast/solid/solidFiles'
import type { SolidOrders } from '../../src/engine/forecast/solid/solidPhase'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { seededRandom } from '../../src/primitives/seededRandom'
import { makeHostileTree } from '../fixtures/hostileTree'
import { stowage } from '../fixtures/stowageCommand'
import { solidForecast } from '../support/solidForecast'

const MIB = 1024 * 1024
/** Between what a file and its clone are apart in the two orders. */
const BLOCK = 512
/** The archive of a title that has a file more than its namesake in another folder. */
const LONGER = 'copies/0 of 3'
const DICTIONARY = MIB / 4

let folder: string
let source: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-solid-'))
  source = join(folder, 'source')
  mkdirSync(source)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Text of made-up words, half of it after a parent's, in clones that stand 0.4 MB apart by name. */
function makeClones(): void {
  const random = seededRandom(51)
  const vocabulary = Array.from({ length: 3000 }, () => random.below(2 ** 40).toString(36))
  const words = (count: number): string =>
    Array.from({ length: count }, () => vocabulary[Math.floor(3000 * random.unit() ** 2)]).join(' ')
  for (let family = 0; family < 5; family++) {
    const parent = words(9_000)
    for (let clone = 0; clone < 2; clone++) {
      const text = clone === 0 ? parent : `${parent.slice(0, 20_000)}${words(140)}${parent.slice(23_500)}`
      writeFileSync(join(source, `${clone} of ${family}.${family % 2 ? 'txt' : 'md'}`), text)
    }
  }
}

const forecast = (onStart?: () => void): Promise<SolidOrders> =>
  solidForecast(source, { dictionaryBytes: DICTIONARY, onStart })

const pathsOf = (files: readonly SolidFile[]): string[] =>
  files.map(({ path }) => Buffer.from(path, 'latin1').toString())

describe('forecasts of solid archives', () => {
  it('hold for real archives by 7-Zip, in its own order and in the one proposed', {
    tags: 'long',
  }, async () => {
    makeClones()
    const { path: tool } = await requireTool(sevenZip)
    const { solid, contentOrder, pathOrder } = await forecast()
    const pack = (order: 'path' | 'content', dictionary: number): number => {
      const archive = join(folder, `${order}-${dictionary}.7z`)
      const options = ['a', '-mx=9', `-md=${dictionary}b`, '-ms=on', '-mmt=1', '-bso0', '-bsp0']
      if (order === 'path') execFileSync(tool, [...options, archive, '.'], { cwd: source })
      else {
        const list = join(folder, 'list')
        writeFileSync(list, `${pathsOf(contentOrder).join('\0')}\0`)
        const tar = ['--null', '--verbatim-files-from', '--no-recursion', '-T', list, '-cf', '-']
        const input = execFileSync('tar', tar, { cwd: source, maxBuffer: 64 * MIB })
        execFileSync(tool, [...options, '-siall.tar', archive], { input })
      }
      if (order === 'path') {
        const listed = execFileSync(tool, ['l', '-ba', '-slt', archive], { encoding: 'utf8' })
        const names = [...listed.matchAll(/^Path = (.*)$/gm)].map((match) => match[1])
        expect(names).toEqual(pathsOf(pathOrder))
      }
      return statSync(archive).size
    }
    const actual = new Map<string, number>()
    for (const order of ['path', 'content'] as const) {
      const row = solid.find(
        (one) => one.codec === 'lzma2-9' && one.order === order && one.dictionaryBytes === DICTIONARY,
      )
      const bytes = pack(order, DICTIONARY)
      actual.set(order, bytes)
      expect(row?.low).toBeLessThanOrEqual(bytes)
      expect(row?.high).toBeGreaterThanOrEqual(bytes)
      expect(Math.abs((row?.predictedBytes ?? 0) / bytes - 1)).toBeLessThan(0.1)
    }
    expect(actual.get('content')).toBeLessThan(0.7 * (actual.get('path') ?? 0))
  })

  it('know the dictionary of torrent7z', { tags: 'long' }, async () => {
    for (const [index, mib] of [25, 25, 24].entries()) {
      const path = join(source, `${index}.img`)
      writeFileSync(path, `${index}`)
      truncateSync(path, mib * MIB)
    }
    const { solid } = await solidForecast(source, {})
    const own = solid.filter((row) => row.dictionaryBytes === 38 * MIB)
    expect(own.map(({ codec, order }) => [codec, order])).toEqual([['lzma2-9', 'type']])
  })

  it('hold for archives of titles and of groups, and know which are the same', { tags: 'long' }, async () => {
    makeClones()
    const clones = readdirSync(source)
    // A second collection: three titles as they are, one with a file more; and what stands nowhere else.
    mkdirSync(join(source, 'copies'))
    for (const name of clones.slice(0, 4)) copyFileSync(join(source, name), join(source, 'copies', name))
    const noise = Buffer.alloc(50_000)
    seededRandom(52).fillBytes(noise)
    writeFileSync(join(source, 'copies', `${clones[3]?.replace(/\.\w+$/, '.zzz')}`), noise)
    for (const name of ['', ' (1)', ' [2]']) writeFileSync(join(source, `empty${name}.txt`), '')
    const { path: tool } = await requireTool(sevenZip)
    const { grouped, pathOrder, contentGroups } = await forecast()
    for (const by of ['titles', 'groups'] as const) {
      const wanted = new Map<string, string[]>()
      for (const [place, { path }] of pathOrder.entries()) {
        const key = by === 'titles' ? titlePlace(path) : String(contentGroups.groups[place])
        wanted.set(key, [...(wanted.get(key) ?? []), path])
      }
      const sizes = new Map<string, number>()
      const blocks = new Set<string>()
      let repeatedBlocks = 0
      let bytes = 0
      for (const [key, paths] of wanted) {
        const archive = join(folder, 'one.7z')
        const options = [
          '-mx=9',
          `-md=${DICTIONARY}b`,
          '-ms=on',
          '-mmt=1',
          '-mtm-',
          '-mtc-',
          '-mta-',
          '-mtr-',
        ]
        const cwd = by === 'titles' ? join(source, key, '..') : source
        const names = by === 'titles' ? paths.map(titleMember) : paths
        execFileSync(tool, ['a', ...options, '-bso0', '-bsp0', '-spd', archive, ...names], { cwd })
        const made = readFileSync(archive)
        rmSync(archive)
        bytes += made.length
        const digest = createHash('sha256').update(made).digest('hex')
        for (let at = 0; at + BLOCK <= made.length && !sizes.has(digest); at += BLOCK) {
          const block = made.toString('latin1', at, at + BLOCK)
          if (key === LONGER && blocks.has(block)) repeatedBlocks++
          blocks.add(block)
        }
        sizes.set(digest, made.length)
      }
      const row = grouped.find((one) => one.by === by)
      expect(row?.archives).toBe(wanted.size)
      expect(row?.distinctArchives).toBe(sizes.size)
      expect(row?.low).toBeLessThanOrEqual(bytes)
      expect(row?.high).toBeGreaterThanOrEqual(bytes)
      expect(Math.abs((row?.predictedBytes ?? 0) / bytes - 1)).toBeLessThan(0.1)
      const distinct = [...sizes.values()].reduce((sum, one) => sum + one, 0)
      expect(Math.abs((row?.distinctBytes ?? 0) / distinct - 1)).toBeLessThan(0.1)
      // One archive begins with the file that another has alone: their blocks are the same but for that of the header and the last.
      const starts = (row?.sharedStarts ?? []).map(([, archives, shared]) => [archives, shared])
      expect(starts.map(([archives]) => archives)).toEqual(by === 'titles' ? [1] : [])
      const shared = starts.reduce((sum, [, one = 0]) => sum + one - 1.5 * BLOCK, 0)
      expect(Math.abs(shared - repeatedBlocks * BLOCK)).toBeLessThanOrEqual(0.1 * shared)
      // Ten texts and four of them again, a file that is nowhere else, and nothing.
      expect([wanted.size, sizes.size]).toEqual(by === 'titles' ? [15, 12] : [7, 7])
    }
  })

  it('leave out changed files, and give no forecast for an empty source', { tags: 'long' }, async () => {
    expect((await forecast()).solid).toEqual([])
    makeClones()
    const changed = await forecast(() => {
      for (let family = 0; family < 5; family++) {
        for (let clone = 0; clone < 2; clone++) {
          utimesSync(join(source, `${clone} of ${family}.${family % 2 ? 'txt' : 'md'}`), 1, 1)
        }
      }
    })
    expect(changed.solid).toEqual([])
    expect(changed.contentOrder).toHaveLength(10)
  })
})

describe('the list of an order', () => {
  it('is one that tar takes, whatever is in the names', { tags: 'long' }, async () => {
    makeHostileTree(source, { seed: 7 })
    const list = join(folder, 'list')
    const home = join(folder, 'home')
    const args = ['survey', source, '--json', '--samples', 'fast', '--order-list', list]
    const { stdout, stderr } = await stowage(args, { home })
    const { totals } = surveyDocumentSchema.parse(JSON.parse(stdout))
    const names = readFileSync(list).toString('latin1').split('\0').slice(0, -1)
    expect(names, stderr).toHaveLength(totals.files)
    const archive = join(folder, 'all.tar')
    const tar = ['--null', '--verbatim-files-from', '--no-recursion', '-T', list, '-cf', archive]
    execFileSync('tar', ['-C', source, ...tar])
    const stored = execFileSync('tar', ['-tf', archive, '--quoting-style=escape', '--null'], {
      encoding: 'latin1',
    })
    expect(stored.trimEnd().split('\n')).toHaveLength(totals.files)
    const again = await stowage(args, { home })
    expect(again.code).not.toBe(0)
    expect(again.stderr).toContain('already there')
  })

  it('is refused where nothing is sampled', { tags: 'long' }, async () => {
    const { code, stderr } = await stowage(['survey', source, '--quick', '--order-list', join(folder, 'x')], {
      home: join(folder, 'home'),
    })
    expect(code).toBe(2)
    expect(stderr).toContain('--quick')
  })
})
