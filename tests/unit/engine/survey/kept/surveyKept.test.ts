import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../../../../src/contract/dto/plan'
import type { KeptDocument, SurveyDocument } from '../../../../../src/contract/dto/survey'
import { eventOfNote } from '../../../../../src/domain/sets/volumeEvent'
import type { Catalog } from '../../../../../src/engine/catalog/catalog'
import type { NewEntry } from '../../../../../src/engine/catalog/entry'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { surveyKept } from '../../../../../src/engine/survey/kept/surveyKept'
import { exact } from '../../../../../src/primitives/estimate'
import { pathToBytes } from '../../../../../src/primitives/pathText'
import { planDocument, runDocument } from '../../../../support/catalogPlan'
import { EMPTY_DOCUMENT, fileEntry } from '../../../../support/catalogSurvey'
import { temporaryFolder } from '../../../../support/temporaryFolder'

let catalog: Catalog
let directory: string
beforeEach(async () => {
  directory = await temporaryFolder()
  const opened = openCatalog(directory)
  catalog = opened
  onTestFinished(() => opened.close())
})

const NOTHING = { files: 0, bytes: 0 }

function sha256Of(content: string): Buffer {
  return createHash('sha256').update(content).digest()
}

interface Given {
  readonly id?: string
  /** Files by their paths, and links by paths that end with `@`. */
  readonly files: Readonly<Record<string, string>>
  readonly digests?: boolean
  readonly skipped?: string
  readonly further?: Readonly<Record<string, number>>
  readonly document?: Partial<SurveyDocument>
}

/** A survey of `/archive`; its files were written 7 ns after 1970. */
function survey({ id = 's-1', files, digests = true, skipped, further = {}, document }: Given): string {
  const writer = catalog.beginSurvey(id)
  const entries = Object.entries(files).map(([path, content], at): NewEntry => {
    const isLink = path.endsWith('@')
    const facts: Partial<NewEntry> = isLink
      ? { kind: 'symlink', digest: null, linkTarget: content }
      : { sha256: digests ? sha256Of(content) : null, mtimeNs: 7n }
    return Object.assign(fileEntry(at, path, at, isLink ? 0 : content.length), facts)
  })
  for (const [path, of] of Object.entries(further)) {
    const { inode } = entries[of] as NewEntry
    entries.push({ ...fileEntry(entries.length, path, 0, 0), kind: 'hardLink', inode })
  }
  writer.add(entries)
  if (Object.keys(further).length > 0) writer.linkNames()
  if (skipped !== undefined)
    writer.skip({ path: skipped, code: 'permission-denied', message: 'permission denied' })
  writer.finish({ ...EMPTY_DOCUMENT, id, roots: ['/archive'], ...document })
  return id
}

type Part = readonly [content: string, part: number, parts: number]

/** A plan with these files on its volumes, which lies in a folder that exists. */
function plan(
  id: string,
  volumes: readonly Readonly<Record<string, string | Part>>[],
  more: Partial<PlanDocument> = {},
): void {
  const entryOf = (path: string, given: string | Part): PlanEntry => {
    const [content, part, parts] = typeof given === 'string' ? [given, 0, 0] : given
    const file = {
      path: part > 0 ? `${path}.${part}` : path,
      source: `/archive/${path}`,
      bytes: content.length,
      sha256: sha256Of(content).toString('hex'),
      mtimeNs: '7',
    }
    if (part === 0) return { kind: 'file', ...file }
    const whole = { wholePath: path, wholeBytes: content.length, wholeSha256: file.sha256 }
    return { kind: 'part', ...file, offset: 0, part, parts, ...whole }
  }
  const document = { ...planDocument(id, 's-1', volumes.length), ...more }
  catalog.savePlan(
    document,
    volumes.map((files, at) => ({
      index: at + 1,
      entries: Object.entries(files).map(([path, given]) => entryOf(path, given)),
    })),
  )
  catalog.planExported(id, directory)
}

function verified(
  planId: string,
  states: Parameters<typeof runDocument>[4],
  { at = 100, kind = 'verify' }: { at?: number; kind?: Parameters<typeof runDocument>[2] } = {},
): void {
  catalog.saveRun(runDocument(`v-${planId}-${at}`, planId, kind, at, states))
}

const kept = (more: { folder?: string; limit?: number } = {}): Promise<KeptDocument> =>
  surveyKept(catalog, { surveyId: 's-1', limit: 100, ...more }, async () => {})

