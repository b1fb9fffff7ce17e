import { said, saidRow } from '../../primitives/said'
import type { DeviceKind } from './surveyDocument'

/** In a sentence, after "it lies on". */
const DEVICES = {
  unknown: said`a device of unknown kind`,
  hdd: said`a hard disk`,
  optical: said`an optical drive`,
  ssd: said`an SSD`,
  nvme: said`an NVMe SSD`,
  usb: said`a USB device`,
  virtual: said`a virtual disk`,
  network: said`a network`,
  memory: said`memory`,
} as const satisfies Record<DeviceKind, string>

/** How a survey was read, as the pass reports it. */
export interface ReadingFacts {
  readonly deviceKind: DeviceKind
  /** The number was given: nothing was tried. */
  readonly asked: boolean
  /** Readers at first, in the end, and at most for this kind of device. */
  readonly first: number
  readonly threads: number
  readonly most: number
  /** The last result of trying `to` readers in place of `from`: the ratio of the rates. */
  readonly trials: readonly { from: number; to: number; gain: number; kept: boolean }[]
}

/**
 * Why that many threads read, in one sentence: the measurement where there was one, else the
 * assumption.
 */
export function readingReason(facts: ReadingFacts): string {
  const { deviceKind, first, threads, most, trials } = facts
  const device = said`the source is on ${DEVICES[deviceKind]}`
  if (facts.asked) return said`${device}; the number is set, none was tried`
  const measured = trials
    .filter(({ from, to, kept }) => (kept ? to <= threads : from === threads))
    .map(({ from, to, gain }) => said`${to} read at ${times(gain)} the rate of ${from}`)
  if (measured.length > 0) return said`${device}; began with ${first}; ${saidRow(measured)} (measured)`
  if (first === most) return said`${device}, where more threads are assumed not to help`
  return said`${device}; more than ${first} were not tried: too little data, or the CPU was busy`
}

function times(gain: number): string {
  return said`${gain < 10 ? gain.toFixed(2) : gain.toFixed(0)} times`
}
