import type { ReadingTask, ReadingWay, System } from '../optionsDocument'
import { EVERYWHERE } from './readers'
import type { Reader } from './variant'

const TASKS: readonly ReadingTask[] = ['open', 'mount', 'unpack']

/**
 * For every system and task the program that does it, one with the system's own means first; the
 * easiest task first.
 */
export function readingWays(readers: readonly Reader[]): ReadingWay[] {
  return TASKS.flatMap((task) =>
    EVERYWHERE.flatMap((system): ReadingWay[] => {
      const able = readers.filter((each) => each.task === task && each.systems.includes(system))
      const reader = able.find(({ own }) => own) ?? able[0]
      if (!reader) return []
      return [{ task, system, tool: reader.tool, since: reader.since, builtIn: reader.own }]
    }),
  )
}

/** The easiest way to use the files on a system; null where nothing reads them there. */
export function easiestWay(ways: readonly ReadingWay[], system: System): ReadingWay | null {
  return ways.find((way) => way.system === system) ?? null
}

/** True when files are used on a system without unpacking. */
export function isUsedInPlace(ways: readonly ReadingWay[], system: System): boolean {
  const way = easiestWay(ways, system)
  return way !== null && way.task !== 'unpack'
}
