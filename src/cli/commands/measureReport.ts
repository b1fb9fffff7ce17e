import {
  type Distribution,
  type MeasureComparison,
  type MeasurementDocument,
  type MeasurementListItem,
  type MeasurePreview,
  type OperationFigures,
  SAMPLE_OPERATIONS,
  type TestRow,
} from '../../contract/dto/measure'
import type { Estimate } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatRate, formatShare, formatSize, threeDigits } from '../../primitives/quantity'
import { formatDuration, formatMoment } from '../../primitives/spokenTime'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'
import { changeText, evidenceText, say, warningText } from './measureWords'

/** Above this share of the device's capacity a person should think twice. */
const MUCH_OF_CAPACITY = 0.05

/** Says what will be written, where and how much, before anything is. */
export function announce(preview: MeasurePreview, out: Terminal): void {
  const where = `${pathForDisplay(preview.directory)} (${deviceText(preview.device)})`
  if (preview.readOnly) {
    out.note(
      `reads ${formatSize(preview.readBytes)} of ${formatCount(preview.files)} files below ${where} and writes nothing`,
    )
    return
  }
  out.note(
    `writes ${formatSize(preview.writeBytes)} to ${where}, at most ${formatSize(preview.peakBytes)} at a time ` +
      `in its own folder, which is removed at the end, and reads ${formatSize(preview.readBytes)}; ` +
      `${formatSize(preview.freeBytes ?? 0)} are free, ${formatSize(preview.keepFreeBytes)} stay free`,
  )
  for (const change of preview.changes) out.note(`  reduced to fit the budget: ${changeText(change)}`)
  const share = preview.shareOfCapacity
  if (share !== null && share > MUCH_OF_CAPACITY) {
    out.note(`  that is ${formatShare(share)} of the device's capacity; --budget limits it`)
  }
}

export function deviceText({ name, kind, bus, fileSystem }: MeasurementDocument['device']): string {
  return [pathForDisplay(name), kind === 'unknown' ? null : kind, bus, fileSystem]
    .filter((part) => part !== null && part !== '')
    .join(', ')
}

/** A measurement as a person reads it. */
export function printMeasurement(document: MeasurementDocument, out: Terminal): void {
  const { id, spec, directory, elapsedMs, writtenBytes, readBytes } = document
  out.line(`Measurement ${id}: ${spec.name} on ${pathForDisplay(directory)}`)
  out.line(`  ${deviceText(document.device)}; ${formatMoment(document.createdWallMs)}`)
  const flushing =
    document.flushMs > 0 ? `, including ${formatDuration(document.flushMs)} for the final flush` : ''
  out.line(
    `  ${formatSize(writtenBytes)} written and ${formatSize(readBytes)} read in ${formatDuration(elapsedMs)}${flushing}`,
  )
  if (document.partial) out.line('  stopped early: the figures are from the completed part')
  out.line()
  const header = ['test', '', 'files', 'sizes', 'median rate', '5 to 95 %', 'median time', 'spread']
  for (const line of textTable(header, document.tests.map(testCells), [2, 4, 5, 6, 7])) out.line(`  ${line}`)
  out.line()
  for (const op of SAMPLE_OPERATIONS) {
    const figures = document[op]
    if (figures) printLine(say(`op.${op}`), figures, out)
  }
  out.line()
  printProof(document, out)
  for (const warning of document.warnings) out.line(`  ! ${warningText(warning)}`)
}

function testCells(row: TestRow): string[] {
  const { smallestBytes, largestBytes, rates, times } = row
  const sizes =
    smallestBytes === largestBytes
      ? formatSize(smallestBytes)
      : `${formatSize(smallestBytes)} to ${formatSize(largestBytes)}`
  return [
    row.name,
    say(`op.${row.op}`),
    formatCount(row.samples),
    sizes,
    formatRate(rates.median),
    rates.n > 1 ? `${formatRate(rates.q05)} to ${formatRate(rates.q95)}` : '',
    formatNs(times.median),
    spreadText(rates),
  ]
}

function spreadText({ spread, median }: Distribution): string {
  return spread === null || median === 0 ? '' : `± ${formatShare(spread / median)}`
}

