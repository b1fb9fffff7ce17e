import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { openBench, temporaryFolder } from '../support/archiveRun'
import { runCheck } from '../support/checkRun'
import { packedSet } from '../support/packedSet'
import { type RestoreOutcome, runRestore } from '../support/restoreRun'
import { addStowageFolders, entriesBelow, OWN_FOLDER, sha256 } from '../support/volumeFolders'

const folder = temporaryFolder('damaged-copies')
const to = join(folder.path, 'restored')
afterAll(() => folder.dispose())
beforeEach(() => rmSync(to, { recursive: true, force: true }))

let places = 0
const freshPlace = (): string => join(folder.path, `place-${(places += 1)}`)

/** A second copy of a volume. */
function copyOf(volume: string): string {
  const copy = freshPlace()
  cpSync(volume, copy, { recursive: true })
  return copy
}

/** Changes a byte in the middle of a file. */
function damage(volume: string, name: string): void {
  const content = readFileSync(join(volume, name))
  const at = content.length >> 1
  content[at] = (content[at] ?? 0) ^ 0xff
  writeFileSync(join(volume, name), content)
}

const restore = (volumes: readonly string[]): Promise<RestoreOutcome> =>
  runRestore({ volumes: [...volumes], to })

const contentsIn = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(root.length + 1), readFileSync(path, 'latin1')]
      }),
  )

const FILES = { a: 'the content of a', b: 'the content of b', c: 'the content of c' }

describe('of plain files', () => {
  let volume: string

  beforeEach(() => {
    volume = freshPlace()
    mkdirSync(volume)
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(volume, name), content)
    addStowageFolders([{ path: volume, entries: entriesBelow(volume) }])
  })

  test.each([
    ['damaged first', (one: string, other: string) => [one, other]],
    ['whole first', (one: string, other: string) => [other, one]],
  ])('every file comes back from a damaged and a whole copy, %s', async (_, order) => {
    const whole = copyOf(volume)
    damage(volume, 'a')
    const { document, error } = await restore(order(volume, whole))
    expect(error).toBeNull()
    expect(document).toMatchObject({ outcome: 'done', restored: 3, damaged: [], missing: [], repaired: 0 })
    expect(contentsIn(to)).toEqual(FILES)
  })

  test('every file comes back from copies that are damaged in different files, and these are named', async () => {
    const other = copyOf(volume)
    damage(volume, 'a')
    rmSync(join(volume, 'b'))
    damage(other, 'c')
    const { document, error } = await restore([volume, other])
    expect(error).toBeNull()
    expect(contentsIn(to)).toEqual(FILES)
    expect(document.notes).toEqual([`1 file came from another copy: damaged on ${volume}`])
  })

  test('files come back from a copied disc without lists, by those of another copy', async () => {
    const other = copyOf(volume)
    rmSync(join(other, OWN_FOLDER), { recursive: true })
    rmSync(join(volume, 'a'))
    for (const order of [
      [other, volume],
      [volume, other],
    ]) {
      rmSync(to, { recursive: true, force: true })
      const { document } = await restore(order)
      expect(document).toMatchObject({ restored: 3, damagedLists: [{ path: other }] })
      expect(contentsIn(to)).toEqual(FILES)
    }
  })

  test('a file that is damaged in every copy is reported once, and the others come back', async () => {
    const other = copyOf(volume)
    damage(volume, 'a')
    damage(other, 'a')
    const { document, error } = await restore([volume, other])
    expect(error).toMatchObject({ code: 'verification-failed' })
    expect(document.damaged.map(({ path }) => path)).toEqual(['a'])
    expect(contentsIn(to)).toEqual({ b: FILES.b, c: FILES.c })
  })
})

describe('whose lists are all damaged', () => {
  let copies: [string, string]

  beforeEach(() => {
    const volume = freshPlace()
    mkdirSync(volume)
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(volume, name), content)
    const entries = entriesBelow(volume)
    addStowageFolders([{ path: volume, entries }])
    const sums = join(volume, OWN_FOLDER, 'SHA256SUMS')
    for (const [name, content] of Object.entries(FILES))
      writeFileSync(sums, sha256Line(sha256(Buffer.from(content)), name), { flag: 'a' })
    copies = [volume, copyOf(volume)]
  })

  /** Changes a list of a copy. */
  function edit(at: 0 | 1, name: string, change: (text: string) => string): void {
    const list = join(copies[at], OWN_FOLDER, name)
    writeFileSync(list, change(readFileSync(list, 'latin1')), 'latin1')
  }
  const without = (name: string) => (text: string) =>
    text.replace(new RegExp(`^.*\\b${name}(\\t.*)?\\n`, 'm'), '')

  test('the contents come back that the lists of one copy or the other have', async () => {
    for (const list of ['INDEX.tsv', 'SHA256SUMS']) {
      edit(0, list, without('a'))
      edit(1, list, without('b'))
    }
    const { document } = await restore(copies)
    expect(document.damagedLists).toHaveLength(2)
    expect(contentsIn(to)).toEqual(FILES)
  })

  test('the checksums are believed, not a row of the index that contradicts them', async () => {
    const other = (text: string): string =>
      text.replace(sha256(Buffer.from(FILES.a)), sha256(Buffer.from('x')))
    edit(0, 'INDEX.tsv', other)
    await restore([copies[0]])
    expect(contentsIn(to)).toEqual(FILES)
  })

  test('the contents come back of which each copy lists some, without any checksums', async () => {
    for (const at of [0, 1] as const) edit(at, 'SHA256SUMS', () => 'not a list')
    edit(0, 'INDEX.tsv', without('a'))
    edit(1, 'INDEX.tsv', without('b'))
    await restore(copies)
    expect(contentsIn(to)).toEqual(FILES)
  })

  test.each([0, 1] as const)('a wrong digest of copy %i does not hide the content', async (at) => {
    edit(0, 'INDEX.tsv', without('a'))
    edit(1, 'INDEX.tsv', without('a'))
    edit(at, 'SHA256SUMS', (text) => text.replace(sha256(Buffer.from(FILES.a)), sha256(Buffer.from('other'))))
    await restore(copies)
    expect(contentsIn(to)).toEqual(FILES)
  })

  test.each([0, 1] as const)(
    'a listed file comes back though copy %i has another digest of it',
    async (at) => {
      for (const copy of [0, 1] as const) edit(copy, 'INDEX.tsv', without('b'))
      edit(at, 'SHA256SUMS', (text) =>
        text.replace(sha256(Buffer.from(FILES.a)), sha256(Buffer.from('other'))),
      )
      await restore(copies)
      expect(contentsIn(to)).toEqual(FILES)
    },
  )
})

