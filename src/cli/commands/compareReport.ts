import type { CompareDocument, OptionBuild } from '../../contract/dto/options'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatShare, threeDigits } from '../../primitives/quantity'
import { formatMoment } from '../../primitives/spokenTime'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'
import { csvCell, figureText, MARKS } from './optionsReport'

const FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
type Figure = (typeof FIGURES)[number]
const NAMES: Readonly<Record<Figure, string>> = { bytes: 'size', buildSeconds: 'time', ramBytes: 'memory' }

/** One build: forecast, range, fact and signed error. */
export function printBuild(build: OptionBuild, out: Terminal): void {
  const { id, name, tool, version, command, path, discarded, sha256, forecast, actual } = build
  out.line(`Build ${id}: ${name}, with ${tool} ${version}`)
  out.line(`  ${pathForDisplay(command)}`)
  out.line()
  const rows = FIGURES.flatMap((figure) => {
    const found = actual[figure]
    if (found === null) return []
    const { value, low, high, provenance } = forecast[figure]
    const text = (each: number): string => figureText(figure, each)
    const held = low <= found && found <= high ? 'within' : 'outside'
    const range = `${text(low)} to ${text(high)}`
    const row = [
      `${text(value)} ${MARKS[provenance]}`,
      range,
      `${text(found)} ●`,
      errorText(value, found),
      held,
    ]
    return [[NAMES[figure], ...row]]
  })
  const header = ['', 'forecast', '95 %', 'actual', 'error', 'range']
  for (const line of textTable(header, rows, [1, 3, 4])) out.line(`  ${line}`)
  out.line()
  if (sha256 !== null) out.line(`  SHA-256 ${sha256}: a rebuild gives the same bytes`)
  for (const note of build.notes) out.line(`  ${note}`)
  out.line(discarded ? '  Removed after the build, as requested.' : `  It is at ${pathForDisplay(path)}`)
}

/** `+3.1 %`: so much more was forecast than came. */
function errorText(forecast: number, actual: number): string {
  if (!(actual > 0)) return ''
  return signed(forecast / actual - 1)
}

function signed(error: number): string {
  const sign = error < 0 ? '-' : '+'
  return `${sign}${threeDigits(Math.abs(error) * 100)} %`
}

export function printComparison(document: CompareDocument, out: Terminal): void {
  const { builds, summary, calibration, runs } = document
  if (builds.length === 0 && runs.length === 0) {
    out.line('No builds yet. Build an option with stowage options build.')
    return
  }
  const made = builds.length === 1 ? '1 build' : `${formatCount(builds.length)} builds`
  out.line(`Forecast vs. actual: ${made} of options on this machine`)
  out.line()
  const rows = builds.map(({ createdWallMs, variant, sourceBytes, errors }) => [
    formatMoment(createdWallMs),
    variant,
    figureText('bytes', sourceBytes),
    ...FIGURES.flatMap((figure) => {
      const compared = errors[figure]
      if (compared === null) return ['', '']
      return [figureText(figure, compared.actual), `${signed(compared.error)}${compared.held ? '' : ' !'}`]
    }),
  ])
  const header = ['when', 'option', 'source', 'size ●', 'error', 'time ●', 'error', 'memory ●', 'error']
  for (const line of textTable(header, rows, [2, 3, 4, 5, 6, 7, 8])) out.line(`  ${line}`)
  if (builds.length > 0) out.line('  error: forecast relative to actual; !: outside the range')
  for (const { figure, builds: count, medianError, held } of summary) {
    out.line(
      `  ${NAMES[figure]}: median absolute error ${formatShare(medianError)}, ${formatCount(held)} of ${formatCount(count)} within the range`,
    )
  }
  if (calibration.length > 0) {
    out.line()
    out.line('Calibration: factors for later forecasts (off with --no-calibration)')
    const lines = calibration.map(({ variant, figure, factor, builds: count, spread }) => [
      variant,
      NAMES[figure],
      `× ${threeDigits(factor)}`,
      spread === null ? '' : `± ${formatShare(spread)}`,
      formatCount(count),
    ])
    for (const line of textTable(['option', 'figure', 'factor', '95 %', 'builds'], lines, [2, 3, 4])) {
      out.line(`  ${line}`)
    }
  }
  for (const { runId, planId, volumes, forecastSectors, actualSectors } of runs) {
    const isRight = forecastSectors === actualSectors ? 'exact' : signed(forecastSectors / actualSectors - 1)
    out.line(
      `  run ${runId} of plan ${planId}: ${formatCount(volumes)} volumes, ${formatCount(actualSectors)} sectors, forecast ${isRight}`,
    )
  }
}

type Cell = string | number | boolean

export function* compareCsv({ builds }: CompareDocument): Iterable<string> {
  const columns = ['Forecast', 'Low', 'High', 'Actual', 'Error', 'UncalibratedError', 'Held']
  const header = ['id', 'when', 'variant', 'tool', 'version', 'sourceBytes', 'sourceFiles']
  yield `${[...header, ...FIGURES.flatMap((figure) => columns.map((column) => `${figure}${column}`))].join(',')}\n`
  for (const build of builds) {
    const { id, createdWallMs, variant, tool, version, sourceBytes, sourceFiles, errors } = build
    const figures = FIGURES.flatMap((figure): Cell[] => {
      const compared = errors[figure]
      if (compared === null) return columns.map((): Cell => '')
      const { forecast, actual, error, uncalibratedError, held } = compared
      const cells: Cell[] = [
        forecast.value,
        forecast.low,
        forecast.high,
        actual,
        error,
        uncalibratedError,
        held,
      ]
      return cells
    })
    const row = [id, new Date(createdWallMs).toISOString(), variant, tool, version, sourceBytes, sourceFiles]
    yield `${[...row, ...figures].map((cell) => csvCell(String(cell))).join(',')}\n`
  }
}
