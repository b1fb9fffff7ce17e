import type { MeasurementDocument } from '../../../src/contract/dto/measure'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { resolveMedium } from '../../../src/domain/media/resolveMedium'
import type { PackedTimes } from '../../../src/domain/sets/times/packedTimes'
import { mediaCatalogue } from '../../../src/engine/media/mediaCatalogue'
import { REFERENCE_MS } from '../../../src/engine/options/machinePace'
import { packedPlan } from '../../../src/engine/sets/plan/packedPlan'
import { packedOption } from '../../../src/engine/sets/plan/timesOfPlan'
import type { Estimate } from '../../../src/primitives/estimate'
import { type ResultRow, rounded } from '../writeResult'

export { workTimes } from '../../../src/engine/options/machinePace'
export { setFolder } from '../accuracy/sets'

export interface Took {
  readonly seconds: number
  /** Of the command and all its programs, without starting it. */
  readonly cpuSeconds: number
}

/** One option of one source, carried through. */
export interface PackedRun {
  readonly source: string
  readonly option: string
  readonly survey: SurveyDocument
  readonly measurement: MeasurementDocument
  readonly plan: PlanDocument
  /** CPU time of one piece of work before and after each step, in milliseconds: how fast the machine was meanwhile. */
  readonly workMs: readonly number[]
  /** As built. */
  readonly volumes: number
  readonly sectors: readonly number[]
  readonly packSeconds: number
  readonly build: Took
  readonly verify: Took
  readonly restore: Took
}

interface Compared {
  readonly source: string
  readonly option: string
  readonly step: string
  readonly forecast: Estimate
  readonly actual: number
}

/** Shorter steps are those of starting programs. */
const LEAST_SECONDS = 0.2
const STEPS = ['pack', 'build', 'verify', 'restore'] as const

/** The forecasts of a run by the present code, at the speed that the machine had meanwhile. */
export function packedForecast({ survey, measurement, plan, workMs, option }: PackedRun): PackedTimes {
  const catalog = {
    measurements: () => [listed(measurement)] as never,
    measurement: () => measurement,
    optionBuilds: () => [],
    sweeps: () => [],
    sweep: () => {
      throw new Error('there is no sweep')
    },
    surveyEntries: () => [][Symbol.iterator](),
    fileGroupIds: () => null,
    packedFiles: () => null,
  }
  const medium = resolveMedium(mediaCatalogue, plan.medium.id)
  const packed = packedPlan({ recipe: option }, medium)
  const pace = (REFERENCE_MS * workMs.length) / workMs.reduce((sum, one) => sum + one, 0)
  const found =
    packed && packedOption(catalog, survey, { ...packed, medium, volumes: plan.volumes.length }, pace)
  if (!found?.steps) throw new Error(`${option} is not forecast any more`)
  return found.steps
}

/** As the catalog lists it: of a list's row options need no more. */
export function listed({ id, device, cache, container, write, read }: MeasurementDocument) {
  return {
    id,
    deviceKey: device.key,
    plausible: cache.plausible,
    container,
    writeBytesPerSecond: write?.bytesPerSecond ?? null,
    readBytesPerSecond: read?.bytesPerSecond ?? null,
  }
}

/** The median error and the ranges of each step, in CPU time and in time, and a row for each run. */
export function reportOf(runs: readonly PackedRun[], machine: string): string {
  const parts = comparisons(runs, machine).flatMap(([figure, all]) => [
    table(
      [figure, 'n', 'median error', 'worst', 'ranges that hold', 'median half-width'],
      summaryOf(all).map(({ step, n, medianError, worst, held, medianHalfWidth }) => [
        step,
        String(n),
        percent(medianError),
        percent(worst),
        `${held} of ${n}`,
        percent(medianHalfWidth),
      ]),
    ),
    rowsOf(figure, all),
  ])
  return parts.join('\n\n')
}