describe('files of a survey', () => {
  test('with several names count once on each volume', async () => {
    survey({ files: { a: 'aaaa' }, further: { 'b/a': 0, 'c/a': 0 } })
    plan('p-1', [{ a: 'aaaa' }])
    verified('p-1', ['done'])
    expect((await kept()).volumes).toMatchObject([{ label: 'A_01', files: 1, bytes: 4 }])
  })

  test('make no folder whole in which a further name leads to a file that the survey lacks', async () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add([
      { ...fileEntry(0, 'b/a', 0, 4), sha256: sha256Of('aaaa'), mtimeNs: 7n },
      { ...fileEntry(1, 'b/further', 1, 0), kind: 'hardLink' },
    ])
    writer.finish({ ...EMPTY_DOCUMENT, id: 's-1', roots: ['/archive'] })
    plan('p-1', [{ 'b/a': 'aaaa' }])
    verified('p-1', ['done'])
    const { folders } = await kept()
    expect(folders.find(({ path }) => path === '/archive/b')).toMatchObject({ keptFiles: 1, whole: false })
  })

  test('make a folder whole only where all that could not be read is known, however much it is', async () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add([{ ...fileEntry(0, 'b/a', 0, 4), sha256: sha256Of('aaaa'), mtimeNs: 7n }])
    for (let at = 0; at < 600; at++) {
      const path = at < 599 ? `/archive/a/${at}` : '/archive/b/unread'
      writer.skip({ path, code: 'permission-denied', message: 'permission denied' })
    }
    writer.finish({ ...EMPTY_DOCUMENT, id: 's-1', roots: ['/archive'] })
    plan('p-1', [{ 'b/a': 'aaaa' }])
    verified('p-1', ['done'])
    const { folders } = await kept()
    expect(folders.find(({ path }) => path === '/archive/b')).toMatchObject({ keptFiles: 1, whole: false })
  })

  test('are kept on volumes whose last verification was good, by SHA-256, also under another name', async () => {
    survey({ files: { 'a.jpg': 'aaaa', 'b/renamed.jpg': 'bb', 'b/new.jpg': 'new', 'c/planned.jpg': 'c' } })
    plan('p-1', [{ 'a.jpg': 'aaaa', 'old.jpg': 'bb' }, { 'planned.jpg': 'c' }])
    verified('p-1', ['done', 'pending'])
    expect(await kept()).toEqual({
      schema: 'stowage.kept/1',
      surveyId: 's-1',
      folder: null,
      totals: {
        files: 4,
        bytes: 10,
        byDigest: { files: 2, bytes: 6 },
        byTime: NOTHING,
        notKept: { files: 2, bytes: 4 },
      },
      anyVerified: true,
      folders: [
        row('/archive', [4, 10], [2, 6]),
        row('/archive/b', [2, 5], [1, 2]),
        row('/archive/c', [1, 1], [0, 0]),
      ],
      moreFolders: 0,
      copies: [],
      moreCopies: 0,
      withoutSha256: 0,
      volumes: [{ planId: 'p-1', volume: 1, label: 'A_01', checkedWallMs: 110, files: 2, bytes: 6 }],
    })
    expect(await kept({ folder: '/archive/b', limit: 1 })).toMatchObject({
      folder: '/archive/b',
      totals: { files: 2, bytes: 5, byDigest: { files: 1, bytes: 2 }, notKept: { files: 1, bytes: 3 } },
      folders: [{ path: '/archive/b' }],
      volumes: [{ label: 'A_01', files: 1, bytes: 2 }],
    })
    expect(await kept({ limit: 1 })).toMatchObject({ folders: [{ path: '/archive' }], moreFolders: 2 })
    await expect(kept({ folder: '/archive/d' })).rejects.toThrow(
      expect.objectContaining({ code: 'not-found' }),
    )
  })

  test('are not kept on a volume that was found damaged later, or built anew since', async () => {
    survey({ files: { a: 'aaaa', b: 'bb' } })
    plan('p-1', [{ a: 'aaaa' }, { b: 'bb' }])
    verified('p-1', ['done', 'done'])
    expect((await kept()).totals.byDigest).toEqual({ files: 2, bytes: 6 })
    verified('p-1', ['failed', 'done'], { at: 200 })
    expect((await kept()).totals.byDigest).toEqual({ files: 1, bytes: 2 })
    verified('p-1', ['done', 'done'], { at: 300 })
    verified('p-1', ['pending', 'done'], { at: 400, kind: 'build' })
    expect(await kept()).toMatchObject({
      totals: { byDigest: { files: 1, bytes: 4 } },
      volumes: [{ label: 'A_01' }],
    })
  })

  test('are not kept on volumes that were only planned or built', async () => {
    survey({ files: { a: 'aaaa' } })
    expect(await kept()).toMatchObject({ anyVerified: false, volumes: [] })
    plan('p-1', [{ a: 'aaaa' }])
    verified('p-1', ['done'], { kind: 'build' })
    expect(await kept()).toMatchObject({
      anyVerified: false,
      totals: { byDigest: NOTHING, byTime: NOTHING, notKept: { files: 1, bytes: 4 } },
      folders: [{ path: '/archive', keptFiles: 0, whole: false }],
      volumes: [],
    })
  })

  describe('in a plan folder that was deleted', () => {
    beforeEach(() => {
      survey({ files: { a: 'aaaa' } })
      plan('p-1', [{ a: 'aaaa' }])
      verified('p-1', ['done'])
      catalog.planExported('p-1', `${directory}/gone`)
    })

    test('are not kept', async () => {
      expect(await kept()).toMatchObject({ anyVerified: false, totals: { byDigest: NOTHING } })
    })

    test('are kept where the volume was checked by itself', async () => {
      const facts = { by: 'volume', reading: 'uncached', files: 1, damaged: 0, everyMonths: 12 } as const
      const about = { planId: 'p-1', setId: null, volume: 1, copy: 1, label: 'A_01' }
      catalog.addEvents([{ kind: 'good', of: 'c-1', ...about, wallMs: 501, facts }])
      expect(await kept()).toMatchObject({ volumes: [{ label: 'A_01', checkedWallMs: 501, files: 1 }] })
    })

    test('are kept where the volume was written', async () => {
      const written = runDocument('w-1', 'p-1', 'write', 50, ['done'])
      const [volume] = written.volumes
      if (!volume) throw new Error('a run of one volume')
      const disc = {
        sha256: '00'.repeat(32),
        bytes: 1,
        endedWallMs: 55,
        writeMs: 1,
        verified: true,
        verifyMs: 1,
        pipe: null,
      }
      catalog.saveRun({ ...written, volumes: [{ ...volume, written: disc }] })
      expect((await kept()).totals.byDigest).toEqual({ files: 1, bytes: 4 })
    })

    test('are not kept where it was written later and not read back', async () => {
      const written = runDocument('w-1', 'p-1', 'write', 900, ['done'])
      catalog.saveRun(written)
      expect((await kept()).anyVerified).toBe(false)
    })
  })

  test('are not kept on a volume that was lost since it was verified', async () => {
    survey({ files: { 'a.jpg': 'aaaa' } })
    plan('p-1', [{ 'a.jpg': 'aaaa' }])
    verified('p-1', ['done'])
    const note = { ofSet: 'p-1', volume: 1, copy: 1, label: 'A_01', place: null, medium: null }
    catalog.addEvents([eventOfNote({ ...note, kind: 'lost', notedWallMs: 1 })])
    expect(await kept()).toMatchObject({ volumes: [] })
    catalog.addEvents([eventOfNote({ ...note, kind: 'found', notedWallMs: 1 })])
    expect(await kept()).toMatchObject({ volumes: [{ files: 1 }] })
  })

  test('in parts are kept where every part is on a verified volume', async () => {
    survey({ files: { large: 'in two parts', other: 'also in two parts' } })
    plan('p-1', [
      { large: ['in two parts', 1, 2], other: ['also in two parts', 1, 2] },
      { large: ['in two parts', 2, 2] },
      { other: ['also in two parts', 2, 2] },
    ])
    verified('p-1', ['done', 'done', 'failed'])
    expect(await kept()).toMatchObject({
      totals: { byDigest: { files: 1, bytes: 12 }, notKept: { files: 1, bytes: 17 } },
      volumes: [
        { label: 'A_01', files: 1, bytes: 12 },
        { label: 'A_02', files: 1, bytes: 12 },
      ],
    })
  })

  test('in one archive over all volumes are kept where every volume is verified', async () => {
    const packing = {
      recipe: '7z-files',
      arrangement: 'joined',
      encryption: 'none',
      bytes: exact(10, 'a test'),
    } as const
    survey({ files: { a: 'aaaa', b: 'bb' } })
    plan('p-1', [{ a: 'aaaa' }, { b: 'bb' }], { schema: 'stowage.plan/2', packing })
    verified('p-1', ['done', 'failed'])
    expect((await kept()).totals.byDigest).toEqual(NOTHING)
    verified('p-1', ['done', 'done'], { at: 200 })
    expect(await kept()).toMatchObject({
      totals: { byDigest: { files: 2 } },
      volumes: [{ files: 2 }, { files: 2 }],
    })
    plan('p-2', [{ a: 'aaaa' }, { b: 'bb' }], {
      schema: 'stowage.plan/2',
      packing: { ...packing, arrangement: 'independent' },
    })
    verified('p-1', ['failed', 'failed'], { at: 300 })
    verified('p-2', ['done', 'failed'])
    expect((await kept()).totals.byDigest).toEqual({ files: 1, bytes: 4 })
  })

  test('compressed one by one are kept by their volume, one that may be cut by all volumes', async () => {
    const packing = {
      recipe: 'files-zstd-19',
      arrangement: 'independent',
      encryption: 'none',
      bytes: exact(10, 'a test'),
    } as const
    const { medium } = planDocument('p-0', 's-1', 1)
    survey({ files: { large: 'ten bytes.', small: 'aaaa' } })
    plan('p-1', [{ large: 'ten bytes.', small: 'aaaa' }, {}], {
      schema: 'stowage.plan/2',
      packing,
      medium: { ...medium, capacityBytes: 10 },
    })
    verified('p-1', ['done', 'failed'])
    expect((await kept()).totals.byDigest).toEqual({ files: 1, bytes: 4 })
    verified('p-1', ['done', 'done'], { at: 200 })
    expect((await kept()).totals.byDigest).toEqual({ files: 2, bytes: 14 })
  })

  test('without SHA-256 are kept by name, size and time only, and marked', async () => {
    survey({ files: { 'd/a': 'aaaa', 'd/renamed': 'bb', 'd/longer': 'ccc', empty: '' }, digests: false })
    plan('p-1', [{ a: 'aaaa', b: 'bb', longer: 'cc', nothing: '' }])
    verified('p-1', ['done'])
    expect(await kept()).toMatchObject({
      totals: {
        byDigest: { files: 1, bytes: 0 },
        byTime: { files: 1, bytes: 4 },
        notKept: { files: 2, bytes: 5 },
      },
      folders: [
        { ...row('/archive', [4, 9], [2, 4]), byTimeOnlyFiles: 1, byTimeOnlyBytes: 4 },
        { ...row('/archive/d', [3, 9], [1, 4]), byTimeOnlyFiles: 1, byTimeOnlyBytes: 4 },
      ],
      copiesAbsent: 'the survey has no SHA-256 of its files',
      withoutSha256: 3,
    })
    expect(await kept()).not.toHaveProperty('copies')
  })

  test('with names that are no UTF-8 are distinguished', async () => {
    const files = { 'n\udcff/a\udcfe': 'aaaa', 'n\udcfe/a\udcfd': 'bbbb', 'n\ufffd/c': 'cccc' }
    survey({ files, digests: false })
    plan('p-1', [{ 'a\udcfe': 'aaaa', c: 'cccc' }])
    verified('p-1', ['done'])
    expect((await kept()).folders.map(({ path, keptFiles }) => [path, keptFiles])).toEqual([
      ['/archive', 2],
      ['/archive/n\udcfe', 0],
      ['/archive/n\udcff', 1],
      ['/archive/n\ufffd', 1],
    ])
  })

  test('with several names count once, and a folder is whole only with the content of all names', async () => {
    survey({ files: { 'a/new': 'new', 'b/old': 'bb' }, further: { 'b/further': 0 } })
    plan('p-1', [{ old: 'bb' }])
    verified('p-1', ['done'])
    expect(await kept()).toMatchObject({
      totals: { files: 2, bytes: 5 },
      folders: [{ path: '/archive' }, { path: '/archive/a' }, row('/archive/b', [1, 2], [1, 2])],
    })
  })
})