/** `Read: 2.31 GB/s (2.28 to 2.35, 95 %) + 512 µs a file (…); half speed at 1.18 MB; dispersion 3.1 % ● measured`. */
function printLine(name: string, figures: OperationFigures, out: Terminal): void {
  const { bytesPerSecond, latencyNs, halfSpeedBytes, dispersion } = figures
  const parts = []
  if (bytesPerSecond) parts.push(withRange(bytesPerSecond, formatRate))
  const each = halfSpeedBytes ? 'a file' : 'per access'
  // A latency lost in the noise of the transfers is not one of nothing.
  const isLost = latencyNs?.value === 0
  if (isLost) parts.push(`latency below ${formatNs(latencyNs.high)} ${each} (95 %)`)
  else if (latencyNs) parts.push(`${withRange(latencyNs, formatNs)} ${each}`)
  if (halfSpeedBytes && !isLost) parts.push(`half speed at ${formatSize(Math.round(halfSpeedBytes.value))}`)
  if (dispersion !== null) parts.push(`dispersion ${formatShare(dispersion)}`)
  out.line(`  ${name}: ${parts.join('; ')} ● measured`)
}

function withRange({ value, low, high }: Estimate, write: (value: number) => string): string {
  return `${write(value)} (${write(low)} to ${write(high)}, 95 %)`
}

function printProof({ cache }: MeasurementDocument, out: Terminal): void {
  const obtained =
    cache.requested === cache.obtained ? cache.obtained : `${cache.obtained} (${cache.because ?? ''})`
  const verdict = cache.plausible ? 'plausible' : 'NOT plausible, not used in averages or forecasts'
  out.line(`  Cache: ${cache.requested} requested, ${obtained} obtained: ${verdict}`)
  for (const evidence of cache.evidence) {
    out.line(`    ${evidence.holds ? '+' : '-'} ${evidenceText(evidence)}`)
  }
}

/** `512 µs`, `3.4 ms`, `1.2 s`. */
function formatNs(ns: number): string {
  if (ns < 999.5) return `${Math.round(ns)} ns`
  if (ns < 999_500) return `${threeDigits(ns / 1e3)} µs`
  if (ns < 999_500_000) return `${threeDigits(ns / 1e6)} ms`
  return ns < 60e9 ? `${threeDigits(ns / 1e9)} s` : formatDuration(ns / 1e6)
}

export function printList(items: readonly MeasurementListItem[], out: Terminal): void {
  const rows = items.map((item) => [
    item.id,
    formatMoment(item.createdWallMs),
    item.specName,
    item.writeBytesPerSecond === null ? '' : formatRate(item.writeBytesPerSecond),
    item.readBytesPerSecond === null ? '' : formatRate(item.readBytesPerSecond),
    [item.plausible ? '' : 'not plausible', item.partial ? 'stopped early' : '']
      .filter((part) => part !== '')
      .join(', '),
    `${pathForDisplay(item.deviceName)}: ${pathForDisplay(item.directory)}`,
  ])
  const header = ['measurement', 'made', 'specification', 'write', 'read', '', 'where']
  for (const line of textTable(header, rows, [3, 4])) out.line(line)
}

export function printComparison(comparison: MeasureComparison, out: Terminal): void {
  const { a, b } = comparison
  out.line(
    `${b.id} (${b.specName}, ${pathForDisplay(b.deviceName)}) compared with ${a.id} (${a.specName}, ${pathForDisplay(a.deviceName)})`,
  )
  const ratio = (estimate: Estimate | null, differs: boolean): string =>
    estimate === null
      ? ''
      : `× ${withRange(estimate, threeDigits)} ${differs ? 'significant' : 'no significant difference'}`
  const rows = comparison.operations.map((row) => [
    say(`op.${row.op}`),
    ratio(row.rateRatio, row.rateDiffers),
    ratio(row.latencyRatio, row.latencyDiffers),
  ])
  for (const line of textTable(['', 'rate', 'latency'], rows, [])) out.line(`  ${line}`)
  for (const note of comparison.notes) out.line(`  ! ${say(`note.${note}`)}`)
}

/** All samples as a table for other programs: RFC 4180, a header line first. */
export function* samplesCsv({ samples, tests }: MeasurementDocument): Generator<string> {
  const names = new Map(tests.map(({ test, name }) => [test, name]))
  yield 'test,repeat,operation,bytes,nanoseconds,transfer_nanoseconds,start_milliseconds,bytes_per_second,mark\r\n'
  for (const { test, repeat, op, bytes, ns, transferNs, startMs, mark } of samples) {
    const name = `"${(names.get(test) ?? '').replaceAll('"', '""')}"`
    const rate = ((bytes * 1e9) / Math.max(1, ns)).toFixed(0)
    yield `${[name, repeat, op, bytes, ns, transferNs, startMs.toFixed(3), rate, mark ?? ''].join(',')}\r\n`
  }
}
