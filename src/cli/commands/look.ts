import { costRange } from '../../contract/costText'
import type { LookDocument } from '../../contract/dto/look'
import { DISK_MEDIUM, type Option, optionsRequestSchema } from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { countRange } from '../../contract/tables/optionTables'
import { pricesOf } from '../../domain/media/price'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { mediaCatalogue } from '../../engine/media/mediaCatalogue'
import { AppError } from '../../primitives/appError'
import type { Estimate } from '../../primitives/estimate'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { readArguments } from '../arguments'
import { LOOK } from '../declarations/look'
import { pathsOf, projectGiven } from '../project'
import { openSession } from '../session'
import { openSettings, printConfig } from '../settings'
import { MARKS } from '../shape/marks'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { noteRuleProblems } from './excludedReport'
import { draftOf, printDraft } from './lookDraft'
import { lookAt } from './lookedSource'
import { priceLines, sizeText } from './optionsSummary'
import { defaultRulesText, rulesOf } from './surveyRules'

/** Next to the usual medium: how few discs there could be. */
const LARGEST_DISC = 'bdxl-100'
/** Packing that saves less at the value of its range is not worth its time. */
const WORTHWHILE = 0.05
/** A survey that takes less is not worth a figure. */
const MOMENT_SECONDS = 60

/** `stowage look`: what a survey would find, estimated from names, sizes and a sample. */
export async function lookCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals, tokens } = readArguments(args, LOOK)
  const project = await projectGiven(values, positionals, out)
  const settings = await openSettings(out, project)
  const ruled = await rulesOf(tokens, values, settings, project)
  const usual = settings.used('medium')
  if (values['print-config'])
    return printConfig([usual, ...ruled.used, settings.used('work-folder'), settings.used('units')], out)
  if (!project && positionals.length === 0)
    throw new AppError('usage', 'give the folders or files to look at')
  const paths = project ? pathsOf(project) : positionals
  const media = values.medium ?? [usual.value, LARGEST_DISC]
  const mediumIds = [...new Set(media.map((text) => resolveMedium(mediaCatalogue, text).id))]
  if (values.draft && mediumIds.length > 1 && values.medium)
    throw new AppError('usage', '--draft lays files out on one medium: give --medium once')
  const prices = pricesOf(settings.used('prices').value)
  await using session = openSession(out)
  if (values.draft) {
    const mediumId = mediumIds[0] as string
    const draft = await draftOf(session, paths, ruled.rules, { mediumId, prices })
    out.document(draft)
    if (!out.json) printDraft(draft, paths, out)
    return EXIT.done
  }
  const document = await lookAt(session, paths, ruled.rules)
  out.document(document)
  if (!out.json) {
    const asked = optionsRequestSchema.parse({
      surveyId: document.id,
      mediumIds: [DISK_MEDIUM, ...mediumIds],
      prices,
    })
    const { options } = await session.engine.options.list(asked)
    printLook(document, { options, mediumIds, paths }, out)
    const defaults = defaultRulesText(ruled)
    if (defaults !== null) out.lines(wrapped(`  ${defaults}`, '  '))
  }
  noteRuleProblems(document, ruled.areDefault, out)
  return document.totals.skipped > 0 ? EXIT.doneWithSkips : EXIT.done
}

/** One way to store the source, on a disk and on each medium; undefined where it cannot be. */
interface Row {
  readonly name: string
  readonly option: Option
  readonly on: readonly (Option | undefined)[]
}

function printLook(
  document: LookDocument,
  {
    options,
    mediumIds,
    paths,
  }: { options: readonly Option[]; mediumIds: readonly string[]; paths: readonly string[] },
  out: Terminal,
): void {
  const { totals, roots } = document
  const place = roots.map(pathForDisplay).join(', ')
  if (totals.files === 0) return out.line(`${place} holds no files, so there is nothing to store.`)
  const onDisk = options.filter(({ medium }) => medium === DISK_MEDIUM)
  const best = leastOf(onDisk)
  const holds = `${place} holds ${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)}.`
  out.lines(wrapped(`${holds} ${packingText(document, best)}`))
  out.line()
  const rows = onDisk.flatMap((option): Row[] => {
    if (option.variant !== 'plain' && option !== best) return []
    const on = mediumIds.map((medium) =>
      options.find((one) => one.medium === medium && one.variant === option.variant),
    )
    return [{ name: option.variant === 'plain' ? 'files as they are' : option.name, option, on }]
  })
  rows.sort((one, other) => Number(one.option === best) - Number(other.option === best))
  out.lines(ownTableLines(columnsOf(mediumIds, rows), rows), '  ')
  out.line()
  const facts = [identicalText(document), typesText(document)].filter((text) => text !== '')
  out.lines(wrapped(`  ${facts.join('; ')}.`, '  '))
  out.lines(priceLines({ options: rows.flatMap(({ on }) => on.flatMap((option) => option ?? [])) }))
  out.lines(wrapped(`  Preliminary estimate: ${readText(document)}. (■ exact ◐ modelled ○ assumed)`, '  '))
  out.lines(
    wrapped(
      `  Only a survey tells what deduplication and solid archives save; it takes ${timeText(document.surveySeconds)}\u00a0○.`,
      '  ',
    ),
  )
  out.line()
  out.lines(nextCommand('Next:', ['survey', ...paths]))
  if (totals.skipped > 0) out.note(`${formatCounted(totals.skipped, 'path')} could not be listed:`)
  for (const { message } of document.skipped.slice(0, 2)) out.note(`  ${pathForDisplay(message)}`)
}

