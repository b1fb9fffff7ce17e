import { z } from 'zod'
import { DETECTOR_NAMES } from '../../domain/roms/headerDetectors'
import { pathSchema } from '../../domain/scalars'
import { ROM_LAYOUTS } from '../../domain/survey/romLayout'
import { rulesSchema } from '../../domain/survey/rules/rules'
import { MOST_DATS, MOST_SOURCES } from './survey'

export * from '../../domain/roms/romsDocument'
export { ROM_LAYOUTS, type RomLayout } from '../../domain/survey/romLayout'

/** A comparison of files with the ROM sets of DATs. */
export const romsRequestSchema = z.object({
  /** Absolute paths of folders and files. */
  paths: z.array(pathSchema).min(1).max(MOST_SOURCES),
  /** DATs in XML or ClrMamePro's text, or zips of them. */
  dats: z.array(pathSchema).min(1).max(MOST_DATS),
  /** Detectors of copier headers in clrmamepro's XML, for all DATs. */
  detectors: z.array(pathSchema).max(MOST_DATS).default([]),
  /** Built-in detectors, for all DATs. */
  knownDetectors: z.array(z.enum(DETECTOR_NAMES)).max(DETECTOR_NAMES.length).default([]),
  /** Absent: as each DAT asks for, else split. */
  layout: z.enum(ROM_LAYOUTS).optional(),
  /** The rules for leaving out, as of a survey; ignore files count by default. */
  rules: rulesSchema.optional(),
  /** Absolute paths of new DATs: of the complete ROM sets, and of what the others lack. */
  writeHave: pathSchema.optional(),
  writeMissing: pathSchema.optional(),
})
export type RomsRequest = z.infer<typeof romsRequestSchema>
