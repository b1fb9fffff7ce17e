import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanDocument } from '../../../src/contract/dto/plan.ts'
import type { Place } from './faultedCommand.ts'
import { fileReading } from './readings.ts'

/** A volume of a plan of images, parity discs among them. */
export interface SetImage {
  readonly index: number
  readonly label: string
  /** The image in the plan's folder. */
  readonly path: string
  readonly isParity: boolean
  /** The longest scratch that its recovery data is said to repair, in bytes; 0 without. */
  readonly promisedBytes: number
}

export function planDocument(plan: string): PlanDocument {
  return JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
}

/** The images of a plan, whether they are built or not, in the order of their numbers. */
export function imagesOf(plan: string): SetImage[] {
  const { volumes, parity = [] } = planDocument(plan)
  const image = (name: string): string => join(plan, 'images', `${name}.iso`)
  return [
    ...volumes.map(({ index, label, protection }) => ({
      index,
      label,
      path: image(String(index).padStart(2, '0')),
      isParity: false,
      promisedBytes: protection?.scratchBytes ?? 0,
    })),
    ...parity.map(({ index, label, kind }) => ({
      index,
      label,
      path: image(kind),
      isParity: true,
      promisedBytes: 0,
    })),
  ]
}

/** Every image of a plan as a digest, by its label; '-' where it is not built. */
export function imageReadings(plan: string): Record<string, string> {
  return Object.fromEntries(imagesOf(plan).map(({ label, path }) => [label, fileReading(path)]))
}

export const planOf = ({ out }: Place): string => join(out, 'plan')
