import { z } from 'zod'
import { pathSchema, wireErrorSchema } from '../domain/scalars'
import { noPaths } from './callRule'
import { call, event } from './defineSchema'
import { settingsSchema } from './dto/settings'
import { engineSchema } from './engineSchema'

const none = z.void()
const { sample: _sample, work: _work, ...forwarded } = engineSchema

/** One folder or file that the person handed over, by drop, dialog or command line. */
const sourceSchema = z.object({ path: pathSchema, kind: z.enum(['folder', 'file']), name: z.string() })
export type Source = z.infer<typeof sourceSchema>

/** The engine's life: why it is lost, and whether it is being started again. */
const engineStateSchema = z.object({
  state: z.enum(['starting', 'ready', 'lost']),
  reason: z.string().nullable(),
  restarting: z.boolean(),
})
export type EngineState = Readonly<z.infer<typeof engineStateSchema>>

/**
 * Everything the window may ask of main. The engine's calls are forwarded as they are declared
 * there, after main has checked that every path in them was handed over by the person; `app` is
 * main's own.
 */
export const rendererSchema = {
  ...forwarded,
  app: {
    /**
     * The state that the window needs at its start. `sources` come from the command line;
     * `surveyAtOnce`: begin with them.
     */
    state: call(
      none,
      z.object({
        version: z.string(),
        runtime: z.string(),
        platform: z.string(),
        settings: settingsSchema,
        /** The file that keeps them, to be shown. */
        settingsFile: z.string(),
        sources: z.array(sourceSchema),
        surveyAtOnce: z.boolean(),
        engine: engineStateSchema.shape.state,
      }),
      noPaths,
    ),
    /** Opens a dialog; an empty list means the person closed it. */
    chooseSources: call(z.object({ kind: z.enum(['folders', 'files']) }), z.array(sourceSchema), noPaths),
    /**
     * Opens a dialog for a folder to write in: a plan's, one on a device to be measured, or one for
     * temporary files; null means the person closed it.
     */
    chooseDirectory: call(
      z.object({ purpose: z.enum(['export', 'openPlan', 'measure', 'restore', 'write', 'work']) }),
      pathSchema.nullable(),
      noPaths,
    ),
    /**
     * Opens a dialog for volumes to restore from: image files, or folders such as mounted discs; an
     * empty list means closed.
     */
    chooseVolumes: call(z.object({ kind: z.enum(['images', 'folders']) }), z.array(pathSchema), noPaths),
    /**
     * Opens a dialog for an image: a file, or a sparse bundle, which is a folder. Null means
     * closed.
     */
    chooseImage: call(z.object({ kind: z.enum(['file', 'bundle']) }), pathSchema.nullable(), noPaths),
    /**
     * Asks where a new image goes; `replaces`: the person agreed to replace the file that is there.
     * Null means closed.
     */
    chooseImagePlace: call(
      z.object({ suggestedName: z.string().max(200) }),
      z.object({ path: pathSchema, replaces: z.boolean() }).nullable(),
      noPaths,
    ),
    /**
     * Asks where a build of an option goes; `replaces`: the person agreed to replace the file that
     * is there. Null means closed.
     */
    chooseOptionPlace: call(
      z.object({ suggestedName: z.string().max(200) }),
      z.object({ path: pathSchema, replaces: z.boolean() }).nullable(),
      noPaths,
    ),
    /** Opens a dialog for a file that stands in for the disc in a drive. Null means closed. */
    chooseDiscFile: call(none, pathSchema.nullable(), noPaths),
    /** Makes the sample source (if it is not there yet) and hands it over. */
    sampleSource: call(none, z.array(sourceSchema), noPaths),
    saveSettings: call(settingsSchema.partial(), settingsSchema, { paths: { 'work-folder': 'write' } }),
    /**
     * Shows a folder that the person handed over or that a plan was exported to in the system's
     * file manager.
     */
    showFolder: call(z.object({ path: pathSchema }), none, { paths: { path: 'show' } }),
    /**
     * Saves text the window made (a table as CSV, a figure as JSON) where the person says; null
     * means closed.
     */
    saveText: call(
      z.object({ suggestedName: z.string().max(200), text: z.string().max(64 * 1024 * 1024) }),
      pathSchema.nullable(),
      { ...noPaths, mostArgumentBytes: 72 * 1024 * 1024 },
    ),
    /** Sources handed over while the window is open: drops, a second start with arguments. */
    sourcesGiven: event(z.array(sourceSchema)),
    /** The menu asks for the page of settings. */
    settingsWanted: event(z.null()),
    engineState: event(engineStateSchema),
    /** A failure that belongs to no call. */
    failure: event(wireErrorSchema),
  },
} as const
export type RendererSchema = typeof rendererSchema

/** The object that the preload page sets as `window.stowage`. */
export interface WindowApi {
  readonly call: import('./defineSchema').Client<RendererSchema>
  /** Hands dropped File objects over: only real ones, that a person dropped, have a path. */
  readonly giveDropped: (files: readonly unknown[]) => Promise<void>
}
