import process from 'node:process'
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { ProjectAction } from '../contract/dto/project'
import { WORDS } from './words'

/** Sets the application's menu. What it starts is what the window's own buttons start. */
export function setMenu(actions: {
  addSources: (kind: 'folders' | 'files') => void
  showSettings: () => void
  project: (action: ProjectAction) => void
}): void {
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: WORDS.fileMenu,
      submenu: [
        {
          label: WORDS.projectNew,
          accelerator: 'CmdOrCtrl+N',
          click: () => actions.project('new'),
        },
        {
          label: WORDS.projectOpen,
          accelerator: 'CmdOrCtrl+Shift+P',
          click: () => actions.project('open'),
        },
        { label: WORDS.projectSave, accelerator: 'CmdOrCtrl+S', click: () => actions.project('save') },
        {
          label: WORDS.projectSaveAs,
          accelerator: 'CmdOrCtrl+Shift+S',
          click: () => actions.project('saveAs'),
        },
        { type: 'separator' },
        { label: WORDS.addFolders, accelerator: 'CmdOrCtrl+O', click: () => actions.addSources('folders') },
        { label: WORDS.addFiles, accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.addSources('files') },
        { type: 'separator' },
        { label: WORDS.settings, accelerator: 'CmdOrCtrl+,', click: actions.showSettings },
        { type: 'separator' },
        { role: process.platform === 'darwin' ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: WORDS.viewMenu,
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged
          ? []
          : [
              { type: 'separator' as const },
              { role: 'reload' as const },
              { role: 'toggleDevTools' as const },
            ]),
      ],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
