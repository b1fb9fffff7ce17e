import { z } from 'zod'
import { pathSchema, wireErrorSchema } from '../domain/scalars'
import { projectIdSchema } from '../domain/survey/projectName'
import { noPaths } from './callRule'
import { call, event } from './defineSchema'
import {
  openedProjectSchema,
  projectActionSchema,
  projectFormSchema,
  projectStateSchema,
  recentProjectSchema,
  sourceSchema,
} from './dto/project'
import { settingsSchema } from './dto/settings'
import { engineSchema } from './engineSchema'

export type { Source } from './dto/project'

const none = z.void()
const { sample: _sample, work: _work, doctor: _doctor, ...forwarded } = engineSchema

/** The kinds of help that the window shows. */
export const helpSchema = z.enum(['keys', 'glossary', 'diagnostics', 'about'])
export type Help = z.infer<typeof helpSchema>

/** The engine's life: why it is lost, and whether it is being started again. */
const engineStateSchema = z.object({
  state: z.enum(['starting', 'ready', 'lost']),
  reason: z.string().nullable(),
  restarting: z.boolean(),
})
export type EngineState = Readonly<z.infer<typeof engineStateSchema>>

/**
 * Everything the window may ask of main. The engine's calls are forwarded as they are declared
 * there, after main has checked that every path in them was handed over by the person; `app` and
 * `project` are main's own.
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
        /** The project that is open already. */
        project: openedProjectSchema.nullable(),
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
      z.object({ purpose: z.enum(['export', 'openPlan', 'measure', 'restore', 'write', 'work', 'labels']) }),
      pathSchema.nullable(),
      noPaths,
    ),
    /**
     * Opens a dialog for the folders that copies are written to, one for each copy; an empty list
     * means the person closed it.
     */
    chooseCopyFolders: call(none, z.array(pathSchema), noPaths),
    /**
     * The place for a new set of this name: a folder in the person's documents, where nothing is
     * yet. It may be written to from then on; nothing is made.
     */
    setPlace: call(z.object({ name: z.string().max(200) }), pathSchema, {
      paths: {},
      allows: (place) => ({ write: [place] }),
    }),
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
    /** Opens a dialog for DATs; an empty list means closed. */
    chooseDats: call(none, z.array(pathSchema), noPaths),
    /** Opens a dialog for a font for labels. Null means closed. */
    chooseFont: call(none, pathSchema.nullable(), noPaths),
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
    /** Saves the report in the folder of a plan as PDF where the person says; null means closed. */
    saveReport: call(z.object({ directory: pathSchema }), pathSchema.nullable(), {
      paths: { directory: 'show' },
    }),
    /** Sources handed over while the window is open: drops, a second start with arguments. */
    sourcesGiven: event(z.array(sourceSchema)),
    /** Started, also once more, to open this disk image; it may be read and changed. */
    imageGiven: event(pathSchema),
    /** Copies the state of this installation, without what is the person's, and answers it. */
    copyDiagnostics: call(none, z.string(), noPaths),
    /** Shows the log in the system's file manager. */
    showLog: call(none, none, noPaths),
    /** The menu asks for the page of settings. */
    settingsWanted: event(z.null()),
    /** The menu asks for help of a kind. */
    helpWanted: event(helpSchema),
    engineState: event(engineStateSchema),
    /** A failure that belongs to no call. */
    failure: event(wireErrorSchema),
  },
  /** Project files. Main asks before changes are lost; null means that the person cancelled. */
  project: {
    /** Begins a project with nothing in it. */
    make: call(none, openedProjectSchema.nullable(), noPaths),
    /** Opens the project of a dialog. */
    open: call(none, openedProjectSchema.nullable(), noPaths),
    /** Opens an archive of the catalog, as a project without a file. */
    openArchive: call(z.object({ archiveId: projectIdSchema }), openedProjectSchema.nullable(), noPaths),
    /** Closes the open project; false where the person keeps it. */
    close: call(none, z.boolean(), noPaths),
    /** Projects that were open before, the last one first. */
    recents: call(none, z.array(recentProjectSchema), noPaths),
    openRecent: call(recentProjectSchema.pick({ recent: true }), openedProjectSchema.nullable(), noPaths),
    /** Takes one out of the list; its file stays. */
    forget: call(recentProjectSchema.pick({ recent: true }), z.array(recentProjectSchema), noPaths),
    /**
     * Notes what the window has now: nothing is written. `missing` are those sources of the project
     * that are not there and stay in it. Null where no project is open.
     */
    change: call(
      z.object({
        form: projectFormSchema,
        sources: z.array(pathSchema),
        dats: z.array(pathSchema),
        missing: z.array(z.string()),
      }),
      projectStateSchema.nullable(),
      { paths: { sources: 'read', dats: 'read' } },
    ),
    /**
     * Writes what was noted last into the project's file, or, with `as` or where it has none, into
     * a new one. `reloaded` is what another program has written, where the person prefers that.
     */
    save: call(
      z.object({ as: z.boolean() }),
      z.object({ project: projectStateSchema, reloaded: openedProjectSchema.nullable() }).nullable(),
      noPaths,
    ),
    /** Asks where a source is that is not there; kept for this computer, not in the file. */
    locate: call(
      z.object({ name: z.string() }),
      z.object({ project: projectStateSchema, source: sourceSchema }).nullable(),
      noPaths,
    ),
    /** A project was handed over while the window is open. */
    opened: event(openedProjectSchema),
    /** The menu asks for it. */
    wanted: event(projectActionSchema),
  },
} as const
export type RendererSchema = typeof rendererSchema

/** The object that the preload page sets as `window.stowage`. */
export interface WindowApi {
  readonly call: import('./defineSchema').Client<RendererSchema>
  /** Hands dropped File objects over: only real ones, that a person dropped, have a path. */
  readonly giveDropped: (files: readonly unknown[]) => Promise<void>
}
