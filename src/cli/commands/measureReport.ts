import {
  type ContainerMeasurement,
  type ContainerOfAll,
  type DevicePreview,
  type MeasureComparison,
  type MeasurementDocument,
  type MeasurementListItem,
  type MeasurePreview,
  type MeasureSample,
  type OperationFigures,
  SAMPLE_OPERATIONS,
  type SampleOperation,
  type TestRow,
} from '../../contract/dto/measure'
import {
  CONTAINER_TABLE,
  MEASURE_COMPARISON_TABLE,
  MEASUREMENT_LIST_TABLE,
  runPlaceText,
  runStateText,
  testTable,
} from '../../contract/tables/measureTables'
import { type ContainerRow, containerRows } from '../../domain/devices/containerRows'
import { nameOfTest } from '../../domain/devices/testSpec'
import { containerName } from '../../primitives/containerName'
import type { Estimate } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatShare } from '../../primitives/quantity'
import { formatDuration, formatMoment, formatNs } from '../../primitives/spokenTime'
import { csvLines } from '../shape/csvLines'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { formatRate, formatSize, formatSizeRange } from '../shape/sizes'
import { tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { changeText, evidenceText, say, warningText } from './measureWords'

/** Above this share of the device's capacity a person should think twice. */
const MUCH_OF_CAPACITY = 0.05
const SHOWN_TESTS = 8
const SHOWN_WARNINGS = 2

/** Says what will be written, where and how much, before anything is. */
export function announce(preview: MeasurePreview, out: Terminal): void {
  const note = (text: string): void => out.notes(wrapped(text, '  '))
  const inside = preview.container
    ? `a container (${containerName(preview.container)}) in `
    : preview.containers
      ? `${formatCount(preview.containers)} kinds of containers one after another in `
      : ''
  const where = `${inside}${pathForDisplay(preview.directory)} (${deviceText(preview.device)})`
  if (preview.readOnly) {
    note(
      `reads ${formatSize(preview.readBytes)} of ${formatCount(preview.files)} files below ${where} and writes nothing`,
    )
    return
  }
  note(writesText(preview, inside))
  if (inside !== '') note(`  ${say('container.ranges')}`)
  for (const change of preview.changes) note(`  reduced to fit the budget: ${changeText(change)}`)
  for (const text of capacityNotes(preview)) note(text)
}

/** The place and amount of the writing of a measurement or a sweep. */
export function writesText(preview: DevicePreview, inside = ''): string {
  return (
    `writes ${formatSize(preview.writeBytes)} to ${inside}${pathForDisplay(preview.directory)} (${deviceText(preview.device)}), ` +
    `at most ${formatSize(preview.peakBytes)} at a time in its own folder, which is removed at the end, ` +
    `and reads ${formatSize(preview.readBytes)}; ${formatSize(preview.freeBytes ?? 0)} are free, ` +
    `${formatSize(preview.keepFreeBytes)} stay free`
  )
}

/** Where much of the device is written: how much. */
export function capacityNotes({ shareOfCapacity: share }: Pick<DevicePreview, 'shareOfCapacity'>): string[] {
  if (share === null || share <= MUCH_OF_CAPACITY) return []
  return [`  that is ${formatShare(share)} of the device's capacity; --budget limits it`]
}

export function deviceText({ name, kind, bus, fileSystem }: MeasurementDocument['device']): string {
  return [pathForDisplay(name), kind === 'unknown' ? null : kind, bus, fileSystem]
    .filter((part) => part !== null && part !== '')
    .join(', ')
}

/**
 * A measurement as a person reads it: the rates first, then the tests; `all` has every column,
 * proof and warning.
 */
export function printMeasurement(document: MeasurementDocument, all: boolean, out: Terminal): void {
  const { id, spec, directory, elapsedMs, writtenBytes, readBytes, cache, warnings } = document
  const show = (text: string): void => out.lines(wrapped(text, '  '))
  const rates = SAMPLE_OPERATIONS.flatMap((op) => {
    const rate = document[op]?.bytesPerSecond
    return rate ? [`${say(`op.${op}`)} ${formatRate(rate.value)}`] : []
  })
  const way = document.container ? 'flushed' : cache.obtained
  const proof = cache.plausible ? `${way}, plausible` : 'NOT plausible, so not used in forecasts'
  const { container } = document
  const where = `${container ? `inside a container (${containerName(container)}) ` : ''}on ${pathForDisplay(directory)}`
  show(`${[...rates, proof].join(', ')}. Measurement ${id}: ${spec.name} ${where}.`)
  const flushing =
    document.flushMs > 0 ? `, including ${formatDuration(document.flushMs)} for the final flush` : ''
  show(
    `  ${deviceText(document.device)}; ${formatMoment(document.createdWallMs)}; ${formatSize(writtenBytes)} written ` +
      `and ${formatSize(readBytes)} read in ${formatDuration(elapsedMs)}${flushing}`,
  )
  if (document.partial) out.line('  stopped early: the figures are from the completed part')
  if (container) show(`  ${say('container.ranges')}`)
  out.line()
  const again = new Set(container?.rewritten.tests)
  const rows = [...document.tests, ...again]
  const tests = firstRows(rows, all ? Number.POSITIVE_INFINITY : SHOWN_TESTS, '--all')
  const table = testTable({ isContainer: container !== undefined, isPlausible: cache.plausible })
  const keys = ['test', 'operation', 'samples', 'sizes', 'rates', 'middle', 'spread'] as const
  const operation = (row: TestRow): string => (again.has(row) ? againText(row.op) : say(`op.${row.op}`))
  const shown = tableLines(table, all ? [...keys, 'times'] : keys, tests.shown, { cells: { operation } })
  out.lines(shown, '  ')
  out.lines(tests.rest, '  ')
  out.line()
  for (const op of SAMPLE_OPERATIONS) {
    const figures = document[op]
    if (figures) show(operationText(say(`op.${op}`), figures, container ? 'range' : 'file', all))
  }
  for (const line of compressedLines(document)) show(line)
  if (container) {
    for (const op of AGAIN) {
      const figures = container.rewritten[op]
      if (figures) show(operationText(say(`again.${op}`), figures, 'range', all))
    }
    for (const line of occupiedLines(document, container)) show(line)
  }
  printProof(document, all, out)
  const listed = firstRows(
    warnings,
    all ? Number.POSITIVE_INFINITY : SHOWN_WARNINGS,
    `measure --show ${id} --all`,
  )
  for (const warning of listed.shown) out.lines(wrapped(`  ! ${warningText(warning)}`, '    '))
  out.lines(listed.rest, '  ')
  if (!cache.plausible || !document.write || !document.read) return
  const next = container ? ['options', 'FOLDER'] : ['options', 'FOLDER', '--profile', id]
  out.lines(['', ...nextCommand('Next:', next)])
}

/**
 * Every kind of container as a person reads it: the fastest one, then each in each state, then what
 * was not measured.
 */
export function printContainers(
  document: MeasurementDocument,
  containers: readonly ContainerOfAll[],
  all: boolean,
  out: Terminal,
): void {
  const { id, spec, directory, elapsedMs, writtenBytes, readBytes, cache, notMeasured = [] } = document
  const show = (text: string): void => out.lines(wrapped(text, '  '))
  const rows = containerRows(containers)
  const proof = cache.plausible ? 'flushed, plausible' : 'NOT plausible, so not used in forecasts'
  show(
    `${fastestText(rows)}${proof}. Measurement ${id}: ${spec.name} in every kind of container on ${pathForDisplay(directory)}.`,
  )
  show(
    `  ${deviceText(document.device)}; ${formatMoment(document.createdWallMs)}; ${formatSize(writtenBytes)} written ` +
      `and ${formatSize(readBytes)} read in ${formatDuration(elapsedMs)}`,
  )
  if (document.partial) out.line('  stopped early: the figures are from the completed part')
  out.line()
  const cells = { state: ({ state }: ContainerRow) => say(`state.${state}`) }
  const keys = all ? ALL_CONTAINER_KEYS : CONTAINER_KEYS
  out.lines(tableLines(CONTAINER_TABLE, keys, rows, { cells }), '  ')
  for (const { kind, encryption, reason } of notMeasured)
    show(`  not measured: ${containerName({ kind, encryption, bandSize: null })}: ${reason}`)
  out.line()
  if (all) show(`  ${say('container.states')} ${say('container.ranges')}`)
  printProof(document, all, out)
  for (const warning of document.warnings) out.lines(wrapped(`  ! ${warningText(warning)}`, '    '))
  if (cache.plausible) out.lines(['', ...nextCommand('Next:', ['options', 'FOLDER'])])
}

const ALL_CONTAINER_KEYS = Object.keys(CONTAINER_TABLE) as (keyof typeof CONTAINER_TABLE)[]
const CONTAINER_KEYS = ALL_CONTAINER_KEYS.filter((key) => key !== 'writeRange' && key !== 'readRange')

/** `Fastest when new: write UDRW 1.2 GB/s, read UDSB 2.1 GB/s; `; nothing of a stopped run. */
function fastestText(rows: readonly ContainerRow[]): string {
  const fresh = rows.filter(({ state }) => state === 'fresh')
  const fastest = (op: 'write' | 'read'): string => {
    const known = fresh.filter((row) => row[op] !== null)
    const first = known.toSorted((a, b) => (b[op]?.value ?? 0) - (a[op]?.value ?? 0))[0]
    return first ? `${containerName({ ...first, bandSize: null })} ${formatRate(first[op]?.value ?? 0)}` : ''
  }
  const [write, read] = [fastest('write'), fastest('read')]
  return write === '' || read === '' ? '' : `Fastest when new: write ${write}, read ${read}; `
}

/** The table of every kind of container for other programs. */
export function containersCsv(containers: readonly ContainerOfAll[]): Generator<string> {
  return csvLines(CONTAINER_TABLE, ALL_CONTAINER_KEYS, containerRows(containers))
}

/** `  zstd-3 stored 1.2 GB of 3.0 GB (40 %) ■; 21 % of the rate of reading alone ●`. */
function compressedLines({ spec, compressed, compress, read }: MeasurementDocument): string[] {
  if (!compressed || spec.codec === undefined) return []
  const { bytes, storedBytes } = compressed
  const [rate, alone] = [compress?.bytesPerSecond?.value, read?.bytesPerSecond?.value]
  const compared = rate && alone ? `; ${formatShare(rate / alone)} of the rate of reading alone ●` : ''
  return [
    `  ${spec.codec} stored ${formatSize(storedBytes)} of ${formatSize(bytes)} (${formatShare(storedBytes / bytes)}) ■${compared}`,
  ]
}

const AGAIN = ['write', 'read', 'randomRead', 'randomWrite'] as const

function againText(op: SampleOperation): string {
  const known = AGAIN.find((each) => each === op)
  return known ? say(`again.${known}`) : say(`op.${op}`)
}

/**
 * `Occupied: Single transfers: 1.00 GB for ranges of 1.00 GB, 1.00 GB after writing them again ■`;
 * of repeats the last.
 */
function occupiedLines({ spec }: MeasurementDocument, { occupied }: ContainerMeasurement): string[] {
  const last = new Map(occupied.map((each) => [each.test, each]))
  return [...last.values()].map(({ test, diskBytes, freshBytes, rewrittenBytes }) => {
    const again = rewrittenBytes === null ? '' : `, ${formatSize(rewrittenBytes)} after writing them again`
    const name = spec.tests[test] ? nameOfTest(spec.tests[test], test) : ''
    return `  Occupied by "${name}": ${formatSize(freshBytes)} for ranges of ${formatSize(diskBytes)}${again} ■`
  })
}

/** An upper end of nothing is no bound: the range is of the fit, and not of the clock. */
function lostLatencyText(high: number, each: string): string {
  return high < 0.5
    ? `latency too short to be measured ${each}`
    : `latency below ${formatNs(high)} ${each} (95 %)`
}

/**
 * `Read: 2.31 GB/s (2.28 to 2.35, 95 %); 512 µs (…) a file; half speed at 1.18 MB;
 * dispersion 3.1 % ●`.
 */
function operationText(
  name: string,
  figures: OperationFigures,
  what: 'file' | 'range',
  all: boolean,
): string {
  const { bytesPerSecond, latencyNs, halfSpeedBytes, dispersion } = figures
  const parts = []
  if (bytesPerSecond) parts.push(rateText(bytesPerSecond))
  const each = halfSpeedBytes ? `a ${what}` : 'per access'
  // A latency lost in the noise of the transfers is not one of nothing.
  const isLost = latencyNs?.value === 0
  if (isLost) parts.push(lostLatencyText(latencyNs.high, each))
  else if (latencyNs) parts.push(`${withRange(latencyNs, formatNs)} ${each}`)
  if (halfSpeedBytes && !isLost) parts.push(`half speed at ${formatSize(Math.round(halfSpeedBytes.value))}`)
  if (all && dispersion !== null) parts.push(`dispersion ${formatShare(dispersion)}`)
  return `  ${name}: ${parts.join('; ')} ●`
}

function rateText({ value, low, high }: Estimate): string {
  return `${formatRate(value)} (${formatSizeRange(value, low, high)}, 95 %)`
}

function withRange({ value, low, high }: Estimate, write: (value: number) => string): string {
  return `${write(value)} (${write(low)} to ${write(high)}, 95 %)`
}

/** The evidence is listed where it does not hold, or where all is asked for. */
function printProof(
  { cache, container, containers }: MeasurementDocument,
  all: boolean,
  out: Terminal,
): void {
  const obtained =
    cache.requested === cache.obtained ? cache.obtained : `${cache.obtained} (${cache.because ?? ''})`
  const verdict = cache.plausible ? 'plausible' : 'NOT plausible, not used in averages or forecasts'
  const way =
    container || containers
      ? 'each range flushed, pages dropped before each read'
      : `${cache.requested} requested, ${obtained} obtained`
  const text = `  Cache: ${way}: ${verdict} (● measured)`
  out.lines(wrapped(text, '  '))
  for (const evidence of cache.evidence) {
    if (evidence.holds && !all) continue
    out.lines(wrapped(`    ${evidence.holds ? '+' : '-'} ${evidenceText(evidence)}`, '      '))
  }
}

/** The state of an earlier run (plausible or not, complete or not) and its place. */
export function runCells(
  run: Pick<MeasurementListItem, 'plausible' | 'partial' | 'deviceName' | 'directory'>,
  ...first: readonly string[]
): [state: string, place: string] {
  return [[...first, runStateText(run)].filter((part) => part !== '').join(', '), runPlaceText(run)]
}

export function printList(items: readonly MeasurementListItem[], out: Terminal): void {
  const keys = Object.keys(MEASUREMENT_LIST_TABLE) as (keyof typeof MEASUREMENT_LIST_TABLE)[]
  out.lines(tableLines(MEASUREMENT_LIST_TABLE, keys, items))
}

export function printComparison(comparison: MeasureComparison, out: Terminal): void {
  const { a, b } = comparison
  const compared = `${b.id} (${b.specName}, ${pathForDisplay(b.deviceName)}) compared with ${a.id} (${a.specName}, ${pathForDisplay(a.deviceName)})`
  out.lines(wrapped(compared, '  '))
  const cells = { operation: ({ op }: { readonly op: SampleOperation }) => say(`op.${op}`) }
  const lines = tableLines(
    MEASURE_COMPARISON_TABLE,
    ['operation', 'rate', 'latency'],
    comparison.operations,
    { cells },
  )
  out.lines(lines, '  ')
  for (const note of comparison.notes) out.lines(wrapped(`  ! ${say(`note.${note}`)}`, '  '))
}

/**
 * All samples as a table for other programs: RFC 4180, a header line first. Those of a rewritten
 * container come last.
 */
export function* samplesCsv({ samples, tests, container }: MeasurementDocument): Generator<string> {
  const names = new Map(tests.map(({ test, name }) => [test, name]))
  const state = container ? ',state' : ''
  yield `test,repeat,operation,bytes,nanoseconds,transfer_nanoseconds,start_milliseconds,bytes_per_second,mark${state}\r\n`
  const line = (sample: MeasureSample, end: string): string => {
    const { test, repeat, op, bytes, ns, transferNs, startMs, mark } = sample
    const name = `"${(names.get(test) ?? '').replaceAll('"', '""')}"`
    const rate = ((bytes * 1e9) / Math.max(1, ns)).toFixed(0)
    const cells = [name, repeat, op, bytes, ns, transferNs, startMs.toFixed(3), rate, mark ?? '']
    return `${cells.join(',')}${end}\r\n`
  }
  for (const sample of samples) yield line(sample, container ? ',fresh' : '')
  for (const sample of container?.rewritten.samples ?? []) yield line(sample, ',rewritten')
}
