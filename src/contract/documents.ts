import { z } from 'zod'
import { catalogExportSchema } from '../domain/fingerprints/catalogNote'
import { fingerprintCheckSchema } from '../domain/fingerprints/fingerprintCheck'
import { fleetCountsSchema } from '../domain/fleet/fleetCounts'
import { fleetKeptSchema } from '../domain/fleet/fleetKept'
import { fleetReportSchema } from '../domain/fleet/fleetReport'
import { sparkCommandSchema } from '../domain/fleet/sparkCommand'
import { type JsonSchema, jsonSchemaOf } from '../domain/jsonSchema'
import {
  compareDocumentSchema,
  optionBuildSchema,
  optionsDocumentSchema,
} from '../domain/options/optionsDocument'
import { PROJECT_SCHEMA } from '../domain/project/project'
import { countSchema, idSchema, pathSchema, wallMsSchema } from '../domain/scalars'
import { driveSchema } from '../domain/sets/drives/drive'
import { ROM_LAYOUTS } from '../domain/survey/romLayout'
import { rulesDocumentSchema } from '../domain/survey/rules/rules'
import { APP_ERROR_CODES } from '../primitives/appError'
import { archiveAdditionSchema, archiveDocumentSchema, archivesDocumentSchema } from './dto/archive'
import { bandSweepDocumentSchema, bandSweepListItemSchema } from './dto/bands'
import { checkDocumentSchema, checkIntervalSchema, volumeDueSchema } from './dto/check'
import { copiesDocumentSchema, safeDocumentSchema } from './dto/copies'
import { doctorDocumentSchema } from './dto/doctor'
import { drillDocumentSchema } from './dto/drill'
import { imageDocumentSchema, imageVerifySchema } from './dto/image'
import { labelsDocumentSchema } from './dto/labels'
import { lookDocumentSchema } from './dto/look'
import { measureComparisonSchema, measurementDocumentSchema, measurementListItemSchema } from './dto/measure'
import {
  draftDocumentSchema,
  foundFileSchema,
  mediumSchema,
  planComparisonSchema,
  planDocumentSchema,
  planListItemSchema,
  protectionComparisonSchema,
} from './dto/plan'
import { rebuildDocumentSchema } from './dto/rebuild'
import { repairDocumentSchema } from './dto/repair'
import { restoreDocumentSchema } from './dto/restore'
import { restoreQueueSchema } from './dto/restoreQueue'
import { romsDocumentSchema } from './dto/roms'
import { runDocumentSchema } from './dto/run'
import {
  duplicateGroupSchema,
  keptDocumentSchema,
  surveyDocumentSchema,
  surveyListItemSchema,
  walkDocumentSchema,
} from './dto/survey'
import { surveyMergeSchema } from './dto/surveyMerge'

/** A document of parts that have their schemas elsewhere. */
function named<const Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({ schema: z.literal(name), ...shape })
}

