import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { DriveMedium } from '../../../src/domain/sets/drives/drive'
import { discProblem } from '../../../src/domain/sets/drives/fittingDisc'
import { brokenTree, type TreeFault, type TreePart } from '../../../src/engine/sets/volume/image/treeFault'
import type { Expected, Found } from '../../../src/engine/sets/volume/lists/expectedTree'
import { compareTrees } from '../../../src/engine/sets/volume/open/compareTrees'
import { type Difference, differenceFailure } from '../../../src/engine/sets/volume/open/difference'
import { sayingsOf } from '../../../src/language/messages'
import { recallOf } from '../../../src/language/recall'
import { AppError } from '../../../src/primitives/appError'
import { speakFigures } from '../../../src/primitives/figureLanguage'
import { fileFailure } from '../../../src/primitives/fileFailure'
import { formatCounted, formatSize } from '../../../src/primitives/quantity'
import { said, saidAll, saidIn, saidOf } from '../../../src/primitives/said'
import { saidMessages } from '../house/saidMessages'

const SAID = join(import.meta.dirname, '../../../assets/copy/said')
const tableOf = (language: string) =>
  JSON.parse(readFileSync(join(SAID, `${language}.json`), 'utf8')) as Record<string, string>
const [GERMAN, WINDOW] = [tableOf('de'), tableOf('en')]
const { written, built } = saidMessages()

