import { getSystemErrorName } from 'node:util'
import { pathToBytes } from '../../primitives/pathText'
import { loadAddon } from './loadAddon'

/** Nanoseconds since 1970, as `lstat` gives them with `bigint`: any that the file system holds. */
interface FileTimes {
  readonly atimeNs: bigint
  readonly mtimeNs: bigint
}

/**
 * Sets the times of a file, a folder, or a link itself, to the nanosecond. Node's own functions
 * take numbers below zero for the present, and round to a fraction of a microsecond.
 * @throws the system's errors, with Node's `code`
 */
export function setFileTimes(path: string, { atimeNs, mtimeNs }: FileTimes): void {
  const times = Float64Array.of(...secondsAndRest(atimeNs), ...secondsAndRest(mtimeNs))
  const error = loadAddon().setFileTimes(pathToBytes(path), times)
  if (error === 0) return
  const code = getSystemErrorName(-error)
  throw Object.assign(new Error(`${code}: cannot set times`), { code, errno: -error, syscall: 'utimensat' })
}

const SECOND = 1_000_000_000n

/** The rest counts forwards, also before 1970. */
function secondsAndRest(ns: bigint): [number, number] {
  const rest = ((ns % SECOND) + SECOND) % SECOND
  return [Number((ns - rest) / SECOND), Number(rest)]
}
