import type { Option } from '../../contract/dto/options'

/**
 * An option with those that differ from it in no size, time, memory or use that a person would
 * notice.
 */
export interface OptionRow {
  readonly option: Option
  readonly alike: readonly Option[]
}

const SIZE_SHARE = 0.01
const TIME_SHARE = 0.1
const BUILD_SECONDS = 60
const RESTORE_SECONDS = 10
const MEMORY_BYTES = 1e9

/**
 * One row for options of one family and medium that make no visible difference: sizes within 1 %,
 * times within a minute of building, ten seconds of restoring, or a tenth, memory under 1 GB. The
 * first of each group, in the order given, names the row.
 */
export function alikeRows(options: readonly Option[]): OptionRow[] {
  const rows: { option: Option; alike: Option[] }[] = []
  for (const option of options) {
    const row = rows.find((each) => isAlike(each.option, option))
    if (row) row.alike.push(option)
    else rows.push({ option, alike: [] })
  }
  return rows
}

function isAlike(one: Option, other: Option): boolean {
  if (one.family !== other.family || one.medium !== other.medium || one.access !== other.access) return false
  const [a, b] = [one.estimate, other.estimate]
  const madeOf = ({ buildSeconds, writeSeconds }: Option['estimate']): number =>
    buildSeconds.value + writeSeconds.value
  return (
    Math.round(a.volumes.value) === Math.round(b.volumes.value) &&
    isNear(a.bytes.value, b.bytes.value, SIZE_SHARE, 0) &&
    isNear(madeOf(a), madeOf(b), TIME_SHARE, BUILD_SECONDS) &&
    isNear(a.restoreSeconds.value, b.restoreSeconds.value, TIME_SHARE, RESTORE_SECONDS) &&
    isNear(a.ramBytes.value, b.ramBytes.value, TIME_SHARE, MEMORY_BYTES)
  )
}

/** Within a share of the larger one, or within an absolute difference. */
function isNear(a: number, b: number, share: number, difference: number): boolean {
  const apart = Math.abs(a - b)
  return apart <= difference || apart <= share * Math.max(a, b)
}
