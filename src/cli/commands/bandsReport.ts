import type {
  BandSweepDocument,
  BandSweepListItem,
  BandSweepPoint,
  BandSweepPreview,
  SweepRate,
} from '../../contract/dto/bands'
import type { BandsInUse } from '../../domain/devices/bandsInUse'
import {
  hdiutilAttach,
  hdiutilConvert,
  hdiutilCreate,
  type MacCommand,
} from '../../domain/images/macArguments'
import { macCommandLine } from '../../engine/tools/macImages'
import type { Span } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBandSize, formatCount, formatShare } from '../../primitives/quantity'
import { formatDuration, formatMoment } from '../../primitives/spokenTime'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { formatRate, formatSize, formatSizeRange } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { capacityNotes, deviceText, runCells, writesText } from './measureReport'
import { sweepWarningText } from './measureWords'

const SHOWN_POINTS = 8
const SHOWN_WARNINGS = 1

/** Says what will be written, where and how much, before anything is. */
export function announceSweep(preview: BandSweepPreview, out: Terminal): void {
  const note = (text: string): void => out.notes(wrapped(text, '  '))
  note(writesText(preview))
  note(
    `  ${formatCount(preview.points.length)} combinations (with a raw file as reference), ${preview.repeats} rounds in random ` +
      `order, passes of ${formatSize(preview.passBytes)}, each flushed at its end; cached data is dropped before reading`,
  )
  if (preview.tooLarge.length > 0) {
    const sizes = preview.tooLarge.map(formatBandSize).join(', ')
    note(
      `  a pass covers fewer than two bands of ${sizes}: timed, but not recommended; --budget makes passes longer`,
    )
  }
  for (const text of capacityNotes(preview)) note(text)
}

/**
 * A sweep as a person reads it: the recommendation, then the rates; `all` has every size and the
 * ratios too.
 */
export function printSweep(
  document: BandSweepDocument,
  used: BandsInUse | null,
  all: boolean,
  out: Terminal,
): void {
  const { id, directory, elapsedMs, writtenBytes, readBytes, request, reference, recommended } = document
  const show = (text: string): void => out.lines(wrapped(text, '  '))
  printRecommendation(document, out)
  if (used) show(usedText(used))
  show(
    `Band sweep ${id} in ${pathForDisplay(directory)} (${deviceText(document.device)}), ${formatMoment(document.createdWallMs)}`,
  )
  if (all) {
    show(
      `  ${document.repeats} rounds in passes of ${formatSize(document.passBytes)}, requests of ${formatSize(request.requestBytes, 'binary')}, ` +
        `flushed at the end of each pass; ${formatSize(writtenBytes)} written and ${formatSize(readBytes)} read in ${formatDuration(elapsedMs)}`,
    )
  }
  out.line()
  const full = formatSize(request.fullBytes)
  const ratios = ['× raw write', '× raw read', '× raw copy']
  const header = ['', `bands at ${full}`, 'write', 'read', 'copy', ...(all ? ratios : [])]
  const isChosen = (point: BandSweepPoint): boolean => pointText(point, recommended).endsWith('←')
  const points = document.points.toSorted((one, other) => Number(isChosen(other)) - Number(isChosen(one)))
  const listed = firstRows(
    all ? document.points : points,
    all ? Number.POSITIVE_INFINITY : SHOWN_POINTS,
    `bands --show ${id} --all`,
  )
  const inOrder = document.points.filter((point) => listed.shown.includes(point))
  const rows = [reference, ...inOrder].map((point) =>
    pointCells(point === reference ? 'raw file' : pointText(point, recommended), point).slice(
      0,
      header.length,
    ),
  )
  out.lines(textTable(header, rows, [1]), '  ')
  out.lines(listed.rest, '  ')
  show(`  ● measured: medians of ${document.repeats} rounds with their ${rangeName(document)} ranges`)
  printCache(document, out)
  const warnings = firstRows(
    document.warnings,
    all ? Number.POSITIVE_INFINITY : SHOWN_WARNINGS,
    `bands --show ${id} --all`,
  )
  for (const warning of warnings.shown) out.lines(wrapped(`  ! ${sweepWarningText(warning)}`, '    '))
  out.lines(warnings.rest, '  ')
  const { bandSize, encryption } = recommended
  if (bandSize === null) return
  const size = ['--size', `${request.fullBytes}B`, '--band', `${bandSize}B`]
  const encrypt = encryption === null ? [] : ['--encrypt', String(encryption)]
  const next = nextCommand('Next:', ['image', 'create', 'Archive.sparsebundle', ...size, ...encrypt])
  out.lines(['', ...next])
}

/** How many bands of a sparse bundle were in use on this disk after filling and deleting. */
function usedText({ measurementId, bandSize, full, left }: BandsInUse): string {
  return (
    `In use here: of ${formatCount(full)} bands of ${formatBandSize(bandSize)} when full, ${formatCount(left)} ` +
    `after most was deleted ● measured (${measurementId})`
  )
}

