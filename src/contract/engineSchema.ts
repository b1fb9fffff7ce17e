import { z } from 'zod'
import { countSchema, idSchema, mediumIdSchema, pathSchema } from '../domain/scalars'
import { projectIdSchema, projectTitleSchema } from '../domain/survey/projectName'
import { LANGUAGES } from '../primitives/languages'
import { type Allowance, noPaths, type PathUse } from './callRule'
import { call, event } from './defineSchema'
import {
  type ArchiveDocument,
  archiveAdditionSchema,
  archiveDocumentSchema,
  archivesDocumentSchema,
  keepArchiveRequestSchema,
} from './dto/archive'
import { askedRestoreSchema } from './dto/askedRestore'
import {
  bandSweepDocumentSchema,
  bandSweepListItemSchema,
  bandSweepLiveSchema,
  bandSweepPreviewSchema,
  bandSweepRequestSchema,
} from './dto/bands'
import {
  checkDocumentSchema,
  checkIntervalSchema,
  checkRequestSchema,
  dueRequestSchema,
  volumeDueSchema,
} from './dto/check'
import {
  apartSchema,
  copiesDocumentSchema,
  copyNoteRequestSchema,
  safeDocumentSchema,
  safeRequestSchema,
  volumeCopySchema,
  writtenToRequestSchema,
  writtenToSchema,
} from './dto/copies'
import { doctorDocumentSchema, doctorRequestSchema } from './dto/doctor'
import { drillDocumentSchema, drillPreviewSchema, drillRequestSchema } from './dto/drill'
import {
  imageCatalogueSchema,
  imageConvertRequestSchema,
  imageCreateRequestSchema,
  imageDocumentSchema,
  imageInfoRequestSchema,
  imagePasswordRequestSchema,
  imagePlanSchema,
  imageRebandRequestSchema,
  imageResizeRequestSchema,
  imageResultRequestSchema,
  imageResultSchema,
  imageSettingsSchema,
  imageVerifyRequestSchema,
} from './dto/image'
import { jobEndSchema, jobInfoSchema, jobProgressSchema, jobStartedSchema, waitAnswerSchema } from './dto/job'
import { labelsDocumentSchema, labelsRequestSchema } from './dto/labels'
import { lookDocumentSchema, lookRequestSchema } from './dto/look'
import {
  type MeasurementListItem,
  type MeasureRequest,
  measureComparisonSchema,
  measureLiveSchema,
  measurementDocumentSchema,
  measurementListItemSchema,
  measurePreviewSchema,
  measureRequestSchema,
} from './dto/measure'
import {
  openedSetSchema,
  openSetRequestSchema,
  setFolderRequestSchema,
  setNeedsRequestSchema,
  setNeedsSchema,
  setRowsSchema,
  setSearchRequestSchema,
} from './dto/openedSet'
import {
  compareDocumentSchema,
  mediumCandidatesSchema,
  optionBuildRequestSchema,
  optionBuildSchema,
  optionsDocumentSchema,
  optionsRequestSchema,
} from './dto/options'
import {
  draftDocumentSchema,
  draftRequestSchema,
  foundFileSchema,
  mediumSchema,
  planComparisonRequestSchema,
  planComparisonSchema,
  planDocumentSchema,
  planListItemSchema,
  planRequestSchema,
  planSearchRequestSchema,
  planSearchSchema,
  protectionComparisonRequestSchema,
  protectionComparisonSchema,
  volumeFolderRequestSchema,
  volumeFolderSchema,
} from './dto/plan'
import { rebuildDocumentSchema, rebuildRequestSchema } from './dto/rebuild'
import { repairDocumentSchema, repairRequestSchema } from './dto/repair'
import { restoreDocumentSchema, restoreRequestSchema } from './dto/restore'
import {
  identifiedSchema,
  identifyRequestSchema,
  queueRequestSchema,
  restoreQueueSchema,
} from './dto/restoreQueue'
import { romsDocumentSchema, romsRequestSchema } from './dto/roms'
import { driveSchema, runDocumentSchema, runRequestSchema, writeRequestSchema } from './dto/run'
import {
  duplicateGroupSchema,
  keptDocumentSchema,
  missingSha256Schema,
  skippedSchema,
  sourceFolderSchema,
  surveyDocumentSchema,
  surveyListItemSchema,
  surveyLiveSchema,
  surveyRequestSchema,
  walkDocumentSchema,
  walkRequestSchema,
} from './dto/survey'

