/**
 * The room `declarations` has each command's forms, options and help.
 * How: one declaration gives the parser its options and types, help its text, and
 * docs/guide/cli.md.
 * Not here: carrying commands out (`commands`).
 */

import { ADD_COMMAND, ARCHIVES_COMMAND } from './archives'
import {
  CATALOG_COMMAND,
  DOCTOR_COMMAND,
  FIND_COMMAND,
  MEDIA_COMMAND,
  SAFE_COMMAND,
  SAMPLE_COMMAND,
  TOOLS_COMMAND,
} from './catalog'
import type { CommandDeclaration } from './declaration'
import { BANDS_COMMAND, MEASURE_COMMAND } from './devices'
import { DRILL_COMMAND } from './drill'
import { FLEET_COMMAND } from './fleet'
import { IMAGE_COMMAND } from './image'
import { LOOK_COMMAND } from './look'
import { COMPARE_COMMAND, OPTIONS_COMMAND } from './options'
import { PIPE_COMMAND } from './pipe'
import { PROJECT_COMMAND } from './project'
import { ROMS_COMMAND } from './roms'
import { COMPLETION_COMMAND, SCHEMA_COMMAND } from './scripting'
import {
  BUILD_COMMAND,
  LABELS_COMMAND,
  PLAN_COMMAND,
  REBUILD_COMMAND,
  REPAIR_COMMAND,
  RESTORE_COMMAND,
  VERIFY_COMMAND,
} from './sets'
import { CONFIG_COMMAND } from './settings'
import { SURVEY_COMMAND } from './survey'
import { DRIVES_COMMAND, WRITE_COMMAND } from './write'

/** Every command, in the order of help. */
export const DECLARATIONS = {
  survey: SURVEY_COMMAND,
  look: LOOK_COMMAND,
  roms: ROMS_COMMAND,
  fleet: FLEET_COMMAND,
  measure: MEASURE_COMMAND,
  bands: BANDS_COMMAND,
  options: OPTIONS_COMMAND,
  compare: COMPARE_COMMAND,
  plan: PLAN_COMMAND,
  build: BUILD_COMMAND,
  write: WRITE_COMMAND,
  drives: DRIVES_COMMAND,
  verify: VERIFY_COMMAND,
  labels: LABELS_COMMAND,
  rebuild: REBUILD_COMMAND,
  repair: REPAIR_COMMAND,
  restore: RESTORE_COMMAND,
  drill: DRILL_COMMAND,
  pipe: PIPE_COMMAND,
  image: IMAGE_COMMAND,
  archives: ARCHIVES_COMMAND,
  add: ADD_COMMAND,
  project: PROJECT_COMMAND,
  find: FIND_COMMAND,
  catalog: CATALOG_COMMAND,
  safe: SAFE_COMMAND,
  media: MEDIA_COMMAND,
  config: CONFIG_COMMAND,
  doctor: DOCTOR_COMMAND,
  tools: TOOLS_COMMAND,
  sample: SAMPLE_COMMAND,
  completion: COMPLETION_COMMAND,
  schema: SCHEMA_COMMAND,
} as const satisfies Readonly<Record<string, CommandDeclaration>>

export type CommandName = keyof typeof DECLARATIONS

/** True when the name is that of a command. */
export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(DECLARATIONS, name)
}
