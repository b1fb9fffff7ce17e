/** What main itself says to people, in its menu and dialogs; everything in the window has its words in the window. */
export const WORDS = {
  appName: 'Stowage',
  fileMenu: '&File',
  addFolders: 'Add &folders…',
  addFiles: 'Add f&iles…',
  viewMenu: '&View',
  chooseFolders: 'Choose folders to archive',
  chooseFiles: 'Choose files to archive',
  chooseExport: 'Choose a folder for the plan',
  chooseOpenPlan: 'Choose the folder of an exported plan',
  chooseMeasure: 'Choose a folder on the device to measure',
  chooseImage: 'Choose a disk image',
  chooseBundle: 'Choose a sparse bundle',
  imageFiles: 'Disk images',
  allFiles: 'All files',
  newImage: 'Where the new image goes',
  optionPlace: 'Where the build goes',
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
} as const