function pointCells(name: string, { bands, write, read, stream, ofReference }: BandSweepPoint): string[] {
  return [
    name,
    bands === null ? '' : formatCount(bands),
    rateText(write),
    rateText(read),
    rateText(stream),
    ratioText(ofReference.write),
    ratioText(ofReference.read),
    ratioText(ofReference.stream),
  ]
}

function pointText(
  { kind, encryption, bandSize }: BandSweepPoint,
  recommended: BandSweepDocument['recommended'],
): string {
  const size = bandSize === null ? '' : ` ${formatBandSize(bandSize)}`
  const isChosen =
    kind === 'UDSB' && encryption === recommended.encryption && bandSize === recommended.bandSize
  return `${kind}${size}${encryption === null ? '' : ` AES-${encryption}`}${isChosen ? ' ←' : ''}`
}

/** `812 MB/s 790–840`: the range in the unit of its rate. */
function rateText(rate: SweepRate | null): string {
  if (rate === null) return ''
  const { value, low, high } = rate
  const range = low === null || high === null ? '' : ` ${formatSizeRange(value, low, high)}`
  return `${formatRate(value)}${range}`
}

/** `0.95 0.91–0.99`. */
function ratioText(ratio: Span | null): string {
  return ratio === null ? '' : `${ratio.value.toFixed(2)} ${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`
}

function rangeName({ reference }: BandSweepDocument): string {
  const confidence = reference.write?.confidence ?? null
  return confidence === null ? '' : formatShare(confidence)
}

function printRecommendation({ recommended }: BandSweepDocument, out: Terminal): void {
  const { bandSize, because, expected, isNoise } = recommended
  const what =
    bandSize === null
      ? 'No band size recommended.'
      : `Recommended: bands of ${formatBandSize(bandSize)}${isNoise ? ' (no other size is measurably faster)' : ''}.`
  out.lines(wrapped(`${what} ${because}`, '  '))
  if (!expected) return
  const { write, read, stream } = expected
  const rates = `write ${rateText(write)}, read ${rateText(read)}, copy ${rateText(stream)}`
  out.lines(wrapped(`Expected here: ${rates} ● measured`, '  '))
}

function printCache({ cache }: BandSweepDocument, out: Terminal): void {
  const left =
    cache.residentBytes === null
      ? 'the system does not report what stayed'
      : `${formatSize(cache.residentBytes)} stayed`
  const counted =
    cache.deviceReadBytes === null
      ? 'the device has no counters'
      : `the device counted ${formatSize(cache.deviceReadBytes)} of ${formatSize(cache.readBytes)} read`
  const text =
    `  Cache: ${formatSize(cache.droppedBytes)} dropped before reading, ${left}; ${counted}: ` +
    `${cache.plausible ? 'plausible' : 'NOT plausible'}. Metadata of band files stays cached.`
  out.lines(wrapped(text, '  '))
}

export function printSweeps(items: readonly BandSweepListItem[], out: Terminal): void {
  const rows = items.map((item) => [
    item.id,
    formatMoment(item.createdWallMs),
    item.bandSize === null ? 'none' : formatBandSize(item.bandSize),
    formatSize(item.fullBytes),
    ...runCells(item, item.isNoise ? 'noise' : ''),
  ])
  out.lines(textTable(['sweep', 'made', 'bands', 'full size', '', 'where'], rows, [2, 3]))
}

/**
 * The commands for a Mac that create the recommended bundle: macOS's own program, each word safely
 * quoted.
 */
export function macCommandLines({ recommended, request }: BandSweepDocument): string[] {
  const { bandSize, encryption } = recommended
  if (bandSize === null) return ['', 'No band size is recommended, so there are no commands.']
  const bytes = Math.floor(request.fullBytes / 512) * 512
  const path = 'Archive.sparsebundle'
  const wanted = encryption === null ? {} : { encryption }
  const commands: readonly (readonly [string, MacCommand])[] = [
    [
      'create it',
      hdiutilCreate({
        path,
        type: 'SPARSEBUNDLE',
        bytes,
        fileSystem: 'APFS',
        volumeName: 'Archive',
        bandBytes: bandSize,
        ...wanted,
      }),
    ],
    ['open it', hdiutilAttach({ path, mountPoint: null, readOnly: false, isEncrypted: encryption !== null })],
    [
      'change the band size of an existing image',
      hdiutilConvert({ from: 'Old.sparsebundle', to: path, format: 'UDSB', bandBytes: bandSize, ...wanted }),
    ],
  ]
  return ['', 'On a Mac:', ...commands.map(([what, command]) => `  ${macCommandLine(command)}   # ${what}`)]
}

/** All passes as a table for other programs: RFC 4180, a header line first. */
export function* sweepCsv(document: BandSweepDocument): Generator<string> {
  yield 'container,encryption,band_bytes,bands_when_full,round,operation,bytes,nanoseconds,bytes_per_second\r\n'
  const points = [document.reference, ...document.points]
  for (const { point, round, op, bytes, ns } of document.samples) {
    const { kind, encryption, bandSize, bands } = points[point] as BandSweepPoint
    const rate = ((bytes * 1e9) / ns).toFixed(0)
    yield `${[kind, encryption ?? '', bandSize ?? '', bands ?? '', round, op, bytes, ns, rate].join(',')}\r\n`
  }
}