const none = z.void()

const changedImage = { paths: { path: 'write' }, starts: 'image' } as const

/** A measurement that only reads needs no more than a source does. */
function measured({ readOnly }: MeasureRequest): PathUse {
  return readOnly ? 'read' : 'write'
}

/** Who let a measurement write into a folder lets one read there too; not the other way round. */
function measuredBefore(
  measurements: readonly Pick<MeasurementListItem, 'directory' | 'readOnly'>[],
): Allowance {
  return {
    read: measurements.map(({ directory }) => directory),
    write: measurements.filter(({ readOnly }) => !readOnly).map(({ directory }) => directory),
  }
}

const ofArchive = z.object({ archiveId: projectIdSchema })

/** The sources of an archive and the folders of its plans were handed over when they were made. */
function keptBefore(archives: readonly Pick<ArchiveDocument, 'sources' | 'sets'>[]): Allowance {
  const plans = archives.flatMap(({ sets }) => sets).flatMap((set) => set.plans)
  const directories = plans.flatMap(({ directory }) => directory ?? [])
  return {
    read: [
      ...archives.flatMap(({ sources }) => sources.map(({ path }) => path)),
      ...plans.flatMap(({ roots }) => roots),
      ...directories,
    ],
    write: directories,
  }
}

const archiveAnswer = {
  paths: {},
  allows: (archive: ArchiveDocument) => keptBefore([archive]),
} as const

/**
 * Everything main (on the window's behalf) may ask of the engine, and everything the engine tells
 * unasked.
 */
