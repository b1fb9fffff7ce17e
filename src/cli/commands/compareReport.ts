import type { CompareDocument, OptionBuild } from '../../contract/dto/options'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatShare, threeDigits } from '../../primitives/quantity'
import { formatMoment } from '../../primitives/spokenTime'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { actualText, csvCell, figureText, MARKS, rangeText } from './optionsReport'

const SHOWN_BUILDS = 5
const SHOWN_RUNS = 2

const STEPS = ['pack', 'build', 'write', 'verify'] as const
const FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
type Figure = (typeof FIGURES)[number]
const NAMES: Readonly<Record<Figure, string>> = { bytes: 'size', buildSeconds: 'time', ramBytes: 'memory' }

/** One build: forecast, range, actual and signed error. */
export function printBuild(build: OptionBuild, out: Terminal): void {
  const { id, name, tool, version, command, path, discarded, sha256, forecast, actual } = build
  const show = (text: string): void => out.lines(wrapped(text, '    '))
  const what = `${figureText('bytes', actual.bytes)} in ${actualText('buildSeconds', actual.buildSeconds)}`
  const where = discarded ? 'removed after the build, as requested' : `at ${pathForDisplay(path)}`
  show(`Built: ${name}, ${what}, ${where}.`)
  show(`  Build ${id}, with ${tool} ${version}: ${pathForDisplay(command)}`)
  out.line()
  const rows = FIGURES.flatMap((figure) => {
    const found = actual[figure]
    if (found === null) return []
    const { value, low, high, provenance } = forecast[figure]
    const held = low <= found && found <= high ? 'within' : 'outside'
    const row = [
      `${figureText(figure, value)} ${MARKS[provenance]}`,
      rangeText(figure, { low, high }),
      `${actualText(figure, found)} ●`,
      errorText(value, found),
      held,
    ]
    return [[NAMES[figure], ...row]]
  })
  const header = ['', 'forecast', '95 %', 'actual', 'error', 'range']
  out.lines(textTable(header, rows, [1, 3, 4]), '  ')
  if (sha256 !== null) {
    out.line('  A rebuild gives the same bytes, with this SHA-256:')
    out.line(`  ${sha256}`)
  }
  for (const note of build.notes) show(`  ${note}`)
  out.line()
  out.lines(nextCommand('Next:', ['compare']))
}

/** `+3.1 %`: the forecast was 3.1 % above the actual. */
function errorText(forecast: number, actual: number): string {
  if (!(actual > 0)) return ''
  return signed(forecast / actual - 1)
}

function signed(error: number): string {
  const sign = error < 0 ? '-' : '+'
  return `${sign}${threeDigits(Math.abs(error) * 100)} %`
}

/** How far forecasts were off, then the newest builds; `all` has every build and run. */
export function printComparison(document: CompareDocument, all: boolean, out: Terminal): void {
  const { builds, summary, runs, times } = document
  if (builds.length === 0 && runs.length === 0 && times.length === 0) {
    out.line('No builds yet. Build an option with stowage options build.')
    return
  }
  const most = (rows: number): number => (all ? Number.POSITIVE_INFINITY : rows)
  out.line(`Forecast vs. actual: ${formatCounted(builds.length, 'build')} of options on this machine`)
  for (const { figure, builds: count, medianError, held } of summary) {
    out.line(
      `  ${NAMES[figure]}: median absolute error ${formatShare(medianError)}, ${formatCount(held)} of ${formatCount(count)} within the range`,
    )
  }
  if (builds.length > 0) printBuilds(firstRows(builds, most(SHOWN_BUILDS), '--all'), all, out)
  const listed = firstRows(runs, most(SHOWN_RUNS), '--all')
  for (const { runId, planId, volumes, forecastSectors, actualSectors } of listed.shown) {
    const isRight = forecastSectors === actualSectors ? 'exact' : signed(forecastSectors / actualSectors - 1)
    out.line(
      `  run ${runId} of plan ${planId}: ${formatCounted(volumes, 'volume')}, ${formatCount(actualSectors)} sectors, forecast ${isRight}`,
    )
  }
  out.lines(listed.rest, '  ')
  printStepTimes(document, all, out)
}

/** How far the times of plans were off, step by step; `all` has every run. */
function printStepTimes({ times }: CompareDocument, all: boolean, out: Terminal): void {
  if (times.length === 0) return
  out.line()
  out.line('Times of plans: forecast vs. actual')
  if (!all) {
    for (const step of STEPS) {
      const own = times.filter((time) => time.step === step)
      if (own.length === 0) continue
      const errors = own.map(({ error }) => Math.abs(error)).toSorted((a, b) => a - b)
      const median = ((errors[(errors.length - 1) >> 1] ?? 0) + (errors[errors.length >> 1] ?? 0)) / 2
      const held = own.filter((time) => time.held).length
      out.line(
        `  ${step}: median absolute error ${formatShare(median)}, ${formatCount(held)} of ${formatCount(own.length)} within the range`,
      )
    }
    return
  }
  const rows = times.map(({ runId, step, volumes, forecast, actualSeconds, error, held }) => [
    runId,
    step,
    formatCount(volumes),
    `${figureText('buildSeconds', forecast.value)} ${MARKS[forecast.provenance]}`,
    `${actualText('buildSeconds', actualSeconds)} ●`,
    `${signed(error)}${held ? '' : ' !'}`,
  ])
  const header = ['run', 'step', 'volumes', 'forecast', 'actual', 'error']
  out.lines(textTable(header, rows, [2, 3, 4, 5]), '  ')
}

/** Memory is the least compared of the three: a terminal has room for two. */
function printBuilds(
  { shown, rest }: { shown: readonly CompareDocument['builds'][number][]; rest: readonly string[] },
  all: boolean,
  out: Terminal,
): void {
  const figures = all ? FIGURES : FIGURES.slice(0, 2)
  const rows = shown.map(({ createdWallMs, variant, sourceBytes, errors }) => {
    const cells = figures.flatMap((figure) => {
      const compared = errors[figure]
      if (compared === null) return ['', '']
      return [actualText(figure, compared.actual), `${signed(compared.error)}${compared.held ? '' : ' !'}`]
    })
    return [formatMoment(createdWallMs), variant, figureText('bytes', sourceBytes), ...cells]
  })
  const header = ['when', 'option', 'source', ...figures.flatMap((figure) => [`${NAMES[figure]} ●`, 'error'])]
  out.line()
  out.lines(textTable(header, rows, [2, 3, 4, 5, 6, 7, 8]), '  ')
  out.lines(rest, '  ')
  out.line('  error: forecast relative to actual; !: outside the range')
}

const LOAD = ['cpuSecondsUncalibrated', 'cpuSecondsActual', 'otherCores']

type Cell = string | number | boolean

export function* compareCsv({ builds }: CompareDocument): Iterable<string> {
  const columns = ['Forecast', 'Low', 'High', 'Actual', 'Error', 'UncalibratedError', 'Held']
  const header = ['id', 'when', 'variant', 'tool', 'version', 'sourceBytes', 'sourceFiles']
  yield `${[...header, ...FIGURES.flatMap((figure) => columns.map((column) => `${figure}${column}`)), ...LOAD].join(',')}\n`
  for (const build of builds) {
    const { id, createdWallMs, variant, tool, version, sourceBytes, sourceFiles, errors } = build
    const load = [build.uncalibrated.cpuSeconds, build.actual.cpuSeconds, build.otherCores]
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
    yield `${[...row, ...figures, ...load.map((each) => each ?? '')].map((cell) => csvCell(String(cell))).join(',')}\n`
  }
}
