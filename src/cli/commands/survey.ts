import { resolve } from 'node:path'
import { type SurveyDocument, surveyDocumentSchema, surveyRequestSchema } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatRate, formatShare, formatSize } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { readArguments } from '../arguments'
import { SURVEY } from '../declarations/survey'
import { openSession, type Session } from '../session'
import type { Terminal } from '../terminal'
import { textTable } from '../textTable'
import { printForecasts } from './surveyForecasts'
import { surveyMergeCommand } from './surveyMerge'
import { printTrust } from './surveyTrust'

/** How many of the skipped things are listed on a terminal. */
const SHOWN_SKIPS = 20
const SHOWN_TYPES = 12

export async function surveyCommand(args: readonly string[], out: Terminal): Promise<number> {
  if (args[0] === 'merge') return surveyMergeCommand(args.slice(1), out)
  const { values, positionals } = readArguments(args, SURVEY)
  if (positionals.length === 0) throw new AppError('usage', 'give the folders or files to survey')
  const maxMemoryBytes = parseSize(values['max-memory'])
  const request = surveyRequestSchema.safeParse({
    paths: positionals.map((path) => resolve(path)),
    sha256: values.sha256,
    blocksFrom512: values['512'],
    samples: values.quick ? 'quick' : values.samples,
    maxMemoryBytes,
    full: values.full,
    order: values['order-list'] !== undefined,
  })
  if (!request.success) throw new AppError('usage', request.error.issues[0]?.message ?? 'not a survey')
  const orderList = values['order-list']
  if (orderList !== undefined && ['quick', 'none'].includes(request.data.samples)) {
    throw new AppError('usage', '--order-list needs samples: not with --quick or --samples none')
  }
  const session = openSession(out)
  try {
    const surveyId = await session.run(() => session.engine.survey.start(request.data))
    const document = surveyDocumentSchema.parse(await session.engine.survey.get({ surveyId }))
    if (values.out !== undefined) await save(session, surveyId, resolve(values.out), values.force, out)
    if (values.sketch !== undefined) {
      await session.saveSketchFile(surveyId, resolve(values.sketch), values.force)
      out.note(`sketch saved as ${pathForDisplay(resolve(values.sketch))}`)
    }
    if (orderList !== undefined) {
      await session.saveOrderList(surveyId, resolve(orderList), values.force)
      out.note(`order of ${formatCount(document.totals.files)} files: ${pathForDisplay(resolve(orderList))}`)
    }
    out.document(document)
    printSurvey(document, out)
    return document.totals.skipped > 0 ? EXIT.doneWithSkips : EXIT.done
  } finally {
    await session.close()
  }
}

async function save(
  session: Session,
  surveyId: string,
  file: string,
  force: boolean,
  out: Terminal,
): Promise<void> {
  await session.saveSurveyFile(surveyId, file, force)
  out.note(`saved as ${pathForDisplay(file)}`)
}

/** The survey as a person reads it. */
function printSurvey(document: SurveyDocument, out: Terminal): void {
  const { totals, duplicateFiles } = document
  out.line(`Survey ${document.id} of ${document.roots.map(pathForDisplay).join(', ')}`)
  out.line()
  out.line(
    `  ${formatCounted(totals.files, 'file')} in ${formatCounted(totals.folders, 'folder')}, ` +
      `${formatSize(totals.bytes)} (${formatCount(totals.bytes)} bytes, exact)`,
  )
  out.line(`  on disk ${formatSize(totals.allocatedBytes)}${sparse(document)}${hardLinks(document)}`)
  out.line(`  ${[...overhead(document), clones(document)].join('; ')}`)
  if (totals.symlinks > 0) out.line(`  ${formatCount(totals.symlinks)} symbolic links, kept as links`)
  out.line(
    `  ${formatCounted(duplicateFiles.groups, 'group')} of identical files: ${formatSize(duplicateFiles.bytes)} stored again`,
  )
  printTrust(document, out)
  printReading(document, out)
  out.line()
  printBlocks(document, out)
  out.line()
  printTypes(document, out)
  printForecasts(document, out)
  printSkips(document, out)
}

/** How fast what was read was read; of what was trusted nothing was. */
function printReading({ totals, timing, trusted }: SurveyDocument, out: Terminal): void {
  const bytesRead = totals.bytes - (trusted?.bytes ?? 0)
  const took = `in ${formatDuration(timing.passMs)} with ${timing.threads} threads`
  if (trusted && bytesRead === 0) return out.line(`  scanned ${took}`)
  const rate = formatRate(bytesRead / Math.max(timing.passMs / 1000, 0.001))
  out.line(`  ${trusted ? `${formatSize(bytesRead)} ` : ''}read ${took}, ${rate} ● measured`)
  if (timing.reading) out.line(`  number of threads: ${timing.reading.because}`)
}

function sparse({ totals }: SurveyDocument): string {
  return totals.sparseBytes > 0 ? `, ${formatSize(totals.sparseBytes)} of it holes in sparse files` : ''
}

function clones({ totals, trusted }: SurveyDocument): string {
  if (totals.clonedBytes === null && trusted) return 'unchanged files are not checked for clones'
  if (totals.clonedBytes === null) return 'the file system does not report clones'
  return `${formatSize(totals.clonedBytes)} of it is shared by clones`
}

/** What files take on the disk beyond their bytes: mostly the rest of each last block. */
function overhead({ totals }: SurveyDocument): string[] {
  const { slackBytes, files } = totals
  if (slackBytes === null || files === 0) return []
  return [`${formatSize(slackBytes)} of it overhead, ${formatSize(Math.round(slackBytes / files))} per file`]
}

function hardLinks({ totals }: SurveyDocument): string {
  if (totals.hardLinks === 0) return ''
  return `, ${formatCount(totals.hardLinks)} additional names (hard links, ${formatSize(totals.hardLinkedBytes)} if copied)`
}

function printBlocks(document: SurveyDocument, out: Terminal): void {
  const rows = document.fixedBlocks.map((level) => [
    formatSize(level.blockSize, 'binary'),
    formatCount(level.blocks),
    formatCount(level.uniqueBlocks),
    formatSize(level.uniqueBytes),
    document.totals.bytes > 0 ? formatShare(level.uniqueBytes / document.totals.bytes) : '',
    level.exact ? '■ exact' : `◐ ${formatSize(level.low)} to ${formatSize(level.high)} (95 %)`,
  ])
  const header = ['block size', 'blocks', 'unique', 'unique bytes', 'share', 'certainty']
  for (const line of textTable(header, rows, [0, 1, 2, 3, 4])) out.line(`  ${line}`)
}

function printTypes(document: SurveyDocument, out: Terminal): void {
  const rows = document.types
    .slice(0, SHOWN_TYPES)
    .map((row) => [
      row.extension === null ? 'others' : row.extension === '' ? '(none)' : pathForDisplay(row.extension),
      formatCount(row.files),
      formatSize(row.bytes),
    ])
  for (const line of textTable(['type', 'files', 'bytes'], rows, [1, 2])) out.line(`  ${line}`)
}

function printSkips(document: SurveyDocument, out: Terminal): void {
  const { skipped } = document.totals
  if (skipped === 0) return
  out.note(`${formatCount(skipped)} paths could not be read, so this survey is incomplete:`)
  for (const skip of document.skipped.slice(0, SHOWN_SKIPS)) {
    out.note(`  ${pathForDisplay(skip.message)} [${skip.code}]`)
  }
  if (skipped > SHOWN_SKIPS) out.note(`  and ${formatCount(skipped - SHOWN_SKIPS)} more`)
}
