import type { CompareDocument, OptionBuild } from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import {
  BUILD_FIGURE_TABLE,
  BUILD_TABLE,
  buildFigures,
  COMPARED_FIGURES,
  FIGURE_NAMES,
  signedText,
} from '../../contract/tables/optionTables'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { formatDuration, formatForecast } from '../../primitives/spokenTime'
import { csvLine } from '../shape/csvLines'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { ownTableLines, tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

const SHOWN_BUILDS = 5
const SHOWN_RUNS = 2

const STEPS = ['pack', 'build', 'write', 'verify'] as const
const FIGURES = COMPARED_FIGURES

/** One build: forecast, range, actual and signed error. */
export function printBuild(build: OptionBuild, out: Terminal): void {
  const { id, name, tool, version, command, path, discarded, sha256, actual } = build
  const show = (text: string): void => out.lines(wrapped(text, '    '))
  const what = `${formatSize(actual.bytes)} in ${formatDuration(actual.buildSeconds * 1000)}`
  const where = discarded ? 'removed after the build, as requested' : `at ${pathForDisplay(path)}`
  show(`Built: ${name}, ${what}, ${where}.`)
  show(`  Build ${id}, with ${tool} ${version}: ${pathForDisplay(command)}`)
  out.line()
  const rows = buildFigures(build).filter(({ actual: found }) => found !== null)
  const keys = ['figure', 'forecast', 'range', 'actual', 'error', 'held'] as const
  out.lines(tableLines(BUILD_FIGURE_TABLE, keys, rows), '  ')
  if (sha256 !== null) {
    out.line('  A rebuild gives the same bytes, with this SHA-256:')
    out.line(`  ${sha256}`)
  }
  for (const note of build.notes) show(`  ${note}`)
  out.line()
  out.lines(nextCommand('Next:', ['compare']))
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
      `  ${FIGURE_NAMES[figure]}: median absolute error ${formatShare(medianError)}, ${formatCount(held)} of ${formatCount(count)} within the range`,
    )
  }
  if (builds.length > 0) printBuilds(firstRows(builds, most(SHOWN_BUILDS), '--all'), all, out)
  const listed = firstRows(runs, most(SHOWN_RUNS), '--all')
  for (const { runId, planId, volumes, forecastSectors, actualSectors } of listed.shown) {
    const isRight =
      forecastSectors === actualSectors ? 'exact' : signedText(forecastSectors / actualSectors - 1)
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
  out.lines(ownTableLines(STEP_COLUMNS, times), '  ')
}

const STEP_COLUMNS: readonly TableColumn<CompareDocument['times'][number], string>[] = [
  { heading: 'run', kind: 'code', of: ({ runId }) => runId },
  { heading: 'step', kind: 'code', of: ({ step }) => step },
  { heading: 'volumes', kind: 'count', of: ({ volumes }) => volumes },
  {
    heading: 'forecast',
    kind: 'forecast',
    of: ({ forecast }) => forecast.value,
    text: ({ forecast }) => formatForecast(forecast.value),
    mark: ({ forecast }) => forecast.provenance,
  },
  {
    heading: 'actual',
    kind: 'duration',
    of: ({ actualSeconds }) => actualSeconds * 1000,
    mark: () => 'measured',
  },
  {
    heading: 'error',
    kind: 'share',
    of: ({ error }) => error,
    text: ({ error, held }) => `${signedText(error)}${held ? '' : ' !'}`,
  },
]

/** Memory is the least compared of the three: a terminal has room for two. */
function printBuilds(
  { shown, rest }: { shown: readonly CompareDocument['builds'][number][]; rest: readonly string[] },
  all: boolean,
  out: Terminal,
): void {
  const keys = [
    'when',
    'option',
    'source_bytes',
    'bytes',
    'bytesError',
    'buildSeconds',
    'buildSecondsError',
  ] as const
  out.line()
  out.lines(tableLines(BUILD_TABLE, all ? [...keys, 'ramBytes', 'ramBytesError'] : keys, shown), '  ')
  out.lines(rest, '  ')
  out.line('  error: forecast relative to actual; !: outside the range')
}

const LOAD = ['cpuSecondsUncalibrated', 'cpuSecondsActual', 'otherCores']

type Cell = string | number | boolean

export function* compareCsv({ builds }: CompareDocument): Iterable<string> {
  const columns = ['Forecast', 'Low', 'High', 'Actual', 'Error', 'UncalibratedError', 'Held']
  const header = ['id', 'when', 'variant', 'tool', 'version', 'sourceBytes', 'sourceFiles']
  yield csvLine([
    ...header,
    ...FIGURES.flatMap((figure) => columns.map((column) => `${figure}${column}`)),
    ...LOAD,
  ])
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
    yield csvLine([...row, ...figures, ...load.map((each) => each ?? '')])
  }
}