describe('a folder', () => {
  test('is whole when every file below is kept, and nothing below it is listed', async () => {
    survey({ files: { 'a/b/1': 'aaaa', 'a/b/2': 'bb', 'a/3': 'c', 'n/1': 'new' } })
    plan('p-1', [{ 1: 'aaaa', 2: 'bb', 3: 'c' }])
    verified('p-1', ['done'])
    expect((await kept()).folders).toEqual([
      row('/archive', [4, 10], [3, 7]),
      { ...row('/archive/a', [3, 7], [3, 7]), whole: true },
      row('/archive/n', [1, 3], [0, 0]),
    ])
  })

  test('is neither whole nor a copy when something below could not be read', async () => {
    const given = { files: { 'a/b/1': 'aaaa', 'a/2': 'c', 'z/b/1': 'aaaa', 'z/2': 'c' } }
    survey({ ...given, skipped: '/archive/a/b/secret' })
    plan('p-1', [{ 1: 'aaaa', 2: 'c' }])
    verified('p-1', ['done'])
    expect((await kept()).folders.map(({ path, whole }) => [path, whole])).toEqual([
      ['/archive', false],
      ['/archive/a', false],
      ['/archive/z', true],
      ['/archive/a/b', false],
    ])
    expect((await kept()).copies).toEqual([])
  })

  test('of a survey that was stopped early is neither whole nor compared', async () => {
    survey({ files: { 'a/1': 'aaaa', 'b/1': 'aaaa' }, document: { partial: true } })
    plan('p-1', [{ 1: 'aaaa' }])
    verified('p-1', ['done'])
    expect(await kept()).toMatchObject({
      folders: [{ whole: false }, { whole: false }, { whole: false }],
      copiesAbsent: 'the survey was stopped early',
    })
  })
})

