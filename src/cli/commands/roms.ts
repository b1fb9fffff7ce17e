import {
  type JudgedFile,
  type JudgedSet,
  type RomsDocument,
  romsRequestSchema,
} from '../../contract/dto/roms'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { knownDetector } from '../../domain/roms/headerDetectors'
import { excludedText } from '../../engine/sets/export/excludedText'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { checked, type OptionToken, readArguments } from '../arguments'
import { ROMS, type ROMS_TABLE_NAMES } from '../declarations/roms'
import { openSession } from '../session'
import { openSettings } from '../settings'
import { type NamedTable, namedTables, printTables } from '../shape/namedTables'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { excludedTable, noteRuleProblems } from './excludedReport'
import { layoutGiven } from './givenDats'
import { optionsCommand } from './options'
import { defaultRulesText, rulesOf } from './surveyRules'

/** Rows of incomplete ROM sets in the summary. */
const SHOWN_SETS = 8
const SHOWN_NOTES = 4

const STATE_WORDS: Readonly<Record<JudgedFile['state'], string>> = {
  right: 'right',
  renamed: 'renamed',
  'bad-dump': 'bad dump',
  duplicate: 'duplicate',
  unneeded: 'unneeded',
  'not-opened': 'not opened',
}

/** `stowage roms`: files compared with DATs. */
export async function romsCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals, tokens } = readArguments(args, ROMS)
  const { dat: dats = [], detector: detectors = [] } = values
  if (positionals.length === 0) throw new AppError('usage', 'give the folders or files to compare')
  if (dats.length === 0) throw new AppError('usage', 'give a DAT with --dat')
  if (values.table?.includes('seed')) return seedTable(tokens, positionals, out)
  if (values['option-for'] !== undefined) throw new AppError('usage', '--option-for goes with --table seed')
  const tables = namedTables(TABLES, values.table)
  const ruled = await rulesOf(tokens, values, await openSettings(out), null)
  const request = checked(
    romsRequestSchema,
    {
      paths: positionals.map((path) => absolutePath(path)),
      dats: dats.map((path) => absolutePath(path)),
      detectors: detectors.filter((name) => knownDetector(name) === null).map((path) => absolutePath(path)),
      knownDetectors: [...new Set(detectors.flatMap((name) => knownDetector(name)?.name ?? []))],
      layout: layoutGiven(values),
      rules: ruled.rules,
      writeHave: pathGiven('write-have', values['write-have']),
      writeMissing: pathGiven('write-missing', values['write-missing']),
    },
    { paths: 'too many paths: name a folder that holds them', dats: 'too many DATs for one comparison' },
  )
  await using session = openSession(out, { canDoWithout: true })
  const romsId = await session.run(() => session.engine.roms.compare(request))
  const document = await session.engine.roms.get({ romsId })
  out.document(document)
  if (tables.length > 0) await printTables(document, tables, out)
  else printSummary(document, defaultRulesText(ruled), out)
  noteRuleProblems(document, ruled.areDefault, out)
  for (const dat of document.written ?? []) noteWritten(dat, out)
  if (document.skipped.length > 0 && tables.length === 0)
    out.note(`${formatCounted(document.skipped.length, 'path')} could not be read:`)
  for (const { message } of document.skipped.slice(0, SHOWN_NOTES)) out.note(pathForDisplay(message))
  return document.skipped.length > 0 ? EXIT.doneWithSkips : EXIT.done
}

/** Options of a comparison with DATs alone. */
const COMPARED_ONLY: ReadonlySet<string> = new Set(['detector', 'write-have', 'write-missing'])

/**
 * `--table seed`: what every reduction makes of the files, by the survey and the table of
 * `stowage options`.
 */
function seedTable(
  tokens: readonly OptionToken[],
  positionals: readonly string[],
  out: Terminal,
): Promise<number> {
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, value } = token
    const isOther = name === 'table' && value !== 'seed'
    if (isOther || COMPARED_ONLY.has(name))
      throw new AppError(
        'usage',
        `--table seed surveys the files instead of comparing them: leave out --${name}${isOther ? ` ${value}` : ''}`,
      )
    if (name !== 'table') words.push(value === undefined ? `--${name}` : `--${name}=${value}`)
  }
  return optionsCommand([...words, '--table', 'reductions', '--', ...positionals], out)
}

function pathGiven(option: string, path: string | undefined): string | undefined {
  if (path === '') throw new AppError('usage', `--${option} is empty`)
  return path === undefined ? undefined : absolutePath(path)
}

function noteWritten(
  { kind, path, games, files, replaced }: NonNullable<RomsDocument['written']>[number],
  out: Terminal,
): void {
  const what = kind === 'have' ? 'file' : 'missing file'
  out.note(
    `saved ${formatCounted(games, 'ROM set')} with ${formatCounted(files, what)} as ${pathForDisplay(path)}`,
  )
  if (replaced > 0)
    out.note(`${formatCounted(replaced, 'name')} in it had characters that XML cannot hold: now �`)
}

