import { type CaseKind, type LabelsRequest, MOST_VOLUMES } from '../../../../../src/contract/dto/labels'
import type { PlanDocument } from '../../../../../src/contract/dto/plan'
import { copyTyped } from '../../../format/typedCopy'

/** The choices for one set, as they are typed; paper and font are remembered elsewhere. */
export interface LabelsForm {
  /** Numbers of discs; empty for all. */
  readonly discs: string
  /** Empty for none. */
  readonly copy: string
  /** Null: the case that the medium is sold in. */
  readonly caseKind: CaseKind | null
}

export const initialLabels: LabelsForm = { discs: '', copy: '', caseKind: null }

/** The highest number of a disc of a plan. Packing may need more discs than were planned. */
export function mostDiscs({ volumes, parity = [], packing }: PlanDocument): number {
  return packing ? MOST_VOLUMES : Math.max(0, ...[...volumes, ...parity].map(({ index }) => index))
}

/**
 * Reads typed numbers of discs (`1, 3-5`), each once: none for nothing, null where one is none or
 * there is no disc of that number.
 */
export function discsTyped(text: string, most: number): number[] | null {
  if (text.trim() === '') return []
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*$/.exec(part) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (!(from >= 1 && to >= from && to <= most)) return null
    for (let number = from; number <= to; number++) found.add(number)
  }
  return [...found].sort((one, other) => one - other)
}

/** The choices for the engine; null where one is wrong. */
export function labelsAsked(
  { discs, copy, caseKind }: LabelsForm,
  most: number,
): Pick<LabelsRequest, 'volumes' | 'copy' | 'case'> | null {
  const volumes = discsTyped(discs, most)
  const number = copyTyped(copy)
  if (volumes === null || (number === null && copy.trim() !== '')) return null
  return {
    volumes,
    ...(number !== null && { copy: number }),
    ...(caseKind !== null && { case: caseKind }),
  }
}
