import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
import { recoverPath } from './nativePath'
import { WORDS } from './words'

/** Asks the person for folders or files to archive; an empty list means the dialog was closed. */
export async function askForSources(window: BrowserWindow, kind: 'folders' | 'files'): Promise<string[]> {
  return askForPaths(window, {
    title: kind === 'folders' ? WORDS.chooseFolders : WORDS.chooseFiles,
    buttonLabel: WORDS.add,
    properties: [kind === 'folders' ? 'openDirectory' : 'openFile', 'multiSelections', 'dontAddToRecent'],
  })
}

const DIRECTORY_TITLES = {
  export: WORDS.chooseExport,
  openPlan: WORDS.chooseOpenPlan,
  measure: WORDS.chooseMeasure,
} as const

/**
 * Asks for a folder to write a plan to, for one that holds a plan, or for one on a device to be measured; null means the
 * dialog was closed.
 */
export async function askForDirectory(
  window: BrowserWindow,
  purpose: keyof typeof DIRECTORY_TITLES,
): Promise<string | null> {
  const [chosen] = await askForPaths(window, {
    title: DIRECTORY_TITLES[purpose],
    buttonLabel: WORDS.choose,
    properties:
      purpose === 'export'
        ? ['openDirectory', 'createDirectory', 'promptToCreate', 'dontAddToRecent']
        : ['openDirectory', 'dontAddToRecent'],
  })
  return chosen ?? null
}

/** Asks where to save a text; the dialog itself asks before something is replaced. Null means it was closed. */
export async function askForSavePlace(window: BrowserWindow, suggestedName: string): Promise<string | null> {
  const answer = await dialog.showSaveDialog(window, {
    title: WORDS.saveText,
    defaultPath: suggestedName,
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  })
  return answer.canceled || !answer.filePath ? null : recoverPath(answer.filePath)
}

/** Tells of a failure that leaves no window to tell it in. */
export function tellFatal(message: string): void {
  dialog.showErrorBox(WORDS.cannotStart, message)
}

async function askForPaths(window: BrowserWindow, options: OpenDialogOptions): Promise<string[]> {
  const answer = await dialog.showOpenDialog(window, options)
  return answer.canceled ? [] : Promise.all(answer.filePaths.map((each) => recoverPath(each)))
}
