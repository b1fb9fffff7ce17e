import {
  type BrowserWindow,
  dialog,
  type FileFilter,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron'
import { recoverPath } from '../files/nativePath'
import { pathForDisplay } from '../primitives/pathText'
import type { QuitQuestion } from './jobs/safeQuit'
import { say } from './words'

/** Asks the person for folders or files to archive; an empty list means the dialog was closed. */
export async function askForSources(window: BrowserWindow, kind: 'folders' | 'files'): Promise<string[]> {
  return askForPaths(window, {
    title: kind === 'folders' ? say('dialog.folders') : say('dialog.files'),
    buttonLabel: say('dialog.add'),
    properties: [kind === 'folders' ? 'openDirectory' : 'openFile', 'multiSelections', 'dontAddToRecent'],
  })
}

/**
 * Asks for a folder to write a plan to, to restore into or for temporary files, for one that holds
 * a plan, or for one on a device to be measured; null means the dialog was closed.
 */
export async function askForDirectory(
  window: BrowserWindow,
  purpose: 'export' | 'openPlan' | 'measure' | 'restore' | 'write' | 'work' | 'labels',
): Promise<string | null> {
  const [chosen] = await askForPaths(window, {
    title: say(`dialog.${purpose}`),
    buttonLabel: say('dialog.choose'),
    properties:
      purpose !== 'openPlan' && purpose !== 'measure'
        ? ['openDirectory', 'createDirectory', 'promptToCreate', 'dontAddToRecent']
        : ['openDirectory', 'dontAddToRecent'],
  })
  return chosen ?? null
}

/**
 * Asks for the folders that copies are written to, one for each; an empty list means the dialog was
 * closed.
 */
export async function askForCopyFolders(window: BrowserWindow): Promise<string[]> {
  return askForPaths(window, {
    title: say('dialog.copyFolders'),
    buttonLabel: say('dialog.choose'),
    properties: ['openDirectory', 'multiSelections', 'createDirectory', 'promptToCreate', 'dontAddToRecent'],
  })
}

/**
 * Asks for volumes of a set: image files, or folders such as mounted discs; an empty list means the
 * dialog was closed.
 */
export async function askForVolumes(window: BrowserWindow, kind: 'images' | 'folders'): Promise<string[]> {
  const isFolder = kind === 'folders'
  return askForPaths(window, {
    title: isFolder ? say('dialog.volumeFolders') : say('dialog.volumeImages'),
    buttonLabel: say('dialog.choose'),
    properties: [isFolder ? 'openDirectory' : 'openFile', 'multiSelections', 'dontAddToRecent'],
    ...(isFolder ? {} : { filters: imageFilters() }),
  })
}

/**
 * Asks where to save a text; the dialog itself asks before something is replaced. Null means it was
 * closed.
 */
export function askForSavePlace(window: BrowserWindow, suggestedName: string): Promise<string | null> {
  return askWhereToSave(window, { title: say('dialog.text'), defaultPath: suggestedName })
}

/**
 * Asks where the report of a plan goes as PDF; the dialog itself asks before a file is replaced.
 * Null means it was closed.
 */
export function askForReportPlace(window: BrowserWindow): Promise<string | null> {
  return askWhereToSave(window, {
    title: say('dialog.report'),
    defaultPath: 'report.pdf',
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
  })
}

async function askWhereToSave(window: BrowserWindow, options: SaveDialogOptions): Promise<string | null> {
  const answer = await dialog.showSaveDialog(window, {
    ...options,
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  })
  return answer.canceled || !answer.filePath ? null : recoverPath(answer.filePath)
}

/** The usual endings of a file with a disk in it. */
const IMAGE_ENDINGS = ['dmg', 'sparseimage', 'sparsebundle', 'img', 'iso', 'cdr', 'raw']
const imageFilters = (): FileFilter[] => [
  { name: say('kind.images'), extensions: IMAGE_ENDINGS },
  { name: say('kind.all'), extensions: ['*'] },
]

/**
 * Asks for an image: a file, or a sparse bundle, which is a folder (on macOS both look like files).
 */
export async function askForImage(window: BrowserWindow, kind: 'file' | 'bundle'): Promise<string | null> {
  const isFolder = kind === 'bundle' && process.platform !== 'darwin'
  const [chosen] = await askForPaths(window, {
    title: kind === 'bundle' ? say('dialog.bundle') : say('dialog.image'),
    buttonLabel: say('dialog.choose'),
    properties: [isFolder ? 'openDirectory' : 'openFile', 'dontAddToRecent'],
    ...(isFolder ? {} : { filters: imageFilters() }),
  })
  return chosen ?? null
}

/**
 * Asks where a new image goes; the dialog itself asks before a file is replaced. Null means it was
 * closed.
 */
export function askForImagePlace(window: BrowserWindow, suggestedName: string): Promise<string | null> {
  return askWhereToSave(window, {
    title: say('dialog.imagePlace'),
    buttonLabel: say('dialog.make'),
    defaultPath: suggestedName,
  })
}

/**
 * Asks where a build of an option goes; the dialog itself asks before a file is replaced. Null
 * means it was closed.
 */
export function askForOptionPlace(window: BrowserWindow, suggestedName: string): Promise<string | null> {
  return askWhereToSave(window, {
    title: say('dialog.optionPlace'),
    buttonLabel: say('dialog.choose'),
    defaultPath: suggestedName,
  })
}

/** Asks for a file that stands in for the disc in a drive. Null means the dialog was closed. */
export function askForDiscFile(window: BrowserWindow): Promise<string | null> {
  return askWhereToSave(window, {
    title: say('dialog.discFile'),
    buttonLabel: say('dialog.choose'),
    defaultPath: 'disc.iso',
  })
}

/** Asks for DATs, or zips of them; an empty list means the dialog was closed. */
export async function askForDats(window: BrowserWindow): Promise<string[]> {
  return askForPaths(window, {
    title: say('dialog.dats'),
    buttonLabel: say('dialog.add'),
    properties: ['openFile', 'multiSelections', 'dontAddToRecent'],
    filters: [
      { name: say('kind.dats'), extensions: ['dat', 'xml', 'zip'] },
      { name: say('kind.all'), extensions: ['*'] },
    ],
  })
}

/** Asks for a font for labels. Null means the dialog was closed. */
export async function askForFont(window: BrowserWindow): Promise<string | null> {
  const [chosen] = await askForPaths(window, {
    title: say('dialog.font'),
    buttonLabel: say('dialog.choose'),
    properties: ['openFile', 'dontAddToRecent'],
    filters: [
      { name: say('kind.fonts'), extensions: ['ttf', 'otf', 'ttc', 'otc'] },
      { name: say('kind.all'), extensions: ['*'] },
    ],
  })
  return chosen ?? null
}

/**
 * Asks whether running work is to be stopped; keeping it running is the answer of Enter, Escape and
 * a closed dialog.
 */
export async function askToStop(window: BrowserWindow, question: QuitQuestion): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    ...question,
    type: 'warning',
    buttons: [say('quit.keep'), say('quit.stop')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

/** Asks for a project file. Null means the dialog was closed. */
export async function askForProject(window: BrowserWindow): Promise<string | null> {
  const [chosen] = await askForPaths(window, {
    title: say('dialog.project'),
    buttonLabel: say('dialog.choose'),
    properties: ['openFile', 'dontAddToRecent'],
    filters: [
      { name: say('kind.projects'), extensions: ['yaml'] },
      { name: say('kind.all'), extensions: ['*'] },
    ],
  })
  return chosen ?? null
}

/** Asks where a project goes; the dialog itself asks before a file is replaced. */
export function askForProjectPlace(window: BrowserWindow, suggestedName: string): Promise<string | null> {
  return askWhereToSave(window, { title: say('dialog.projectPlace'), defaultPath: suggestedName })
}

/** Asks where a source of a project is. Null means the dialog was closed. */
export async function askForMissingSource(
  window: BrowserWindow,
  name: string,
  kind: 'folders' | 'files',
): Promise<string | null> {
  const [chosen] = await askForPaths(window, {
    title: say('dialog.missingSource', { name }),
    buttonLabel: say('dialog.choose'),
    properties: [kind === 'folders' ? 'openDirectory' : 'openFile', 'dontAddToRecent'],
  })
  return chosen ?? null
}

/** Asks what becomes of changes to a project; Escape and a closed dialog mean `cancel`. */
export function askAboutUnsaved(window: BrowserWindow, name: string): Promise<'save' | 'discard' | 'cancel'> {
  return askAmong(
    window,
    { message: say('unsaved.question', { name }), detail: say('unsaved.detail') },
    { save: say('dialog.save'), discard: say('dialog.dontSave'), cancel: say('dialog.cancel') },
  )
}

/** Asks which version of a project counts; Escape and a closed dialog mean `cancel`. */
export function askAboutChanged(
  window: BrowserWindow,
  file: string,
): Promise<'reload' | 'replace' | 'cancel'> {
  return askAmong(
    window,
    { message: say('changed.question'), detail: say('changed.detail', { file: pathForDisplay(file) }) },
    { reload: say('dialog.reload'), replace: say('dialog.replace'), cancel: say('dialog.cancel') },
  )
}

/** Enter means the first answer, Escape the last one. */
async function askAmong<Answer extends string>(
  window: BrowserWindow,
  question: { readonly message: string; readonly detail: string },
  answers: Readonly<Record<Answer, string>>,
): Promise<Answer> {
  const all = Object.keys(answers) as Answer[]
  const { response } = await dialog.showMessageBox(window, {
    ...question,
    type: 'question',
    buttons: all.map((each) => answers[each]),
    defaultId: 0,
    cancelId: all.length - 1,
    noLink: true,
  })
  return all[response] ?? (all.at(-1) as Answer)
}

/** Tells of a failure that leaves no window to tell it in. */
export function tellFatal(message: string): void {
  dialog.showErrorBox(say('cannotStart'), message)
}

async function askForPaths(window: BrowserWindow, options: OpenDialogOptions): Promise<string[]> {
  const answer = await dialog.showOpenDialog(window, options)
  return answer.canceled ? [] : Promise.all(answer.filePaths.map((each) => recoverPath(each)))
}
