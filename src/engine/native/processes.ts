import { loadAddon } from './loadAddon'
import type { RawProcesses } from './rawProcesses'

/** As `RawProcesses.processStart`; without the addon nothing is known. */
export function processStart(pid: number): string {
  return addon()?.processStart(pid) ?? ''
}

/**
 * Lets all programs that are started from now on, and those that they start, end with this process,
 * however it ends (Windows).
 */
export function endProgramsWithThis(): void {
  areHeld ??= addon()?.endProgramsWithThis?.()
}
let areHeld: number | undefined

/** A program and all that it starts. */
export interface HeldTree {
  /** Ends all of them at once; false where that failed. */
  end(): boolean
}

/**
 * Holds a program that was just started (Windows). The answer must be kept: its loss ends them too.
 * @returns null where it cannot be held
 */
export function holdProcessTree(pid: number): HeldTree | null {
  const tree = addon()?.holdProcessTree?.(pid)
  return tree ? { end: () => tree.end() === 0 } : null
}

function addon(): RawProcesses | null {
  try {
    return loadAddon()
  } catch {
    return null
  }
}
