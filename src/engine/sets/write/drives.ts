import type { Drive } from '../../../contract/dto/run'

/** Optical drives of this machine with what is in them. */
export function findDrives(): Promise<Drive[]> {
  return Promise.resolve([])
}
