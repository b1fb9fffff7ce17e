import { basename } from 'node:path'
import type { KeptDocument, SurveyDocument } from '../../contract/dto/survey'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { typeName } from '../../contract/tables/surveyTables'
import { packsTiny } from '../../domain/options/recipes/packsTiny'
import type { Excluded } from '../../domain/survey/rules/rules'
import { costlyTinyFiles } from '../../domain/survey/tinyFiles'
import { excludedText } from '../../engine/sets/export/excludedText'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { nextCommand } from '../shape/nextCommand'
import { formatRate, formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { keptText } from './keptReport'
import { freeName } from './nextForOption'
import { duplicatesText, type Stored, smallestOfEach, surveyConclusion } from './surveyConclusion'
import { SURVEY_TABLES } from './surveyTables'
import { printSilentChanges, printTrust } from './surveyTrust'

const SHOWN_SKIPS = 2
const SHOWN_TYPES = 5
/** The first tables stand for all; an unknown name lists them. */
const NAMED_TABLES = 3
const LEGEND = '(■ exact ◐ modelled ● measured)'

/**
 * The survey as a person reads it: the conclusion, the best of each kind of saving, what is there,
 * what to do next.
 * @param more.kept null where the catalog has no verified volume
 * @param more.defaultRules the sentence about default rules; null where none count
 */
export function printSummary(
  document: SurveyDocument,
  more: { kept: KeptDocument | null; defaultRules: string | null },
  out: Terminal,
): void {
  const { totals } = document
  const { kept, defaultRules } = more
  out.lines(wrapped(surveyConclusion(document)))
  out.line()
  if (totals.bytes > 0) {
    out.lines(ownTableLines(storedColumns(document), waysToStore(document)), '  ')
    out.line()
  }
  const facts = [
    ...largestTypes(document),
    duplicatesText(document),
    ...onDisk(document),
    readingText(document),
  ]
  out.lines(wrapped(`  ${facts.join('; ')}. ${LEGEND}`, '  '))
  printTrust(document, out)
  printSilentChanges(document, out)
  const keptLine = kept && keptText(kept)
  if (keptLine !== null) out.lines(wrapped(`  ${keptLine}`, '  '))
  const datLine = datText(document)
  if (datLine !== null) out.lines(wrapped(`  ${datLine}`, '  '))
  if (document.excluded && document.excluded.rules.length > 0)
    out.lines(wrapped(`  Left out: ${excludedText(document.excluded)}${counting(document.excluded)}.`, '  '))
  if (defaultRules !== null) out.lines(wrapped(`  ${defaultRules}`, '  '))
  for (const line of ownFolderLines(document)) out.lines(wrapped(`  ${line}`, '  '))
  printTinyFiles(document, out)
  if (totals.files > 0) printNext(document, out)
  printSkips(document, out)
}

/** How many files DATs know; null where none was given. */
function datText({ dat, totals }: SurveyDocument): string | null {
  if (!dat) return null
  const [first] = dat.dats
  const named = dat.dats.length === 1 && first?.name ? first.name : formatCounted(dat.dats.length, 'DAT')
  return (
    `By ${named}: ${formatCount(dat.files)} of ${formatCounted(totals.files, 'file')} are of ` +
    `${formatCounted(dat.groups, 'parent')} with clones ■; --table groups shows an archive for each.`
  )
}

/** Names the cost of many tiny files, and the command that packs the folder with most of them. */
function printTinyFiles(document: SurveyDocument, out: Terminal): void {
  const tiny = costlyTinyFiles(document)
  if (tiny === null) return
  const share = formatShare(tiny.sectorLossBytes / Math.max(1, document.totals.bytes))
  const lost = `on discs ${formatSize(tiny.sectorLossBytes)} are lost in last sectors, ${share} of the content ■`
  const most = tiny.folder
    ? `, ${formatCount(tiny.folder.files)} of them in ${pathForDisplay(tiny.folder.path)}`
    : ''
  out.lines(wrapped(`  ${formatCount(tiny.files)} files under 4 KiB${most}: ${lost}.`, '  '))
  const folder = tiny.folder?.path ?? document.roots[0] ?? ''
  const name = freeName(`${basename(folder) || 'tiny'}-packed`)
  const paths = tiny.folder ? [tiny.folder.path] : document.roots
  out.lines(
    nextCommand('  To pack them:', [
      'plan',
      ...paths,
      '--option',
      packsTiny(tiny.folder?.bytes ?? tiny.bytes),
      '--medium',
      'disk',
      '--out',
      name,
    ]),
  )
}

/** How to have the content of folders counted. */
function counting({ folders, counted }: Excluded): string {
  return folders > 0 && !counted ? ' (--dry-run counts it)' : ''
}

/** Nothing is planned from a survey that was stopped early, so it is finished instead. */
function printNext({ id, partial, roots }: SurveyDocument, out: Terminal): void {
  out.line()
  out.lines(nextCommand('Next:', ['options', '--survey', id]))
  if (partial) out.lines(nextCommand('To finish it:', ['survey', ...roots]))
  else out.line('For discs, add --medium bd-r-25 or another of "stowage media".')
  const full = nextCommand('In full:', ['survey', '--survey', id, '--all']).join(' ')
  const names = Object.keys(SURVEY_TABLES).slice(0, NAMED_TABLES).join(', ')
  out.lines(wrapped(`${full} (or --table ${names} …)`, '  '))
}

function waysToStore(document: SurveyDocument): Stored[] {
  const { totals, duplicateFiles } = document
  const { blocks, chunks, files, together, solid, groups } = smallestOfEach(document)
  const once = totals.bytes - duplicateFiles.bytes
  const rows: (Stored | null)[] = [
    { how: 'files as they are', bytes: totals.bytes, low: totals.bytes, high: totals.bytes },
    duplicateFiles.groups === 0
      ? null
      : { how: 'files, identical ones once', bytes: once, low: once, high: once },
    blocks,
    chunks,
    files,
    together,
    groups !== null && solid !== null && groups.high < solid.high ? groups : solid,
  ]
  return rows.filter((row) => row !== null)
}

function storedColumns({ totals, partial }: SurveyDocument): readonly TableColumn<Stored, string>[] {
  return [
    { heading: 'stored as', kind: 'words', of: ({ how }) => how },
    {
      heading: 'size',
      kind: 'bytes',
      of: ({ bytes }) => bytes,
      mark: ({ low, high }) => (low === high && !partial ? 'exact' : 'modelled'),
    },
    {
      heading: '95 %',
      kind: 'byteRange',
      of: ({ bytes: value, low, high }) => (low === high ? null : { value, low, high }),
    },
    {
      heading: 'saved',
      kind: 'share',
      of: ({ bytes }) => (bytes >= totals.bytes ? null : 1 - bytes / totals.bytes),
    },
  ]
}

function largestTypes({ types }: SurveyDocument): string[] {
  const named = types.filter(({ extension, bytes }) => extension !== null && bytes > 0).slice(0, SHOWN_TYPES)
  if (named.length === 0) return []
  return [
    `mostly ${named.map((row) => `${pathForDisplay(typeName(row.extension))} ${formatSize(row.bytes)}`).join(', ')}`,
  ]
}

/** The space that the files take on the disk, and the part that is not content. */
function onDisk({ totals }: SurveyDocument): string[] {
  const {
    slackBytes,
    sparseBytes,
    hardLinks,
    hardLinkedBytes,
    symlinks,
    clonedBytes,
    folders,
    special = 0,
  } = totals
  const facts = [`${formatCounted(folders, 'folder')}; ${formatSize(totals.allocatedBytes)} on disk`]
  if (slackBytes !== null && slackBytes > 0) facts.push(`${formatSize(slackBytes)} overhead`)
  if (sparseBytes > 0) facts.push(`${formatSize(sparseBytes)} of holes in sparse files`)
  if (clonedBytes !== null && clonedBytes > 0) facts.push(`${formatSize(clonedBytes)} shared by clones`)
  if (hardLinks > 0) {
    facts.push(`${formatCount(hardLinks)} hard links (${formatSize(hardLinkedBytes)} if copied)`)
  }
  if (symlinks > 0) facts.push(formatCounted(symlinks, 'symbolic link'))
  if (special > 0) facts.push(`${formatCounted(special, 'special file')} not kept (pipes, sockets, devices)`)
  return facts
}

/**
 * One line for Stowage's own folders, which are not surveyed, and one for other sets of Stowage,
 * which are.
 */
function ownFolderLines({ leftOut = [], otherSets = [] }: SurveyDocument): string[] {
  const files = leftOut.reduce((sum, folder) => sum + folder.files, 0)
  const bytes = leftOut.reduce((sum, folder) => sum + folder.bytes, 0)
  const own = `Stowage's own (${formatCounted(files, 'file')}, ${formatSize(bytes)})`
  return [
    ...(leftOut.length === 0 ? [] : [`Left out: ${firstOf(leftOut.map(({ path }) => path))}, ${own}.`]),
    ...(otherSets.length === 0 ? [] : [`Kept like any folder: ${firstOf(otherSets)}, made by Stowage.`]),
  ]
}

/** `/a/b and 2 more` */
function firstOf([first = '', ...more]: readonly string[]): string {
  return `${pathForDisplay(first)}${more.length === 0 ? '' : ` and ${formatCount(more.length)} more`}`
}

/** How fast what was read was read; unchanged files were not. */
function readingText({ totals, timing, trusted }: SurveyDocument): string {
  const bytesRead = totals.bytes - (trusted?.bytes ?? 0)
  const took = `in ${formatDuration(timing.passMs)} with ${formatCounted(timing.threads, 'thread')}`
  if (bytesRead === 0) return `scanned ${took}`
  const rate = formatRate(bytesRead / Math.max(timing.passMs / 1000, 0.001))
  return `${trusted ? `${formatSize(bytesRead)} read` : 'read'} ${took}, ${rate} ●`
}

function printSkips({ totals, skipped }: SurveyDocument, out: Terminal): void {
  if (totals.skipped === 0) return
  const paths = totals.skipped === 1 ? '1 path' : `${formatCount(totals.skipped)} paths`
  const how = totals.skipped > SHOWN_SKIPS ? ' (--table skipped lists them)' : ''
  out.note(`${paths} could not be read, so this survey is incomplete${how}:`)
  for (const skip of skipped.slice(0, SHOWN_SKIPS)) out.note(`  ${pathForDisplay(skip.message)}`)
}