/** The same as rows of a result: first the summary of each step, then each step of each run. */
export function resultOf(runs: readonly PackedRun[], machine: string): ResultRow[] {
  return comparisons(runs, machine).flatMap(([figure, all]) => {
    const summary: ResultRow[] = summaryOf(all).map(
      ({ step, n, medianError, worst, held, medianHalfWidth }) => ({
        figure,
        step,
        n,
        medianErrorPercent: rounded(medianError * 100, 0),
        worstPercent: rounded(worst * 100, 0),
        held,
        of: n,
        medianHalfWidthPercent: rounded(medianHalfWidth * 100, 0),
      }),
    )
    const steps = all.map((one) => ({
      figure,
      source: one.source,
      option: one.option,
      step: one.step,
      forecastSeconds: Number(seconds(one.forecast.value)),
      actualSeconds: Number(seconds(one.actual)),
      inRange: isHeld(one),
    }))
    return summary.concat(steps)
  })
}

/** Each step of each run: CPU time, and on an idle machine time too. */
function comparisons(runs: readonly PackedRun[], machine: string): [string, Compared[]][] {
  const cpu = runs.flatMap((run): Compared[] => {
    const { pack, build, verify, restore } = packedForecast(run)
    const { source, option } = run
    const of = (step: string, forecast: Estimate, actual: number): Compared => ({
      source,
      option,
      step,
      forecast,
      actual,
    })
    return [
      of('pack and build', together([pack.cpu, build.cpu]), run.build.cpuSeconds),
      of('verify', verify.cpu, run.verify.cpuSeconds),
      of('restore', restore.cpu, run.restore.cpuSeconds),
    ]
  })
  const time = runs.flatMap((run): Compared[] => {
    const steps = packedForecast(run)
    const took = {
      pack: run.packSeconds,
      build: run.build.seconds - run.packSeconds,
      verify: run.verify.seconds,
      restore: run.restore.seconds,
    }
    const { source, option } = run
    const each = STEPS.map(
      (step): Compared => ({ source, option, step, forecast: steps[step].seconds, actual: took[step] }),
    )
    const whole = together(each.map(({ forecast }) => forecast))
    const actual = each.reduce((sum, one) => sum + one.actual, 0)
    return [...each, { source, option, step: 'whole', forecast: whole, actual }]
  })
  return machine === 'idle'
    ? [
        ['CPU time', cpu],
        ['time', time],
      ]
    : [['CPU time', cpu]]
}

/** A row for each run: forecast and actual of each step, marked where the range does not hold. */
function rowsOf(figure: string, all: readonly Compared[]): string {
  const steps = [...new Set(all.map(({ step }) => step))]
  const runs = [...new Set(all.map(({ source, option }) => `${source} | \`${option}\``))]
  const rows = runs.map((run) =>
    [run].concat(all.filter(({ source, option }) => `${source} | \`${option}\`` === run).map(shown)),
  )
  const head = [`${figure}, forecast / actual`, 'option', ...steps]
  return table(head, rows)
}

function shown(one: Compared): string {
  return `${seconds(one.forecast.value)} / ${seconds(one.actual)} s${isHeld(one) ? '' : ' ✗'}`
}

/** Whether the range holds, or the step is too short to count. */
function isHeld({ forecast: { low, high }, actual }: Compared): boolean {
  return (low <= actual && actual <= high) || actual < LEAST_SECONDS
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Steps one after the other, whose errors have nothing to do with each other. */
function together(parts: readonly Estimate[]): Estimate {
  const value = parts.reduce((sum, part) => sum + part.value, 0)
  return {
    ...(parts[0] as Estimate),
    value,
    low: value - Math.hypot(...parts.map((part) => part.value - part.low)),
    high: value + Math.hypot(...parts.map((part) => part.high - part.value)),
  }
}

/** Errors and half-widths are shares, not hundredths. */
interface Summary {
  readonly step: string
  readonly n: number
  readonly medianError: number
  readonly worst: number
  readonly held: number
  readonly medianHalfWidth: number
}

function summaryOf(all: readonly Compared[]): Summary[] {
  const steps = [...new Set(all.map(({ step }) => step))]
  return [...steps, 'all'].map((step) => {
    const some = all.filter((one) => (step === 'all' || one.step === step) && one.actual >= LEAST_SECONDS)
    const errors = some.map(({ forecast, actual }) => Math.abs(forecast.value / actual - 1))
    const halves = some.map(({ forecast: { value, low, high } }) => (high - low) / 2 / value)
    return {
      step,
      n: some.length,
      medianError: median(errors),
      worst: Math.max(...errors),
      held: some.filter(isHeld).length,
      medianHalfWidth: median(halves),
    }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

function seconds(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
