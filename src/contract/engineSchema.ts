import { z } from 'zod'
import { call, event } from './defineSchema'
import {
  bandSweepDocumentSchema,
  bandSweepListItemSchema,
  bandSweepLiveSchema,
  bandSweepPreviewSchema,
  bandSweepRequestSchema,
} from './dto/bands'
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
  imageVerifyRequestSchema,
  imageWishSchema,
} from './dto/image'
import { jobEndSchema, jobInfoSchema, jobProgressSchema, jobStartedSchema } from './dto/job'
import {
  measureComparisonSchema,
  measureLiveSchema,
  measurementDocumentSchema,
  measurementListItemSchema,
  measurePreviewSchema,
  measureRequestSchema,
} from './dto/measure'
import {
  compareDocumentSchema,
  optionBuildRequestSchema,
  optionBuildSchema,
  optionsDocumentSchema,
  optionsRequestSchema,
} from './dto/options'
import {
  foundFileSchema,
  mediumSchema,
  planDocumentSchema,
  planListItemSchema,
  planRequestSchema,
} from './dto/plan'
import { runDocumentSchema, runRequestSchema } from './dto/run'
import { countSchema, idSchema, mediumIdSchema, pathSchema } from './dto/scalars'
import {
  duplicateGroupSchema,
  skippedSchema,
  surveyDocumentSchema,
  surveyListItemSchema,
  surveyLiveSchema,
  surveyRequestSchema,
} from './dto/survey'

const none = z.void()

/** Everything main (on the window's behalf) may ask of the engine, and everything the engine tells unasked. */
export const engineSchema = {
  job: {
    list: call(none, z.array(jobInfoSchema)),
    cancel: call(z.object({ jobId: idSchema }), none),
    pause: call(z.object({ jobId: idSchema }), none),
    resume: call(z.object({ jobId: idSchema }), none),
    progress: event(jobProgressSchema),
    ended: event(jobEndSchema),
  },
  survey: {
    start: call(surveyRequestSchema, jobStartedSchema),
    live: event(surveyLiveSchema),
    get: call(z.object({ surveyId: idSchema }), surveyDocumentSchema),
    list: call(none, z.array(surveyListItemSchema)),
    /** Files with the same content, those first whose copies occupy the most. */
    duplicates: call(
      z.object({ surveyId: idSchema, limit: z.number().int().min(1).max(10_000).default(500) }),
      z.array(duplicateGroupSchema),
    ),
    /** What could not be read, in the order it was met: `limit` of them from the `offset`-th on. */
    skips: call(
      z.object({
        surveyId: idSchema,
        offset: countSchema.max(2 ** 32 - 1).default(0),
        limit: z.number().int().min(1).max(10_000).default(1000),
      }),
      z.array(skippedSchema),
    ),
  },
  measure: {
    /** What a measurement would write, where and how much; writes nothing itself. */
    preview: call(measureRequestSchema, measurePreviewSchema),
    start: call(measureRequestSchema, jobStartedSchema),
    live: event(measureLiveSchema),
    /** Newest first. */
    list: call(none, z.array(measurementListItemSchema)),
    get: call(z.object({ measurementId: idSchema }), measurementDocumentSchema),
    compare: call(z.object({ a: idSchema, b: idSchema }), measureComparisonSchema),
  },
  bands: {
    /** What a band sweep would write, where and how much; writes nothing itself. */
    preview: call(bandSweepRequestSchema, bandSweepPreviewSchema),
    start: call(bandSweepRequestSchema, jobStartedSchema),
    live: event(bandSweepLiveSchema),
    /** Newest first. */
    list: call(none, z.array(bandSweepListItemSchema)),
    get: call(z.object({ sweepId: idSchema }), bandSweepDocumentSchema),
  },
  media: {
    list: call(none, z.array(mediumSchema)),
    /** One medium by id, `custom:<size>` and `folder:<size>` included. */
    get: call(z.object({ mediumId: mediumIdSchema }), mediumSchema),
  },
  options: {
    /** Every way to store a survey's source; reads nothing but the catalog. */
    list: call(optionsRequestSchema, optionsDocumentSchema),
    /** Builds one for real; the result is an option build. */
    build: call(optionBuildRequestSchema, jobStartedSchema),
    built: call(z.object({ buildId: idSchema }), optionBuildSchema),
    /** Forecast against fact. */
    compare: call(none, compareDocumentSchema),
  },
  plan: {
    start: call(planRequestSchema, jobStartedSchema),
    get: call(z.object({ planId: idSchema }), planDocumentSchema),
    list: call(none, z.array(planListItemSchema)),
    /** The plan that stands in a folder it was exported to, whether the catalog knows it or not. */
    open: call(z.object({ directory: pathSchema }), planDocumentSchema),
    export: call(
      z.object({ planId: idSchema, directory: pathSchema, force: z.boolean().default(false) }),
      jobStartedSchema,
    ),
  },
  run: {
    build: call(runRequestSchema, jobStartedSchema),
    verify: call(runRequestSchema, jobStartedSchema),
    get: call(z.object({ runId: idSchema }), runDocumentSchema),
  },
  /** Containers. Every job's result is an image's document; none of it is in the catalog. */
  image: {
    catalogue: call(none, imageCatalogueSchema),
    /** What a wish comes to; writes nothing. */
    preview: call(imageWishSchema, imagePlanSchema),
    info: call(imageInfoRequestSchema, imageDocumentSchema),
    create: call(imageCreateRequestSchema, jobStartedSchema),
    convert: call(imageConvertRequestSchema, jobStartedSchema),
    resize: call(imageResizeRequestSchema, jobStartedSchema),
    compact: call(imageInfoRequestSchema, jobStartedSchema),
    reband: call(imageRebandRequestSchema, jobStartedSchema),
    verify: call(imageVerifyRequestSchema, jobStartedSchema),
    changePassword: call(imagePasswordRequestSchema, jobStartedSchema),
    /** Of one of the last jobs. */
    result: call(imageResultRequestSchema, imageResultSchema),
  },
  catalog: {
    find: call(
      z.object({
        pattern: z.string().min(1).max(4096),
        limit: z.number().int().min(1).max(10_000).default(200),
      }),
      z.array(foundFileSchema),
    ),
  },
  sample: {
    /** Makes the sample source in this folder if it is not there yet. Main's own: the window asks main, not the engine. */
    make: call(z.object({ directory: pathSchema }), none),
  },
} as const
export type EngineSchema = typeof engineSchema

/** Raised whenever the messages between main and engine change their meaning; the handshake compares it. */
export const ENGINE_PROTOCOL = 1
