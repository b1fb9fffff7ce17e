/**
 * The room `doctor` has the report on an installation: its schema, its text, and what it must hide.
 * How: names of persons, computers, folders and files are replaced before a line is part of it.
 * Not here: looking at the installation (`src/engine/doctor`).
 */

import { z } from 'zod'
import { countSchema } from '../scalars'

const DOCTOR_STATES = ['ok', 'warning', 'problem'] as const
export type DoctorState = (typeof DOCTOR_STATES)[number]

/** One question that was asked of this installation, with its answer. */
const doctorCheckSchema = z.object({
  name: z.string(),
  state: z.enum(DOCTOR_STATES),
  found: z.string(),
  /** The next thing to do; null where nothing needs to be done. */
  cure: z.string().nullable(),
})
export type DoctorCheck = z.infer<typeof doctorCheckSchema>

const doctorFolderSchema = z.object({
  use: z.enum(['catalog', 'temporary files']),
  /** As the system names it; null where it does not. */
  fileSystem: z.string().nullable(),
  totalBytes: countSchema.nullable(),
  freeBytes: countSchema.nullable(),
})
export type DoctorFolder = z.infer<typeof doctorFolderSchema>

/** A setting that is not as it comes. A value that may name things of the person is left out. */
const changedSettingSchema = z.object({ key: z.string(), value: z.string() })
export type ChangedSetting = z.infer<typeof changedSettingSchema>

/** The facts that only the program around the engine knows. */
export const doctorRequestSchema = z.object({
  settings: z.array(changedSettingSchema),
  /** The faults of the settings file, each in one line. */
  settingsFaults: z.array(z.string()),
  /** Null on the command line. */
  electron: z.string().nullable(),
  /** The variable STOWAGE_DUCKDB; null where it is not set. */
  duckdb: z.string().nullable(),
})
export type DoctorRequest = z.infer<typeof doctorRequestSchema>

/**
 * The state of an installation: `stowage doctor`, and *Copy diagnostics* in the window. It names no
 * person, computer, folder or file.
 */
export const doctorDocumentSchema = z.object({
  schema: z.literal('stowage.doctor/1'),
  version: z.string(),
  state: z.enum(DOCTOR_STATES),
  checks: z.array(doctorCheckSchema),
  system: z.object({ platform: z.string(), release: z.string(), arch: z.string() }),
  processor: z.object({
    model: z.string().nullable(),
    cores: countSchema,
    /** The instruction set that the addon uses; null where it cannot be loaded. */
    form: z.string().nullable(),
  }),
  runtime: z.object({ node: z.string(), electron: z.string().nullable() }),
  memory: z.object({ totalBytes: countSchema, freeBytes: countSchema }),
  folders: z.array(doctorFolderSchema),
  catalog: z.object({
    /** Null where there is none yet. */
    bytes: countSchema.nullable(),
    /** Its schema, and the newest one that this version knows. */
    version: countSchema.nullable(),
    newestVersion: countSchema,
  }),
  settings: z.array(changedSettingSchema),
  tools: z.array(z.object({ name: z.string(), version: z.string().nullable() })),
  /** The version that `stowage fleet` uses; null where there is none. */
  duckdb: z.string().nullable(),
  /** Null where no program can ask them. */
  drives: z.array(z.object({ name: z.string(), medium: z.string().nullable() })).nullable(),
  /** The last failures of the log, oldest first. */
  failures: z.array(z.string()),
})
export type DoctorDocument = z.infer<typeof doctorDocumentSchema>

/** The worst state of some checks. */
export function worstState(checks: readonly DoctorCheck[]): DoctorState {
  const worst = Math.max(0, ...checks.map(({ state }) => DOCTOR_STATES.indexOf(state)))
  return DOCTOR_STATES[worst] as DoctorState
}
