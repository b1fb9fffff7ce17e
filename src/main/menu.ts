import process from 'node:process'
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { ProjectAction } from '../contract/dto/project'
import type { Help } from '../contract/rendererSchema'
import { APP_NAME, say, type WordKey } from './words'

type Items = MenuItemConstructorOptions[]
type Role = NonNullable<MenuItemConstructorOptions['role']>
/** The roles that have words of ours. */
type WordedRole = { [Each in Role]: `menu.${Each}` extends WordKey ? Each : never }[Role]

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
      ...(isMac ? [{ label: APP_NAME, submenu: applicationItems(actions) }] : []),
      { label: say('menu.file'), submenu: fileItems(actions, recents) },
      { role: 'editMenu', label: say('menu.edit'), submenu: editItems() },
      { label: say('menu.view'), submenu: viewItems() },
      { role: 'windowMenu', label: say('menu.window'), submenu: windowItems() },
      { role: 'help', label: say('menu.help'), submenu: helpItems(actions) },
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
    roleItem('services'),
    SEPARATOR,
    roleItem('hide'),
    roleItem('hideOthers'),
    roleItem('unhide'),
    SEPARATOR,
    { role: 'quit', label: say('menu.quitApp') },
  ]
}

function fileItems(actions: MenuActions, recents: readonly Recent[]): Items {
  return [
    { label: say('menu.projectNew'), accelerator: 'CmdOrCtrl+N', click: () => actions.project('new') },
    {
      label: say('menu.projectOpen'),
      accelerator: 'CmdOrCtrl+Shift+P',
      click: () => actions.project('open'),
    },
    {
      label: say('menu.openRecent'),
      submenu:
        recents.length === 0
          ? [{ label: say('menu.noRecents'), enabled: false }]
          : recents.map(({ name, open }) => ({ label: plainLabel(name), click: open })),
    },
    { label: say('menu.projectSave'), accelerator: 'CmdOrCtrl+S', click: () => actions.project('save') },
    {
      label: say('menu.projectSaveAs'),
      accelerator: 'CmdOrCtrl+Shift+S',
      click: () => actions.project('saveAs'),
    },
    SEPARATOR,
    { label: say('menu.addFolders'), accelerator: 'CmdOrCtrl+O', click: () => actions.addSources('folders') },
    {
      label: say('menu.addFiles'),
      accelerator: 'CmdOrCtrl+Shift+O',
      click: () => actions.addSources('files'),
    },
    SEPARATOR,
    ...(isMac ? [] : [settingsItem(actions), SEPARATOR]),
    roleItem(isMac ? 'close' : 'quit'),
  ]
}

function editItems(): Items {
  return [
    roleItem('undo'),
    roleItem('redo'),
    SEPARATOR,
    roleItem('cut'),
    roleItem('copy'),
    roleItem('paste'),
    roleItem('delete'),
    SEPARATOR,
    roleItem('selectAll'),
  ]
}

function windowItems(): Items {
  return [
    roleItem('minimize'),
    roleItem('zoom'),
    ...(isMac ? [SEPARATOR, roleItem('front')] : [roleItem('close')]),
  ]
}

function viewItems(): Items {
  return [
    roleItem('resetZoom'),
    roleItem('zoomIn'),
    roleItem('zoomOut'),
    SEPARATOR,
    roleItem('togglefullscreen'),
    ...(app.isPackaged ? [] : [SEPARATOR, { role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
  ]
}

function helpItems(actions: MenuActions): Items {
  return [
    { label: say('menu.keys'), click: () => actions.help('keys') },
    { label: say('menu.glossary'), click: () => actions.help('glossary') },
    SEPARATOR,
    { label: say('menu.log'), click: actions.showLog },
    { label: say('menu.diagnostics'), click: () => actions.help('diagnostics') },
    ...(isMac ? [] : [SEPARATOR, aboutItem(actions)]),
  ]
}

function aboutItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: say('menu.about'), click: () => actions.help('about') }
}

function settingsItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: say('menu.settings'), accelerator: 'CmdOrCtrl+,', click: actions.showSettings }
}

/** An item that the system carries out, in our words: Electron's own are English. */
function roleItem(role: WordedRole): MenuItemConstructorOptions {
  return { role, label: say(`menu.${role}`) }
}

/** A name in which no letter becomes an access key. */
function plainLabel(name: string): string {
  return name.replaceAll('&', '&&')
}