describe('of a file in parts', () => {
  const PARTS = ['the first half ', 'the other half']
  const whole = PARTS.join('')
  let volumes: string[]

  beforeEach(() => {
    let offset = 0
    const all = PARTS.map((content, at) => {
      const path = freshPlace()
      mkdirSync(path)
      const name = `film.00${at + 1}`
      writeFileSync(join(path, name), content)
      const facts = { part: at + 1, parts: 2, wholePath: 'film', wholeBytes: whole.length }
      const own = { path: name, source: join(path, name), bytes: content.length }
      const digests = { sha256: sha256(Buffer.from(content)), wholeSha256: sha256(Buffer.from(whole)) }
      const entry: PlanEntry = { kind: 'part', ...own, ...digests, ...facts, offset }
      offset += content.length
      return { path, entries: [entry] }
    })
    addStowageFolders(all)
    volumes = all.map(({ path }) => path)
  })

  test('parts are joined from those copies that are right', async () => {
    const [first = '', second = ''] = volumes
    const [otherFirst, otherSecond] = [copyOf(first), copyOf(second)]
    damage(first, 'film.001')
    damage(otherSecond, 'film.002')
    const { error } = await restore([first, otherSecond, otherFirst, second])
    expect(error).toBeNull()
    expect(contentsIn(to)).toEqual({ film: whole })
  })

  test('a part waits for the other volume as the right copy has it', async () => {
    const [first = '', second = ''] = volumes
    const other = copyOf(first)
    damage(first, 'film.001')
    const begun = await restore([first, other])
    expect(begun.error).toBeNull()
    expect(begun.document).toMatchObject({ outcome: 'incomplete', volumesNeeded: [{ index: 2, files: 1 }] })
    expect((await restore([second])).document).toMatchObject({ outcome: 'done' })
    expect(contentsIn(to)).toEqual({ film: whole })
  })

  test('a damaged part is reported before the other volume is given, and nothing of it is left', async () => {
    const [first = ''] = volumes
    damage(first, 'film.001')
    const { document, error } = await restore([first])
    expect(error).toMatchObject({ code: 'verification-failed' })
    expect(document.damaged.map(({ path }) => path)).toEqual(['film'])
    expect(document.volumesNeeded).toMatchObject([{ index: 2, files: 1 }])
    expect(contentsIn(to)).toEqual({})
  })
})

describe('of an archive', () => {
  const LONG = Object.fromEntries(Object.keys(FILES).map((name) => [name, `${name} `.repeat(5000)]))

  /** The copies of a set of one archive on one volume. */
  async function archive(method: string): Promise<{ volume: string; other: string }> {
    const source = freshPlace()
    mkdirSync(source)
    for (const [name, content] of Object.entries(LONG)) writeFileSync(join(source, name), content)
    const { volumes } = await packedSet(method, source, freshPlace())
    const [volume = ''] = volumes
    return { volume, other: copyOf(volume) }
  }

  test('its files come back from the copy that is right', async () => {
    const { volume, other } = await archive('tar-zst-19-1m-path')
    damage(volume, 'packed files')
    expect((await restore([volume, other])).error).toBeNull()
    expect(contentsIn(to)).toEqual(LONG)
  })

  test('its files are compared in the copy that is right', async () => {
    const { volume, other } = await archive('tar-zst-19-1m-path')
    damage(volume, 'packed files')
    const bench = openBench(freshPlace())
    const { document } = await runCheck(bench.catalog, [volume, other], { contents: true })
    bench.close()
    expect(document.volumes.map(({ state, contents }) => [state, contents])).toEqual([
      ['damaged', 0],
      ['good', 3],
    ])
  })

  test('its files come back where the index has no digest of it', async () => {
    const { volume, other } = await archive('tar-zst-19-1m-path')
    for (const copy of [volume, other]) {
      const list = join(copy, 'STOWAGE/INDEX.tsv')
      const lines = readFileSync(list, 'utf8').split('\n')
      const text = lines
        .map((line) => line.replace(/\t\d+\t[0-9a-f]{64}\tpacked files\t/, '\t\t\tpacked files\t'))
        .join('\n')
      writeFileSync(list, text)
      writeFileSync(join(copy, 'STOWAGE/SHA256SUMS'), `${hash('sha256', text)}  STOWAGE/INDEX.tsv\n`)
    }
    damage(volume, 'packed files')
    expect((await restore([volume, other])).error).toBeNull()
    expect(contentsIn(to)).toEqual(LONG)
  })
})
