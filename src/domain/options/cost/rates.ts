import { z } from 'zod'
import table from '../../../../assets/rates.json'
import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MachineFacts } from '../facts'
import { estimateOf, product, within } from './estimateParts'

const timeSchema = z.number().nonnegative()
/** A time with the ends of its range, or alone; in seconds once it is read. */
const timeIn = (seconds: number) =>
  z
    .union([timeSchema, z.tuple([timeSchema, timeSchema, timeSchema])])
    .transform((given) => (typeof given === 'number' ? [given] : given).map((time) => time * seconds))
    .refine(([value = 0, low = value, high = value]) => low <= value && value <= high)
    .optional()
const unitsSchema = z.strictObject({
  start: timeIn(1e-3),
  volume: timeIn(1e-3),
  file: timeIn(1e-3),
  folder: timeIn(1e-3),
  container: timeIn(1e-3),
  containerFolder: timeIn(1e-3),
  chunk: timeIn(1e-3),
  byte: timeIn(1e-9),
  tarByte: timeIn(1e-9),
  storedByte: timeIn(1e-9),
  newByte: timeIn(1e-9),
  repeatedByte: timeIn(1e-9),
  zeroByte: timeIn(1e-9),
})
const rateSchema = unitsSchema.extend({
  error: timeSchema.default(0),
  provenance: z.enum(['modelled', 'assumed']).default('assumed'),
  source: z.string().min(1),
})

type Unit = keyof typeof unitsSchema.shape
/** How many of each; one start where none is given. */
type Counts = Readonly<Partial<Record<Unit, number>>>
/** CPU times, as measured on the reference machine. */
export type WorkName = keyof typeof table.work
/** Times that do not depend on the speed of a core. */
export type WaitName = keyof typeof table.waits

/** The rates of `assets/rates.json`, checked when the module is loaded. */
const RATES = z
  .strictObject({
    units: z.string(),
    ranges: z.string(),
    work: z.record(z.string(), rateSchema),
    waits: z.record(z.string(), rateSchema),
  })
  .parse(table)

/** CPU time of so much work on this machine. */
export function workTime(name: WorkName, counts: Counts, machine: MachineFacts): Estimate {
  const { source } = rateOf(RATES.work, name)
  return atPace(timeOf(rateOf(RATES.work, name), counts, said`CPU time of ${source}`), machine)
}

/** A time that is the same on any machine. */
export function waitTime(name: WaitName, counts: Counts = {}): Estimate {
  const rate = rateOf(RATES.waits, name)
  return timeOf(rate, counts, rate.source)
}

type Rate = z.output<typeof rateSchema>

function rateOf(rates: Readonly<Record<string, Rate>>, name: string): Rate {
  const rate = rates[name]
  if (!rate) throw new RangeError(`no rate is named ${name}`)
  return rate
}

/** One machine does all of a row, so that its parts are too fast or too slow together. */
function timeOf(rate: Rate, counts: Counts, basis: string): Estimate {
  const { error, provenance, source: _source, ...units } = rate
  const total = { value: 0, low: 0, high: 0 }
  for (const [unit, cell] of Object.entries(units)) {
    const [value = 0, low = value / (1 + error), high = value * (1 + error)] = cell ?? []
    const count = counts[unit as Unit] ?? (unit === 'start' ? 1 : 0)
    total.value += count * value
    total.low += count * low
    total.high += count * high
  }
  return estimateOf(total, provenance, basis)
}

/**
 * Cores of computers of the last ten years are from half to twice as fast as the one that times
 * were measured on.
 */
const UNKNOWN_PACE = 2
/** The error that remains when the pace is known: programs differ in their bottlenecks. */
const KNOWN_PACE_ERROR = 0.25

/** A CPU time of the reference machine, on this one. */
function atPace(work: Estimate, { pace }: MachineFacts): Estimate {
  if (pace === undefined || pace <= 0)
    return { ...work, low: work.low / UNKNOWN_PACE, high: work.high * UNKNOWN_PACE }
  const basis = said`${work.basis}, scaled to the speed of this machine`
  return product(work, within(1 / pace, KNOWN_PACE_ERROR, 'measured', basis), basis)
}