function leastOf(options: readonly Option[]): Option | null {
  return options.reduce<Option | null>(
    (best, one) => (best === null || one.estimate.bytes.value < best.estimate.bytes.value ? one : best),
    null,
  )
}

/** `Packing would save about 3 % (1–6 %): not worth it.` */
function packingText({ totals, compression }: LookDocument, best: Option | null): string {
  if (totals.bytes === 0) return 'All are empty, so there is nothing to save.'
  if (compression.length === 0 || best === null)
    return 'Nothing could be sampled: only a survey tells what packing saves.'
  const { value, low, high } = best.estimate.bytes
  const saved = (bytes: number): string => formatShare(Math.max(0, 1 - bytes / totals.bytes))
  const verdict = 1 - value / totals.bytes < WORTHWHILE ? ': hardly worth it' : ''
  return `Packing would save about ${saved(value)} (${saved(high)} to ${saved(low)}) ${MARKS.modelled}${verdict}.`
}

function identicalText({ identical }: LookDocument): string {
  if (identical === null) return 'files were not compared'
  if (identical.most === 0) return 'no two files have the same size ■'
  const { saved } = identical
  if (saved.high === 0) return `no identical files found ◐`
  if (saved.value === 0) return `identical files take at most ${formatSize(saved.high)} more than once ◐`
  return `identical files take about ${sizeText(saved)} more than once`
}

/** The types with the most bytes. */
function typesText({ types, totals }: LookDocument): string {
  const named = types.filter(({ extension }) => extension !== null && extension !== '').slice(0, 4)
  if (named.length === 0) return ''
  const shares = named.map(
    ({ extension, bytes }) => `.${extension} ${formatShare(bytes / Math.max(1, totals.bytes))}`,
  )
  return `${shares.join(', ')} ${MARKS.exact}`
}

/** `96.0 MiB were read, 2.3 % of the content, in 402 places`. */
function readText(document: LookDocument): string {
  const { sample, totals } = document
  const share = sample.bytes / Math.max(1, totals.bytes)
  const all = sample.end === 'all' && sample.unreadable === 0
  const size = formatSize(all ? totals.bytes : sample.bytes)
  if (all) return `all ${size} were sampled`
  return `${size} were sampled, ${formatShare(share)} of the content${endText(document)}`
}

function endText({ sample: { end, units, unreadable } }: LookDocument): string {
  const places = `, in ${formatCount(units)} places`
  const lost = unreadable > 0 ? `; ${formatCount(unreadable)} of them could not be read` : ''
  return `${places}${end === 'time' ? ', until the time was over' : ''}${lost}`
}

/** `about 6 h (4 h to 12 h)`. */
function timeText({ value, low, high }: Estimate): string {
  if (high < MOMENT_SECONDS) return 'less than a minute'
  const text = (seconds: number): string => formatDuration(seconds * 1000)
  return `about ${text(value)} (${text(low)} to ${text(high)})`
}

function columnsOf(mediumIds: readonly string[], rows: readonly Row[]): readonly TableColumn<Row, string>[] {
  return [
    { heading: '', kind: 'words', of: ({ name }) => name },
    {
      heading: 'size',
      kind: 'bytes',
      of: ({ option }) => option.estimate.bytes.value,
      text: ({ option }) => sizeText(option.estimate.bytes),
    },
    ...mediumIds.flatMap((id, at): TableColumn<Row, string>[] => {
      const discs: TableColumn<Row, string> = {
        heading: resolveMedium(mediaCatalogue, id).name,
        kind: 'count',
        of: ({ on }) => on[at]?.estimate.volumes.value ?? null,
        text: ({ on }) => discsText(on[at]),
      }
      const cost: TableColumn<Row, string> = {
        heading: 'cost',
        kind: 'count',
        of: () => null,
        text: ({ on }) => costText(on[at]),
      }
      return rows.some(({ on }) => costText(on[at]) !== '') ? [discs, cost] : [discs]
    }),
    { heading: 'option', kind: 'code', of: ({ option }) => option.variant },
  ]
}

/** `165`, `160–170`. */
function discsText(option: Option | undefined): string {
  if (!option || option.breaks.includes('medium')) return 'does not fit'
  return `${countRange(option.estimate.volumes)} ${MARKS[option.estimate.volumes.provenance]}`
}

/** `2.55–3.40 EUR`; empty where no price is noted, or the option does not fit. */
function costText(option: Option | undefined): string {
  return option?.cost && !option.breaks.includes('medium') ? costRange(option.cost) : ''
}