const projectShape = {
  file: pathSchema,
  id: idSchema,
  name: z.string(),
  sources: z.array(
    z.object({ name: z.string(), written: z.string(), path: pathSchema, isThere: z.boolean() }),
  ),
  rules: rulesDocumentSchema,
  /** The DATs as the file names them; empty for none. */
  dat: z.array(z.string()),
  /** How ROM sets are laid out; absent: as each DAT asks for. */
  layout: z.enum(ROM_LAYOUTS).optional(),
  medium: z.string().nullable(),
  option: z.string().nullable(),
  encryption: z.string().nullable(),
  label: z.string().nullable(),
  protection: z.string().nullable(),
  copies: countSchema.nullable(),
  goal: z.string().nullable(),
  /** With `project show`: its plans, newest first. */
  plans: z
    .array(
      z.object({
        id: idSchema,
        createdWallMs: wallMsSchema.nullable(),
        medium: z.string().nullable(),
        directory: pathSchema.nullable(),
        volumes: z
          .array(
            z.object({
              index: countSchema,
              label: z.string(),
              state: z.enum(['planned', 'built', 'written', 'verified', 'failed']).nullable(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly()
    .optional(),
}

/**
 * Every document that `--json` prints, by its schema. A command can print no other
 * (`Terminal.document`); the name is the last value that its field `schema` takes.
 */
const DOCUMENTS = [
  surveyDocumentSchema.extend({
    /** With `--table kept` or `--table copies`. */
    kept: keptDocumentSchema.optional(),
    /** With `--table duplicates`. */
    duplicates: z.array(duplicateGroupSchema).optional(),
  }),
  surveyMergeSchema,
  fingerprintCheckSchema,
  fleetReportSchema,
  fleetCountsSchema,
  fleetKeptSchema,
  catalogExportSchema,
  sparkCommandSchema,
  walkDocumentSchema,
  lookDocumentSchema,
  draftDocumentSchema,
  romsDocumentSchema,
  measurementDocumentSchema,
  named('stowage.measurements/1', { measurements: z.array(measurementListItemSchema) }),
  named('stowage.measureComparison/1', measureComparisonSchema.shape),
  bandSweepDocumentSchema,
  named('stowage.bandSweeps/1', { sweeps: z.array(bandSweepListItemSchema) }),
  optionsDocumentSchema,
  optionBuildSchema,
  compareDocumentSchema,
  planDocumentSchema,
  planComparisonSchema,
  protectionComparisonSchema,
  runDocumentSchema,
  named('stowage.runs/1', { runs: z.array(runDocumentSchema) }),
  named('stowage.drives/1', { drives: z.array(driveSchema) }),
  checkDocumentSchema,
  named('stowage.checksDue/1', {
    byWallMs: wallMsSchema,
    /** How many volumes there are, due or not. */
    known: countSchema,
    volumes: z.array(volumeDueSchema),
  }),
  named('stowage.checkInterval/1', checkIntervalSchema.shape),
  labelsDocumentSchema,
  rebuildDocumentSchema,
  repairDocumentSchema,
  restoreDocumentSchema,
  restoreQueueSchema,
  drillDocumentSchema,
  imageDocumentSchema,
  imageVerifySchema,
  archivesDocumentSchema,
  named('stowage.archive/1', archiveDocumentSchema.shape),
  named('stowage.archive-forgotten/1', { id: idSchema, name: z.string(), sets: z.array(idSchema) }),
  named('stowage.addition/1', { archive: archiveAdditionSchema.shape.archive, planned: z.literal(false) }),
  named(PROJECT_SCHEMA, projectShape),
  named('stowage.project-check/1', {
    file: pathSchema,
    problems: z.array(
      z.object({
        line: countSchema,
        column: countSchema,
        code: z.enum(APP_ERROR_CODES),
        message: z.string(),
        path: pathSchema.optional(),
      }),
    ),
  }),
  named('stowage.find/1', { pattern: z.string(), files: z.array(foundFileSchema) }),
  named('stowage.catalog/1', {
    surveys: z.array(surveyListItemSchema),
    plans: z.array(planListItemSchema),
    volumes: z.array(volumeDueSchema),
  }),
  named('stowage.removal/1', {
    removed: z.array(z.object({ kind: z.string(), id: idSchema })),
  }),
  named('stowage.acknowledged/1', {
    surveyId: idSchema,
    silentChanges: surveyDocumentSchema.shape.silentChanges,
  }),
  copiesDocumentSchema,
  safeDocumentSchema,
  named('stowage.media/1', {
    media: z.array(mediumSchema),
    prices: z.array(
      z.object({ mediumId: z.string(), amount: z.number(), currency: z.string(), notedOn: z.string() }),
    ),
  }),
  named('stowage.settings/1', {
    /** Absent with `--print-config`. */
    file: pathSchema.optional(),
    settings: z
      .array(
        z.object({
          key: z.string(),
          value: z.unknown(),
          origin: z.enum(['option', 'project', 'settings', 'default']),
          /** The option, the project file or the settings file; null for a default. */
          from: z.string().nullable(),
        }),
      )
      .readonly(),
  }),
  doctorDocumentSchema,
  named('stowage.tools/1', {
    tools: z.array(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        path: pathSchema.nullable(),
        neededFor: z.string(),
        howToGet: z.string(),
      }),
    ),
  }),
  named('stowage.sample/1', { directory: pathSchema }),
  named('stowage.completion/1', { shell: z.string(), script: z.string() }),
  named('stowage.schemas/1', { documents: z.array(z.string()) }),
] as const

/** A document that a command prints under `--json`. */
export type JsonDocument = z.output<(typeof DOCUMENTS)[number]>

const BY_NAME = new Map(DOCUMENTS.map((document) => [nameOf(document), document]))

function nameOf({ shape }: (typeof DOCUMENTS)[number]): string {
  const { schema } = shape
  return String(schema instanceof z.ZodEnum ? schema.options.at(-1) : schema.value)
}

/** The names of all documents, such as `stowage.survey/1`, in the order of the commands. */
export function documentNames(): string[] {
  return [...BY_NAME.keys()]
}

/** The JSON Schema (2020-12) of the document of a name, or null where no document has it. */
export function documentSchema(name: string): JsonSchema | null {
  const document = BY_NAME.get(name)
  return document ? jsonSchemaOf(document.meta({ title: name }), 'output') : null
}