describe('copies of folders', () => {
  const copies = async (): Promise<unknown> =>
    (await kept()).copies?.map(({ path, copyOf, files, bytes }) => [path, copyOf, files, bytes])

  test('have the same names and contents, and folders below one are not listed again', async () => {
    survey({
      files: {
        'a/x/1': 'aaaa',
        'a/x/2': 'bb',
        'a/y/1': 'aaaa',
        'a/y/2': 'bb',
        'a/z': 'c',
        'b/x/1': 'aaaa',
        'b/x/2': 'bb',
        'b/y/1': 'aaaa',
        'b/y/2': 'bb',
        'b/z': 'c',
        'c/x/1': 'aaaa',
        'c/x/2': 'bb',
      },
    })
    expect(await copies()).toEqual([
      ['/archive/b', '/archive/a', 5, 13],
      ['/archive/a/y', '/archive/a/x', 2, 6],
      ['/archive/c/x', '/archive/a/x', 2, 6],
    ])
    expect(await kept({ limit: 1 })).toMatchObject({ copies: [{ path: '/archive/b' }], moreCopies: 2 })
  })

  test('are no folders that differ by one byte, one name, one link or one empty folder', async () => {
    survey({
      files: {
        'a/1': 'same',
        'a/2': 'data',
        'byte/1': 'same',
        'byte/2': 'date',
        'name/1': 'same',
        'name/3': 'data',
        'link/1': 'same',
        'link/2': 'data',
        'link/l@': '1',
        'more/1': 'same',
        'more/2': 'data',
        'more/3/4': '',
      },
    })
    expect(await copies()).toEqual([])
  })

  test('include symbolic links with the same target and further names of a file', async () => {
    survey({
      files: { 'a/1': 'same', 'a/l@': '1', 'b/l@': '1', 'c/1': 'same', 'c/l@': '2' },
      further: { 'b/1': 0 },
    })
    expect(await copies()).toEqual([['/archive/b', '/archive/a', 1, 4]])
  })

  test('have at least one file', async () => {
    survey({ files: { 'a/l@': '1', 'b/l@': '1' } })
    expect(await copies()).toEqual([])
  })

  test('are those without a file whose SHA-256 is missing', async () => {
    const writer = catalog.beginSurvey('s-1')
    const file = (id: number, path: string, sha256: Uint8Array | null): NewEntry => ({
      ...fileEntry(id, path, 1, 4),
      path: pathToBytes(path),
      sha256,
    })
    const known = sha256Of('aaaa')
    writer.add([file(0, 'a/1', known), file(1, 'b/1', known), file(2, 'c/1', null), file(3, 'd/1', null)])
    writer.finish({ ...EMPTY_DOCUMENT, id: 's-1', roots: ['/archive'] })
    expect(await copies()).toEqual([['/archive/b', '/archive/a', 1, 4]])
    expect((await kept()).withoutSha256).toBe(2)
  })
})

function row(
  path: string,
  [files, bytes]: readonly [number, number],
  [keptFiles, keptBytes]: readonly [number, number],
): KeptDocument['folders'][number] {
  return { path, files, bytes, keptFiles, keptBytes, byTimeOnlyFiles: 0, byTimeOnlyBytes: 0, whole: false }
}
