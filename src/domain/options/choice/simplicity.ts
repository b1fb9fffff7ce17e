import type { MachineFacts } from '../facts'
import { easiestWay } from '../recipes/readingWays'
import type { OptionRow } from './option'

const STEPS_OF_TASK = { open: 0, mount: 1, unpack: 2 } as const
const STEPS_OF_REDUCTION: Readonly<Record<string, number>> = {
  none: 0,
  compression: 0,
  duplicates: 1,
  solid: 1,
}
/** Blocks or chunks that only the program which made them puts together. */
const STEPS_OF_SHARED_BLOCKS = 2
/** Files in another order than their own are in a tar inside the archive. */
const STEPS_OF_TAR = 1
/**
 * The rules of another program are for those who need just its archives: to others they are one
 * more thing to understand.
 */
const STEPS_OF_OTHER_RULES = 1
const STEPS_WITHOUT_READER = 4

/**
 * How directly the files are used on this machine: 0 in place, 1 mounted, 2 unpacked, more where
 * nothing reads them.
 */
export function reachOf({ ways }: Pick<OptionRow, 'ways'>, { system }: Pick<MachineFacts, 'system'>): number {
  const way = easiestWay(ways, system)
  return way === null ? STEPS_WITHOUT_READER : STEPS_OF_TASK[way.task]
}

/** Steps between a person and one file, on this machine: the simpler of two options has fewer. */
export function stepsOf(
  option: Pick<OptionRow, 'ways' | 'reduction' | 'order' | 'codec'>,
  machine: Pick<MachineFacts, 'system'>,
): number {
  const reduction = STEPS_OF_REDUCTION[option.reduction] ?? STEPS_OF_SHARED_BLOCKS
  return (
    reachOf(option, machine) +
    reduction +
    (option.order === 'content' ? STEPS_OF_TAR : 0) +
    (option.codec === 'lzma-t7z' ? STEPS_OF_OTHER_RULES : 0)
  )
}