export const engineSchema = {
  job: {
    list: call(none, z.array(jobInfoSchema), noPaths),
    cancel: call(z.object({ jobId: idSchema }), none, noPaths),
    pause: call(z.object({ jobId: idSchema }), none, noPaths),
    resume: call(z.object({ jobId: idSchema }), none, noPaths),
    /** Goes on with a job that waits for a person; refused for one that does not. */
    proceed: call(z.object({ jobId: idSchema, answer: waitAnswerSchema.optional() }), none, noPaths),
    progress: event(jobProgressSchema),
    ended: event(jobEndSchema),
  },
  survey: {
    start: call(surveyRequestSchema, jobStartedSchema, {
      paths: {
        paths: 'read',
        dats: 'read',
        fingerprints: 'write',
        fingerprintKey: 'read',
        fingerprintsSince: 'read',
      },
      starts: 'survey',
    }),
    live: event(surveyLiveSchema),
    /** Lists the sources without reading a file, and what rules leave out of them. */
    walk: call(walkRequestSchema, jobStartedSchema, { paths: { paths: 'read' }, starts: 'walk' }),
    /** The result of a walk; the last few are kept as long as the engine lives. */
    walked: call(z.object({ walkId: idSchema }), walkDocumentSchema, noPaths),
    /** The content of one folder by a walk; the sources for null. */
    folder: call(z.object({ walkId: idSchema, path: pathSchema.nullable() }), sourceFolderSchema, {
      paths: { path: 'read' },
    }),
    /** Reads a small sample of the sources that a walk has listed. */
    look: call(lookRequestSchema, jobStartedSchema, { paths: {}, starts: 'look' }),
    /** The look at a walk's sources as far as it is known; null before it was started. */
    looked: call(z.object({ walkId: idSchema }), lookDocumentSchema.nullable(), noPaths),
    get: call(z.object({ surveyId: idSchema }), surveyDocumentSchema, {
      paths: {},
      allows: ({ roots, dat }) => ({ read: [...roots, ...(dat?.dats.map(({ path }) => path) ?? [])] }),
    }),
    list: call(none, z.array(surveyListItemSchema), {
      paths: {},
      allows: (surveys) => ({ read: surveys.flatMap(({ roots }) => roots) }),
    }),
    /** Files with the same content, those first whose copies occupy the most. */
    duplicates: call(
      z.object({ surveyId: idSchema, limit: z.number().int().min(1).max(10_000).default(500) }),
      z.array(duplicateGroupSchema),
      noPaths,
    ),
    /**
     * How much of it is on verified volumes, by folders, and which folders are copies of others:
     * `limit` rows of each.
     */
    kept: call(
      z.object({
        surveyId: idSchema,
        /** The figures are of this folder alone; of all sources where it is absent. */
        folder: pathSchema.optional(),
        limit: z.number().int().min(1).max(10_000).default(500),
      }),
      keptDocumentSchema,
      { paths: { folder: 'read' } },
    ),
    /** Ends the answers of `kept` for this survey that are being worked out: `cancelled`. */
    stopKept: call(z.object({ surveyId: idSchema }), none, noPaths),
    /** Notes that a person knows of the silent changes that a survey names. */
    acknowledge: call(z.object({ surveyId: idSchema }), surveyDocumentSchema, noPaths),
    /** Files without SHA-256, which a plan reads; none once a plan of the survey was made. */
    missingSha256: call(z.object({ surveyId: idSchema }), missingSha256Schema, noPaths),
    /**
     * The entries that could not be read, in the order they were met: `limit` of them from the
     * `offset`-th on.
     */
    skips: call(
      z.object({
        surveyId: idSchema,
        offset: countSchema.max(2 ** 32 - 1).default(0),
        limit: z.number().int().min(1).max(10_000).default(1000),
      }),
      z.array(skippedSchema),
      noPaths,
    ),
  },
  measure: {
    /** The writing that a measurement would do, where and how much; writes nothing itself. */
    preview: call(measureRequestSchema, measurePreviewSchema, { paths: { directory: measured } }),
    start: call(measureRequestSchema, jobStartedSchema, {
      paths: { directory: measured },
      starts: 'measure',
    }),
    live: event(measureLiveSchema),
    /** Newest first. */
    list: call(none, z.array(measurementListItemSchema), { paths: {}, allows: measuredBefore }),
    get: call(z.object({ measurementId: idSchema }), measurementDocumentSchema, {
      paths: {},
      allows: (measurement) => measuredBefore([measurement]),
    }),
    compare: call(z.object({ a: idSchema, b: idSchema }), measureComparisonSchema, noPaths),
  },
  bands: {
    /** The writing that a band sweep would do, where and how much; writes nothing itself. */
    preview: call(bandSweepRequestSchema, bandSweepPreviewSchema, { paths: { directory: 'write' } }),
    start: call(bandSweepRequestSchema, jobStartedSchema, {
      paths: { directory: 'write' },
      starts: 'bands',
    }),
    live: event(bandSweepLiveSchema),
    /** Newest first. */
    list: call(none, z.array(bandSweepListItemSchema), {
      paths: {},
      allows: (sweeps) => ({ write: sweeps.map(({ directory }) => directory) }),
    }),
    get: call(z.object({ sweepId: idSchema }), bandSweepDocumentSchema, {
      paths: {},
      allows: ({ directory }) => ({ write: [directory] }),
    }),
  },
  media: {
    list: call(none, z.array(mediumSchema), noPaths),
    /** One medium by id, `custom:<size>` and `folder:<size>` included. */
    get: call(z.object({ mediumId: mediumIdSchema }), mediumSchema, noPaths),
  },
  roms: {
    /** Compares files with DATs; the result is kept as long as the engine lives. */
    compare: call(romsRequestSchema, jobStartedSchema, {
      paths: { paths: 'read', dats: 'read', detectors: 'read', writeHave: 'write', writeMissing: 'write' },
      starts: 'roms',
    }),
    get: call(z.object({ romsId: idSchema }), romsDocumentSchema, noPaths),
  },
  options: {
    /** Every way to store a survey's source; reads nothing but the catalog. */
    list: call(optionsRequestSchema, optionsDocumentSchema, noPaths),
    /** Three of them by name, on each medium. */
    candidates: call(optionsRequestSchema, z.array(mediumCandidatesSchema), noPaths),
    /** Builds one for real; the result is an option build. */
    build: call(optionBuildRequestSchema, jobStartedSchema, {
      paths: { path: 'write' },
      starts: 'option',
    }),
    built: call(z.object({ buildId: idSchema }), optionBuildSchema, noPaths),
    /** Forecast vs. actual. */
    compare: call(none, compareDocumentSchema, noPaths),
  },
  plan: {
    start: call(planRequestSchema, jobStartedSchema, { paths: { addToFolder: 'read' }, starts: 'plan' }),
    /** The plans that a survey allows, by the order of filling the volumes; makes none. */
    compare: call(planComparisonRequestSchema, planComparisonSchema, noPaths),
    /** A draft of the volumes of a walk's sources, from names and sizes. */
    draft: call(draftRequestSchema, draftDocumentSchema, noPaths),
    compareProtection: call(protectionComparisonRequestSchema, protectionComparisonSchema, noPaths),
    get: call(z.object({ planId: idSchema }), planDocumentSchema, {
      paths: {},
      allows: ({ roots }) => ({ read: roots }),
    }),
    list: call(none, z.array(planListItemSchema), {
      paths: {},
      // The folder of a set is what its files are restored from.
      allows: (plans) => ({
        read: plans.flatMap(({ roots, directory }) => [...roots, ...(directory === null ? [] : [directory])]),
        write: plans.flatMap(({ directory }) => directory ?? []),
      }),
    }),
    /** The content of one folder of a volume, in pages. */
    folder: call(volumeFolderRequestSchema, volumeFolderSchema, noPaths),
    /** The volumes of a plan that hold files or folders of a name. */
    search: call(planSearchRequestSchema, planSearchSchema, noPaths),
    /** The plan in the folder that it was exported to, whether or not the catalog has it. */
    open: call(z.object({ directory: pathSchema }), planDocumentSchema, { paths: { directory: 'write' } }),
    /**
     * Returns the runs of the plan in a folder: the last of each volume, at most one document of
     * each kind.
     */
    runs: call(z.object({ directory: pathSchema }), z.array(runDocumentSchema), {
      paths: { directory: 'write' },
    }),
    /** The same of a plan whose folder is not at hand, as far as the catalog knows. */
    runsKnown: call(z.object({ planId: idSchema }), z.array(runDocumentSchema), noPaths),
    /** Writes the labels of a plan's discs. */
    labels: call(labelsRequestSchema, labelsDocumentSchema, {
      paths: { directory: 'write', out: 'write', font: 'read' },
    }),
    export: call(
      z.object({
        planId: idSchema,
        directory: pathSchema,
        force: z.boolean().default(false),
        /** The language of the report; that of the plan if not given. */
        language: z.enum(LANGUAGES).optional(),
      }),
      jobStartedSchema,
      { paths: { directory: 'write' }, starts: 'export' },
    ),
  },
  archive: {
    /** Every archive that the catalog knows, and the sets of none. */
    list: call(none, archivesDocumentSchema, {
      paths: {},
      allows: ({ archives, sets }) => keptBefore([...archives, { sources: [], sets }]),
    }),
    get: call(ofArchive, archiveDocumentSchema, archiveAnswer),
    /** Makes an archive of a plan's set, brings its answers up to date, or adopts the set. */
    keep: call(keepArchiveRequestSchema, archiveDocumentSchema, archiveAnswer),
    rename: call(ofArchive.extend({ name: projectTitleSchema }), archiveDocumentSchema, archiveAnswer),
    /** Takes an archive out of the lists; its sets and all files stay. */
    forget: call(ofArchive, none, noPaths),
    /** Notes where a source is on this computer. */
    place: call(ofArchive.extend({ source: z.string().max(100), path: pathSchema }), archiveDocumentSchema, {
      paths: { path: 'read' },
    }),
    /** The next plan of an archive, to be made of a survey of its sources. */
    addition: call(ofArchive, archiveAdditionSchema, {
      paths: {},
      // It lies next to the folders of the earlier plans, and does not exist yet.
      allows: ({ directory }) => ({ write: directory === null ? [] : [directory] }),
    }),
  },
  run: {
    build: call(runRequestSchema, jobStartedSchema, { paths: { directory: 'write' }, starts: 'build' }),
    verify: call(runRequestSchema, jobStartedSchema, { paths: { directory: 'write' }, starts: 'verify' }),
    write: call(writeRequestSchema, jobStartedSchema, {
      paths: { directory: 'write', file: 'write', folder: 'write', nextFolder: 'write' },
      starts: 'write',
    }),
    /** Optical drives of this machine with what is in them; asks them, writes nothing. */
    drives: call(none, z.array(driveSchema), noPaths),
    get: call(z.object({ runId: idSchema }), runDocumentSchema, {
      paths: {},
      allows: ({ directory }) => ({ write: [directory] }),
    }),
  },
  doctor: {
    /** The state of this installation; changes nothing. */
    report: call(doctorRequestSchema, doctorDocumentSchema, noPaths),
  },
  check: {
    /** Reads volumes back from the medium, without the folders of their plans. */
    start: call(checkRequestSchema, jobStartedSchema, { paths: { volumes: 'read' }, starts: 'check' }),
    get: call(z.object({ checkId: idSchema }), checkDocumentSchema, noPaths),
    /** Every volume that was made or checked, those first that should be checked first. */
    due: call(dueRequestSchema, z.array(volumeDueSchema), noPaths),
    /** Gives all volumes of a set an interval after which each is checked again. */
    every: call(checkIntervalSchema, none, noPaths),
  },
  repair: {
    /** Makes a whole image from a damaged one, or from a damaged disc. */
    start: call(repairRequestSchema, jobStartedSchema, {
      paths: { volume: 'read', image: 'write', parity: 'read' },
      starts: 'repair',
    }),
    get: call(z.object({ repairId: idSchema }), repairDocumentSchema, noPaths),
  },
  rebuild: {
    /** Calculates the image of a lost disc from the others and parity. */
    start: call(rebuildRequestSchema, jobStartedSchema, {
      paths: { volumes: 'read', image: 'write' },
      starts: 'repair',
    }),
    get: call(z.object({ rebuildId: idSchema }), rebuildDocumentSchema, noPaths),
  },
  drill: {
    /** Draws the sample of a drill, and says what restoring it takes; nothing is written. */
    preview: call(drillRequestSchema, drillPreviewSchema, { paths: { volumes: 'read' } }),
    /** Restores a random sample into a temporary folder, compares it and removes it. */
    start: call(drillRequestSchema, jobStartedSchema, { paths: { volumes: 'read' }, starts: 'drill' }),
    get: call(z.object({ drillId: idSchema }), drillDocumentSchema, noPaths),
    /** Those that ended, the last one first. */
    list: call(none, z.array(drillDocumentSchema), noPaths),
  },
  restore: {
    start: call(restoreRequestSchema, jobStartedSchema, {
      paths: { volumes: 'read', to: 'write' },
      starts: 'restore',
    }),
    /** The document of one of the last restores. */
    get: call(z.object({ restoreId: idSchema }), restoreDocumentSchema, noPaths),
    /**
     * Opens a set to choose from, by the index on its volumes. The last one stays open until it is
     * closed.
     */
    open: call(openSetRequestSchema, openedSetSchema, { paths: { volumes: 'read' } }),
    /** The content of one folder of an opened set, in pages. */
    folder: call(setFolderRequestSchema, setRowsSchema, noPaths),
    /** Folders and files of an opened set that match a pattern of `find`. */
    search: call(setSearchRequestSchema, setRowsSchema, noPaths),
    /** The discs, bytes and time that restoring a part of an opened set takes. */
    needs: call(setNeedsRequestSchema, setNeedsSchema, noPaths),
    /** The fewest volumes for a list of files, in order, with the copy of each to fetch. */
    queue: call(queueRequestSchema, restoreQueueSchema, { paths: { volumes: 'read', to: 'write' } }),
    /** The volumes that a disc, an image or a folder is, and if they are of the opened set. */
    identify: call(identifyRequestSchema, identifiedSchema, { paths: { path: 'read' } }),
    /** Drops an opened set with its password; it need not be open. */
    close: call(z.object({ id: idSchema }), none, noPaths),
  },
  /** Restores that ask for their discs one after another, and are not done. */
  asked: {
    /** Newest first. */
    list: call(none, z.array(askedRestoreSchema), {
      paths: {},
      allows: (restores) => ({
        read: restores.flatMap(({ volumes }) => volumes),
        write: restores.map(({ to }) => to),
      }),
    }),
    /** It need not be there. */
    forget: call(z.object({ id: idSchema }), none, noPaths),
  },
  /** Containers. Every job's result is an image's document; none of it is in the catalog. */
  image: {
    catalogue: call(none, imageCatalogueSchema, noPaths),
    /** Plans an image from a request; writes nothing. */
    preview: call(imageSettingsSchema, imagePlanSchema, noPaths),
    info: call(imageInfoRequestSchema, imageDocumentSchema, { paths: { path: 'read' } }),
    create: call(imageCreateRequestSchema, jobStartedSchema, changedImage),
    convert: call(imageConvertRequestSchema, jobStartedSchema, {
      paths: { path: 'read', target: 'write' },
      starts: 'image',
    }),
    resize: call(imageResizeRequestSchema, jobStartedSchema, changedImage),
    compact: call(imageInfoRequestSchema, jobStartedSchema, changedImage),
    reband: call(imageRebandRequestSchema, jobStartedSchema, changedImage),
    verify: call(imageVerifyRequestSchema, jobStartedSchema, { paths: { path: 'read' }, starts: 'image' }),
    changePassword: call(imagePasswordRequestSchema, jobStartedSchema, changedImage),
    /** The result of one of the last jobs. */
    result: call(imageResultRequestSchema, imageResultSchema, noPaths),
  },
  copies: {
    /** Every copy of a volume that the catalog knows. */
    list: call(none, copiesDocumentSchema, noPaths),
    /** The same, each looked at where it can be reached; its contents are not read. */
    look: call(none, copiesDocumentSchema, noPaths),
    /** Notes where a copy is, or that it was lost or found; gives the copies that it is about. */
    note: call(copyNoteRequestSchema, z.array(volumeCopySchema), noPaths),
    /** Where a copy was written last; null where the catalog does not know. */
    writtenTo: call(writtenToRequestSchema, writtenToSchema.nullable(), {
      paths: {},
      // A person chose that folder when the copy was written.
      allows: (to) => ({ write: to?.kind === 'folder' && to.problem === null ? [to.path] : [] }),
    }),
    /** Looks at two folders for two copies; writes nothing. */
    apart: call(z.object({ folders: z.array(pathSchema).length(2) }), apartSchema, {
      paths: { folders: 'write' },
    }),
    /** Says if a source may be deleted: lists it now, deletes nothing. */
    safe: call(safeRequestSchema, safeDocumentSchema, noPaths),
    /** Ends the answers of `safe` for this survey that are being worked out: `cancelled`. */
    stopSafe: call(z.object({ surveyId: idSchema }), none, noPaths),
    /** The newest whole survey of exactly these paths that has SHA-256, else the newest. */
    surveyOf: call(z.object({ paths: z.array(pathSchema).min(1) }), idSchema, { paths: { paths: 'read' } }),
  },
  catalog: {
    find: call(
      z.object({
        pattern: z.string().min(1).max(4096),
        limit: z.number().int().min(1).max(10_000).default(200),
        /** Only what is on volumes of these; on all, and what is on none, if not given. */
        planIds: z.array(idSchema).max(10_000).optional(),
      }),
      z.array(foundFileSchema),
      noPaths,
    ),
    /** Forgets a plan, a survey or another row by its id; no file of the person is touched. */
    remove: call(z.object({ id: idSchema }), none, noPaths),
  },
  sample: {
    /**
     * Makes the sample source in this folder if it is not there yet. Main's own: the window asks
     * main, not the engine.
     */
    make: call(z.object({ directory: pathSchema }), none, { paths: { directory: 'write' } }),
  },
  work: {
    /**
     * Puts temporary files into this folder from now on; into the system's for null. Main's own,
     * which gives the folder of the settings.
     */
    use: call(z.object({ folder: pathSchema.nullable() }), none, { paths: { folder: 'write' } }),
  },
} as const
export type EngineSchema = typeof engineSchema

/**
 * Raised whenever the messages between main and engine change their meaning; the handshake compares
 * it.
 */
export const ENGINE_PROTOCOL = 1
