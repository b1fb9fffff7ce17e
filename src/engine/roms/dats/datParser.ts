import type { Dat } from '../../../domain/roms/dat'

/** Reads the text of a DAT in pieces. */
export interface DatParser {
  /** The line that is being read, from 1. */
  readonly line: number
  /** @throws DatFault */
  write(piece: string): void
  /** The DATs of the file. @throws DatFault where it ends early */
  finish(): Dat[]
}
