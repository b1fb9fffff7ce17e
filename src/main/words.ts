import type { JobKind } from '../contract/dto/job'

/** Jobs as the subject of a sentence. */
export const JOB_NAMES: Readonly<Record<JobKind, string>> = {
  survey: 'The survey',
  walk: 'The listing of the sources',
  measure: 'The measurement',
  bands: 'The band sweep',
  plan: 'The planning',
  export: 'The export',
  build: 'The build',
  verify: 'The verification',
  check: 'The check',
  write: 'The writing',
  restore: 'The restore',
  image: 'The work on the image',
  option: 'The build of the option',
}

interface DiscOf {
  readonly label: string
  readonly volume: number
  readonly volumes: number
  readonly drive: string
}

/**
 * The words of main itself, in its menu and dialogs; everything in the window has its words in the
 * window.
 */
export const WORDS = {
  appName: 'Stowage',
  fileMenu: '&File',
  addFolders: 'Add &folders…',
  addFiles: 'Add f&iles…',
  settings: '&Settings…',
  openRecent: 'Open &recent',
  noRecents: 'No projects yet',
  helpMenu: '&Help',
  help: {
    keys: '&Keyboard shortcuts',
    glossary: '&Glossary',
    diagnostics: 'Copy &diagnostics',
    about: '&About Stowage',
  },
  showLog: 'Show &log',
  projectNew: '&New project',
  projectOpen: '&Open project…',
  projectSave: 'Sa&ve project',
  projectSaveAs: 'Save project &as…',
  newProject: 'Untitled project',
  chooseProject: 'Choose a project',
  projectFiles: 'Projects',
  projectPlace: 'Save the project',
  save: 'Save',
  dontSave: 'Don’t save',
  cancel: 'Cancel',
  unsaved: (name: string): string => `Save the changes to ${name}?`,
  unsavedDetail: 'Without saving, the project file stays as it is and the changes are lost.',
  projectChanged: 'Another program has changed the project file',
  projectChangedDetail: (file: string): string =>
    `${file}\n\nReload shows what is in the file now and drops your changes. Replace writes yours over it.`,
  reload: 'Reload',
  replace: 'Replace',
  oneProject: (file: string): string => `only one project can be open: ${file} is opened, the others are not`,
  chooseSource: (name: string): string => `Choose where ${name} is now`,
  viewMenu: '&View',
  chooseFolders: 'Choose folders to archive',
  chooseFiles: 'Choose files to archive',
  chooseExport: 'Choose a folder for the plan',
  chooseOpenPlan: 'Choose the folder of an exported plan',
  chooseRestore: 'Choose the folder to restore into',
  chooseWrite: 'Choose a folder or mounted disk to copy the set to',
  discFile: 'Choose a file in place of a disc',
  chooseVolumeImages: 'Choose the images to restore from',
  chooseVolumeFolders: 'Choose mounted discs or the folder of a plan',
  chooseWork: 'Choose a folder for temporary files',
  chooseMeasure: 'Choose a folder on the device to measure',
  chooseImage: 'Choose a disk image',
  chooseBundle: 'Choose a sparse bundle',
  imageFiles: 'Disk images',
  allFiles: 'All files',
  newImage: 'Save the new image',
  optionPlace: 'Save the build',
  make: 'Make',
  saveText: 'Save as',
  add: 'Add',
  choose: 'Choose',
  cannotStart: 'Stowage cannot start',
  engineNeedsNode:
    'This Electron is older than the catalog’s database needs (Node-API 10). Set STOWAGE_ENGINE_NODE to the path of a Node 24 executable, or use Electron 36 or newer.',
  nodeTooOld: (node: string, version: string): string =>
    `${node} is Node ${version}, and the engine needs Node 24. Run npm install, which brings one, or set STOWAGE_ENGINE_NODE to the path of a Node 24 executable.`,
  sampleFolder: 'Stowage sample',
  /** Stowage's folder in the person's documents, and a set there whose source has no name. */
  setsFolder: 'Stowage',
  unnamedSet: 'Set',
  quitTitle: 'Stowage is still working',
  quitQuestion: 'Stop the work and quit?',
  quitKeep: 'Keep running',
  quitStop: 'Stop and quit',
  quitLosesDisc: (drive: string): string => `The disc in ${drive} would be lost.`,
  quitSet: (name: string): string =>
    `${name} is not finished. Finished volumes stay; the next run continues there.`,
  quitOther: (name: string): string => `${name} is not finished and would have to be started again.`,
  quitRestore: (name: string): string =>
    `${name} is not finished. Restored files stay; the next restore continues there.`,
  workDone: (name: string, time: string): string => `${name} has finished after ${time}.`,
  workFailed: (name: string): string => `${name} did not finish. Open Stowage to see why.`,
  nextDisc: ({ label, volume, volumes, drive }: DiscOf): string =>
    `Insert a blank disc for ${label} (volume ${volume} of ${volumes}) into ${drive}.`,
  otherDisc: ({ label, volume, volumes, drive }: DiscOf): string =>
    `The disc in ${drive} cannot be used for ${label} (volume ${volume} of ${volumes}). Insert a blank one.`,
  changedFile: ({ label }: Pick<DiscOf, 'label'>): string =>
    `A file of ${label} has changed: build it without the file?`,
  reloadDisc: ({ label, drive }: DiscOf): string =>
    `Take the disc of ${label} out of ${drive} and put it in again.`,
} as const
