import { join } from 'node:path'

/** The file of this system's addon, which scripts of other processes and workers load by themselves. */
export const ADDON =
  process.env['STOWAGE_ADDON'] ??
  join(import.meta.dirname, `../../build/native/${process.platform}-${process.arch}/stowage.node`)
