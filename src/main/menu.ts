import process from 'node:process'
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { ProjectAction } from '../contract/dto/project'
import type { Help } from '../contract/rendererSchema'
import { WORDS } from './words'

type Items = MenuItemConstructorOptions[]

/** A project of the list *Open recent*. */
interface Recent {
  readonly name: string
  readonly open: () => void
}

export interface MenuActions {
  addSources: (kind: 'folders' | 'files') => void
  showSettings: () => void
  project: (action: ProjectAction) => void
  help: (help: Help) => void
  showLog: () => void
}

const SEPARATOR = { type: 'separator' } as const
const isMac = process.platform === 'darwin'

/**
 * Sets the application's menu; again when the recent projects change. What it starts is what the
 * window's own buttons start.
 */
export function setMenu(actions: MenuActions, recents: readonly Recent[]): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ label: WORDS.appName, submenu: applicationItems(actions) }] : []),
      { label: WORDS.fileMenu, submenu: fileItems(actions, recents) },
      { role: 'editMenu' },
      { label: WORDS.viewMenu, submenu: viewItems() },
      { role: 'windowMenu' },
      { role: 'help', label: WORDS.helpMenu, submenu: helpItems(actions) },
    ]),
  )
}

/** The Mac's menu of the application has About and the settings at its top. */
function applicationItems(actions: MenuActions): Items {
  return [
    aboutItem(actions),
    SEPARATOR,
    settingsItem(actions),
    SEPARATOR,
    { role: 'services' },
    SEPARATOR,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    SEPARATOR,
    { role: 'quit' },
  ]
}

function fileItems(actions: MenuActions, recents: readonly Recent[]): Items {
  return [
    { label: WORDS.projectNew, accelerator: 'CmdOrCtrl+N', click: () => actions.project('new') },
    { label: WORDS.projectOpen, accelerator: 'CmdOrCtrl+Shift+P', click: () => actions.project('open') },
    {
      label: WORDS.openRecent,
      submenu:
        recents.length === 0
          ? [{ label: WORDS.noRecents, enabled: false }]
          : recents.map(({ name, open }) => ({ label: plainLabel(name), click: open })),
    },
    { label: WORDS.projectSave, accelerator: 'CmdOrCtrl+S', click: () => actions.project('save') },
    {
      label: WORDS.projectSaveAs,
      accelerator: 'CmdOrCtrl+Shift+S',
      click: () => actions.project('saveAs'),
    },
    SEPARATOR,
    { label: WORDS.addFolders, accelerator: 'CmdOrCtrl+O', click: () => actions.addSources('folders') },
    { label: WORDS.addFiles, accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.addSources('files') },
    SEPARATOR,
    ...(isMac ? [] : [settingsItem(actions), SEPARATOR]),
    { role: isMac ? 'close' : 'quit' },
  ]
}

function viewItems(): Items {
  return [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    SEPARATOR,
    { role: 'togglefullscreen' },
    ...(app.isPackaged ? [] : [SEPARATOR, { role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
  ]
}

function helpItems(actions: MenuActions): Items {
  return [
    { label: WORDS.help.keys, click: () => actions.help('keys') },
    { label: WORDS.help.glossary, click: () => actions.help('glossary') },
    SEPARATOR,
    { label: WORDS.showLog, click: actions.showLog },
    { label: WORDS.help.diagnostics, click: () => actions.help('diagnostics') },
    ...(isMac ? [] : [SEPARATOR, aboutItem(actions)]),
  ]
}

function aboutItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: WORDS.help.about, click: () => actions.help('about') }
}

function settingsItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: WORDS.settings, accelerator: 'CmdOrCtrl+,', click: actions.showSettings }
}

/** A name in which no letter becomes an access key. */
function plainLabel(name: string): string {
  return name.replaceAll('&', '&&')
}