function printSummary(document: RomsDocument, defaultRules: string | null, out: Terminal): void {
  const { totals, sets, dats, files, skipped, excluded } = document
  out.lines(wrapped(conclusion(document)))
  out.line()
  const rows = Object.entries(STATE_WORDS).map(([state, words]) => ({
    words,
    count: totals.files[state as JudgedFile['state']] ?? 0,
  }))
  out.lines(
    ownTableLines(
      [
        { heading: 'files', kind: 'words', of: ({ words }) => words },
        { heading: 'count', kind: 'count', of: ({ count }) => count },
      ],
      rows.filter(({ count }) => count > 0),
    ),
    '  ',
  )
  const incomplete = sets.filter(({ state }) => state !== 'complete').toSorted(mostPresentFirst)
  if (incomplete.length > 0) {
    out.line()
    out.lines(ownTableLines(SET_COLUMNS, incomplete.slice(0, SHOWN_SETS)), '  ')
    if (incomplete.length > SHOWN_SETS)
      out.line(`  … ${formatCount(incomplete.length - SHOWN_SETS)} more: --table sets`)
  }
  out.line()
  out.lines(wrapped(`  ${howKnown(document)}`, '  '))
  if (excluded && excluded.rules.length > 0)
    out.lines(wrapped(`  Left out: ${excludedText(excluded)}.`, '  '))
  if (defaultRules !== null) out.lines(wrapped(`  ${defaultRules}`, '  '))
  const notes = dats.flatMap(({ name, path, notes: own }) =>
    own.map(
      ({ text, count }) =>
        `${name || pathForDisplay(path)}: ${text}${count > 1 ? ` (${formatCount(count)} such cases)` : ''}`,
    ),
  )
  for (const note of notes.slice(0, SHOWN_NOTES)) out.note(note)
  if (notes.length > SHOWN_NOTES) out.note(`${formatCount(notes.length - SHOWN_NOTES)} more notes: --json`)
  const faulty = new Set(skipped.map(({ path }) => path))
  const nested = files.filter(
    ({ state, path, member }) => state === 'not-opened' && member !== null && !faulty.has(path),
  ).length
  if (nested > 0)
    out.note(
      `${formatCounted(nested, 'archive')} inside of archives ${nested === 1 ? 'is' : 'are'} not opened: --table files`,
    )
}

function conclusion({ totals, dats }: RomsDocument): string {
  const { complete, partial, missing } = totals.sets
  const all = complete + partial + missing
  const named = dats.length === 1 ? dats[0]?.name || 'the DAT' : formatCounted(dats.length, 'DAT')
  if (all === 0) return `${named} has no ROM sets with files.`
  return `${formatCount(complete)} of ${formatCounted(all, 'ROM set')} of ${named} are complete, ${formatCount(partial)} partial and ${formatCount(missing)} missing: ${formatCount(totals.present)} of ${formatCounted(totals.needed, 'file')} found.`
}

/** The provenance of the judgement. */
function howKnown({ totals, files }: RomsDocument): string {
  const stated = files.filter(({ known }) => known === 'header').length
  const read = `Checksums of ${formatSize(totals.hashedBytes)} were computed`
  const verb = stated === 1 ? 'is' : 'are'
  const archives =
    stated === 0
      ? ''
      : `; ${formatCounted(stated, 'file')} ${verb} known by the checksum that ${stated === 1 ? 'its' : 'their'} archive or CHD states, which was not computed`
  return `${read}${archives}.`
}

function mostPresentFirst(one: JudgedSet, other: JudgedSet): number {
  return other.present - one.present || (one.name < other.name ? -1 : 1)
}

const SET_COLUMNS: readonly TableColumn<JudgedSet, string>[] = [
  { heading: 'ROM set', kind: 'name', of: ({ name }) => name },
  { heading: 'state', kind: 'words', of: ({ state }) => state },
  { heading: 'found', kind: 'count', of: ({ present }) => present },
  { heading: 'needed', kind: 'count', of: ({ files }) => files },
  { heading: 'right', kind: 'count', of: ({ right }) => right },
]

interface MissingRow {
  readonly set: string
  readonly name: string
  readonly bytes: number | null
  readonly mia: boolean
}

const MISSING_COLUMNS: readonly TableColumn<MissingRow, string>[] = [
  { heading: 'ROM set', kind: 'name', of: ({ set }) => set },
  { heading: 'file', kind: 'name', of: ({ name }) => name },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'known', kind: 'words', of: ({ mia }) => (mia ? 'missing in action' : '') },
]

const FILE_COLUMNS: readonly TableColumn<JudgedFile, string>[] = [
  {
    heading: 'state',
    kind: 'words',
    of: ({ state, by }) => `${STATE_WORDS[state]}${by === null ? '' : ` by ${by}`}`,
  },
  {
    heading: 'path',
    kind: 'path',
    of: ({ path, member }) => (member === null ? path : `${path}: ${member}`),
  },
  { heading: 'ROM set', kind: 'name', of: ({ set }) => set ?? '' },
  { heading: 'its name there', kind: 'name', of: ({ name }) => name ?? '' },
]

const DAT_COLUMNS: readonly TableColumn<RomsDocument['dats'][number], string>[] = [
  { heading: 'DAT', kind: 'name', of: ({ name }) => name },
  { heading: 'version', kind: 'name', of: ({ version, date }) => version || date },
  { heading: 'format', kind: 'code', of: ({ format }) => format },
  { heading: 'layout', kind: 'code', of: ({ layout }) => layout },
  { heading: 'games', kind: 'count', of: ({ games }) => games },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'detectors', kind: 'name', of: ({ detectors }) => detectors.join(', ') },
]

type ComparedTable = Exclude<(typeof ROMS_TABLE_NAMES)[number], 'seed'>
const TABLES: Readonly<Record<ComparedTable, NamedTable<RomsDocument>>> = {
  sets: ({ sets }) => ownTableLines(SET_COLUMNS, sets),
  missing: ({ sets }) =>
    ownTableLines(
      MISSING_COLUMNS,
      sets.flatMap(({ name: set, missing }) => missing.map((file): MissingRow => ({ set, ...file }))),
    ),
  files: ({ files }) => ownTableLines(FILE_COLUMNS, files),
  dats: ({ dats }) => ownTableLines(DAT_COLUMNS, dats),
  excluded: ({ excluded }) => excludedTable(excluded),
}
