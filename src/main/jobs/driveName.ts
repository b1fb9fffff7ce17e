import { basename } from 'node:path'
import { pathForDisplay } from '../../primitives/pathText'

/** A drive as people call it: its device, or the name alone of a file that stands in for one. */
export function driveName(path: string): string {
  return /^(?:\/dev\/|[A-Z]:$)/.test(path) ? path : pathForDisplay(basename(path))
}