/** The values of a message, by their numbers. */
const valuesOf = (message: string) => new Set(message.match(/\{\d+/g))

/** Words that German does not have: what is left of an English sentence has one of them. */
const ENGLISH = /\b(?:the|is|it|its|of|by|not|has|have|are|and|file|files|folder|verification)\b/

/** The text as the German window shows it. */
function inGerman(text: string): string {
  const sentence = saidOf(text) ?? recallOf(Object.keys(GERMAN))(text)
  return sentence ? sayingsOf('de', GERMAN).say(text, sentence) : text
}

afterEach(() => speakFigures('en'))

describe('the sentences of the engine', () => {
  it('are all translated, and name no value that they do not have', () => {
    expect(written.size).toBeGreaterThan(600)
    const untold = [...written.keys(), ...built].filter((message) => !Object.hasOwn(GERMAN, message))
    expect(untold).toEqual([])
    const odd = [...Object.entries(GERMAN), ...Object.entries(WINDOW)].filter(([message, text]) =>
      [...valuesOf(text)].some((value) => !valuesOf(message).has(value)),
    )
    expect(odd).toEqual([])
  })

  it('name controls in the window, not options of the command line', () => {
    const named = /(?<!mount |zstd with |more |zstd mit |mehr )--[a-z]{3,}|"stowage |„stowage /
    const untold = [...written]
      .filter(([message]) => named.test(WINDOW[message] ?? message))
      .map(([message, file]) => `${file}: ${message}`)
    expect(untold).toEqual([])
    expect(Object.values(GERMAN).filter((text) => named.test(text))).toEqual([])
  })

  it('name every difference of a volume in German', () => {
    const folders = { path: '/x', label: 'D_2', files: { iso9660: 1, udf: 2, sectors: 1 } }
    const of = { path: 'x', container: 'y.7z', because: null }
    const size = { bytes: 4, wanted: 5 }
    const parts = [{ offset: 0, length: 2, cause: null }]
    const failure = new AppError('verification-failed', said`it ends early`)
    const examples: { [Code in Difference['code']]: Difference & { code: Code } } = {
      missing: { ...of, code: 'missing' },
      extra: { ...of, code: 'extra' },
      'other-target': { ...of, code: 'other-target' },
      'only-in-udf': { ...of, code: 'only-in-udf' },
      'damaged-recovery-data': { ...of, code: 'damaged-recovery-data' },
      'other-kind': { ...of, code: 'other-kind', found: 'other', wanted: 'symlink' },
      'other-size': { ...of, code: 'other-size', ...size, cause: 'changed' },
      'other-content': { ...of, code: 'other-content', cause: 'corrupted' },
      unreadable: { ...of, code: 'unreadable', because: failure.message },
      cut: { ...of, code: 'cut', parts, offset: 0 },
      'unreadable-parts': { ...of, code: 'unreadable-parts', parts, offset: null },
      'sums-differ': { ...of, code: 'sums-differ' },
      'damaged-lines': { ...of, code: 'damaged-lines' },
      'lost-list': { ...of, code: 'lost-list' },
      'unproved-list': { ...of, code: 'unproved-list', because: failure.message },
      'no-container': { ...of, code: 'no-container' },
      'incomplete-container': { ...of, code: 'incomplete-container' },
      'other-member': { ...of, code: 'other-member' },
      'missing-member': { ...of, code: 'missing-member' },
      'unreadable-member': { ...of, code: 'unreadable-member', because: failure.message },
      'other-whole': { ...of, code: 'other-whole' },
      'image-size': { code: 'image-size', ...size },
      'written-size': { code: 'written-size', ...size },
      'image-label': { code: 'image-label', label: 'A_02' },
      'written-label': { code: 'written-label', label: 'A_02' },
      'other-bytes': { code: 'other-bytes' },
      'no-parity': { code: 'no-parity' },
      'other-parity': { code: 'other-parity' },
      'other-image': { code: 'other-image', label: 'A_02' },
      'udf-lacks': { code: 'udf-lacks', entries: 2 },
      'damaged-folders': { code: 'damaged-folders', folders: { ...folders, damaged: ['iso9660', 'udf'] } },
      'unreadable-volume': { code: 'unreadable-volume', failure },
      'other-listing': { code: 'other-listing', complaints: ['E_FAIL'] },
      'other-stream': { code: 'other-stream' },
      complaint: { code: 'complaint', complaint: 'E_FAIL' },
    }
    const texts = Object.values(examples).flatMap((difference) =>
      ['A_01', null].map((label) => inGerman(differenceFailure(label, difference).message)),
    )
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([])
  })

  it('name in German how the tree of an image is damaged', () => {
    const part = { folder: 'x' }
    const examples: { [Code in TreeFault['code']]: TreeFault & { code: Code } } = {
      'no-iso9660': { code: 'no-iso9660' },
      'no-udf': { code: 'no-udf' },
      'other-block-size': { code: 'other-block-size' },
      'endless-sequence': { code: 'endless-sequence' },
      'too-many-entries': { code: 'too-many-entries' },
      'unreadable-sectors': { code: 'unreadable-sectors' },
      damaged: { code: 'damaged', part },
      'outside-partition': { code: 'outside-partition', part },
      'beyond-end': { code: 'beyond-end', part },
      'in-pieces': { code: 'in-pieces', part },
      'no-extents': { code: 'no-extents', part },
      'other-length': { code: 'other-length', part },
      'other-file-entry': { code: 'other-file-entry', part },
      'other-kind': { code: 'other-kind', part },
      'own-parent': { code: 'own-parent', ...part },
      'no-folder': { code: 'no-folder', ...part },
      'too-large': { code: 'too-large', ...part },
      misplaced: { code: 'misplaced', ...part },
      'damaged-record': { code: 'damaged-record', ...part },
      'cut-name': { code: 'cut-name', ...part },
      'damaged-name': { code: 'damaged-name', ...part },
      'file-in-pieces': { code: 'file-in-pieces', ...part },
      'name-beyond-end': { code: 'name-beyond-end', ...part },
    }
    const parts: TreePart[] = ['anchor', 'volume', 'file-set', { folder: '' }, { entry: 'x' }]
    const faults = [
      ...Object.values(examples),
      ...parts.map((each) => ({ code: 'damaged', part: each }) as const),
    ]
    const texts = faults.map((fault) => inGerman(brokenTree(fault).message))
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([])
    expect(texts).toContain('das Abbild ist nicht lesbar: Ordner „x“ enthält sich selbst')
  })

  it('say in one place that a verification failed', () => {
    const SETS = join(import.meta.dirname, '../../../src/engine/sets')
    const telling = readdirSync(SETS, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && readFileSync(join(SETS, name), 'utf8').includes('`verification of '),
    )
    expect(telling.toSorted()).toEqual(['volume/open/difference.ts', 'write/writeJob.ts'])
  })

  it('name in German what of a tree differs', () => {
    const file = { kind: 'file', bytes: 5, sha256: '' } as const
    const link = { kind: 'symlink', target: 'a' } as const
    const expected = new Map<string, Expected>([
      ['gone', file],
      ['other', file],
      ['short', file],
      ['link', link],
    ])
    const found = new Map<string, Found>([
      ['other', { kind: 'folder' }],
      ['short', { kind: 'file', bytes: 4 }],
      ['link', { kind: 'symlink', target: 'b' }],
      ['more', { kind: 'file', bytes: 1 }],
    ])
    const texts = compareTrees(expected, found).map((difference) =>
      inGerman(differenceFailure('A_01', difference).message),
    )
    expect(texts.toSorted()).toEqual([
      'die Prüfung von A_01 ist fehlgeschlagen: gone: es fehlt',
      'die Prüfung von A_01 ist fehlgeschlagen: link: der symbolische Link hat ein anderes Ziel',
      'die Prüfung von A_01 ist fehlgeschlagen: more: es steht nicht im Plan',
      'die Prüfung von A_01 ist fehlgeschlagen: other: es ist ein Ordner, nicht eine Datei',
      'die Prüfung von A_01 ist fehlgeschlagen: short: es hat 4 Byte statt 5',
    ])
  })

  it('name in German why a disc does not fit', () => {
    const blank = { kind: 'bd-r', name: 'BD-R', blank: true, rewritable: false, capacitySectors: 9 } as const
    const problemOf = (medium: Partial<DriveMedium> | null, problem: string | null = null): string => {
      const whole = medium && { ...blank, usedSectors: 0, speeds: [], ...medium }
      const drive = { device: '/dev/sr0', vendor: null, model: null, problem, medium: whole }
      return inGerman(discProblem(drive, { family: 'bd', name: 'BD-R 25 GB' }, 64)?.problem ?? '')
    }
    expect(problemOf(null)).toBe('in /dev/sr0 ist keine Disc')
    expect(problemOf(null, said`it is not a device`)).toBe('/dev/sr0 ist nicht nutzbar: es ist kein Gerät')
    expect(problemOf({ blank: false })).toBe('die Disc in /dev/sr0 ist nicht leer')
    expect(problemOf({})).toBe(
      'die Disc in /dev/sr0 ist zu klein: sie fasst 9 Sektoren, der Datenträger braucht 64',
    )
  })

  it('keep their values, also sentences and counts among them', () => {
    speakFigures('de')
    const because = said`it has ${'1,204'} bytes instead of ${'1,205'}`
    expect(because).toBe('it has 1,204 bytes instead of 1,205')
    expect(inGerman(said`cannot restore ${'/a/{b}'} from ${"c's.7z"}: ${because}`)).toBe(
      "/a/{b} lässt sich nicht aus c's.7z wiederherstellen: es hat 1.204 Byte statt 1.205",
    )
    speakFigures('en')
    const row = saidAll(['JPG', 'MP4', 'ZIP'])
    const text = said`${row}, bands of ${formatSize(2_400_000)}`
    speakFigures('de')
    expect(inGerman(text)).toBe('JPG, MP4 und ZIP, Bänder zu 2,40 MB')
  })

  it('travel with a failure, and a failure of a file operation has its own', () => {
    const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/a'"), {
      code: 'ENOENT',
    })
    const error = fileFailure(missing, 'read', '/a b')
    expect(error.message).toBe('cannot read /a b: no such file or folder')
    const wire = error.toWire()
    expect(wire.said?.message).toBe('cannot read {0}: {1}')
    expect(inGerman(AppError.fromWire(structuredClone(wire)).message)).toBe(
      '/a b ist nicht lesbar: keine solche Datei und kein solcher Ordner',
    )
  })

  it('are found in a document at any depth', () => {
    const text = said`the password is wrong`
    expect(saidIn({ rows: [{ because: text, path: '/a', bytes: new Uint8Array(2) }] })).toEqual({
      [text]: { message: 'the password is wrong', values: [] },
    })
    expect(saidIn({ path: '/a' })).toBeUndefined()
  })

  it('are recalled from texts that an earlier run kept', () => {
    const recall = recallOf(Object.keys(GERMAN))
    expect(recall('cannot verify PHOTOS_01: it is not built yet')).toEqual({
      message: 'cannot verify {0}: it is not built yet{1}',
      values: ['PHOTOS_01', ''],
    })
    expect(recall('verification of D_1 failed: a (1).jpg: its content differs (SHA-256)')?.values[2]).toEqual(
      {
        message: 'its content differs (SHA-256)',
        values: [],
      },
    )
    expect(recall('12,345 files')).toEqual({
      message: '{0, plural, one {# file} other {# files}}',
      values: [12_345],
    })
    expect(recall('/home/ana/Photos')).toBeUndefined()
  })

  it('read as German in the window', () => {
    expect(inGerman(`cannot label volume 3: the plan has ${formatCounted(2, 'volume')}`)).toBe(
      'Datenträger 3 lässt sich nicht benennen: der Plan hat 2 Datenträger',
    )
  })
})
