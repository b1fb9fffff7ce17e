import { readFileSync, writeFileSync } from 'node:fs'
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
  const parts = [summaryOf('CPU time', cpu), rowsOf('CPU time', cpu)]
  if (machine === 'idle') parts.push(summaryOf('time', time), rowsOf('time', time))
  return parts.join('\n\n')
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

function shown({ forecast: { value, low, high }, actual }: Compared): string {
  const isHeld = (low <= actual && actual <= high) || actual < LEAST_SECONDS
  return `${seconds(value)} / ${seconds(actual)} s${isHeld ? '' : ' ✗'}`
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

function summaryOf(figure: string, all: readonly Compared[]): string {
  const steps = [...new Set(all.map(({ step }) => step))]
  const rows = [...steps, 'all'].map((step) => {
    const some = all.filter((one) => (step === 'all' || one.step === step) && one.actual >= LEAST_SECONDS)
    const errors = some.map(({ forecast, actual }) => Math.abs(forecast.value / actual - 1))
    const held = some.filter(({ forecast: { low, high }, actual }) => low <= actual && actual <= high)
    const halves = some.map(({ forecast: { value, low, high } }) => (high - low) / 2 / value)
    return [
      step,
      String(some.length),
      percent(median(errors)),
      percent(Math.max(...errors)),
      `${held.length} of ${some.length}`,
      percent(median(halves)),
    ]
  })
  return table([figure, 'n', 'median error', 'worst', 'ranges that hold', 'median half-width'], rows)
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

/** Puts a text into a Markdown file between the comments of a name. */
export function replaceIn(path: string, name: string, text: string): void {
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /packed times -->`]
  const file = readFileSync(path, 'utf8')
  const from = file.indexOf(open) + open.length
  const to = file.indexOf(close, from)
  if (from < open.length || to < 0) throw new Error(`${path} has no ${open.trim()} with ${close} after it`)
  writeFileSync(path, `${file.slice(0, from)}\n${text}\n\n${file.slice(to)}`)
}
