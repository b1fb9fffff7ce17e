import type { Estimate } from '../../primitives/estimate'
import { said } from '../../primitives/said'
import type { DeviceKind } from '../survey/surveyDocument'

/** Bytes a second of a long file, and seconds that each file costs besides. */
interface Usual {
  readonly rate: readonly [value: number, low: number, high: number]
  readonly file: readonly [value: number, low: number, high: number]
}

/**
 * The usual rates of a survey on devices of a kind; assumed. Past some 2 GB/s the processor is the
 * limit (docs/methods/disks.md). Hard disks: a file costs a seek of 4 to 12 ms, less where files
 * lie in the order in which they are read.
 */
const USUAL: Readonly<Record<DeviceKind, Usual>> = {
  hdd: { rate: [140e6, 70e6, 240e6], file: [0.004, 0.0005, 0.012] },
  optical: { rate: [15e6, 4e6, 36e6], file: [0.05, 0.005, 0.15] },
  usb: { rate: [110e6, 25e6, 400e6], file: [0.003, 0.0002, 0.012] },
  network: { rate: [90e6, 10e6, 400e6], file: [0.003, 0.0005, 0.01] },
  ssd: { rate: [450e6, 250e6, 550e6], file: [0.0001, 0.00003, 0.0004] },
  nvme: { rate: [1500e6, 600e6, 2000e6], file: [0.00005, 0.00002, 0.0002] },
  memory: { rate: [1500e6, 600e6, 2500e6], file: [0.00002, 0.00001, 0.0001] },
  virtual: { rate: [300e6, 80e6, 1200e6], file: [0.0003, 0.00003, 0.004] },
  unknown: { rate: [200e6, 40e6, 1500e6], file: [0.001, 0.00003, 0.01] },
}

/** How long reading a source once takes on a device of a kind. */
export function surveySeconds(bytes: number, files: number, kind: DeviceKind): Estimate {
  const { rate, file } = USUAL[kind]
  const at = (speed: number, each: number): number => bytes / speed + files * each
  return {
    value: at(rate[0], file[0]),
    low: at(rate[2], file[1]),
    high: at(rate[1], file[2]),
    confidence: 0.95,
    provenance: 'assumed',
    basis: said`usual rates of such a device`,
  }
}
