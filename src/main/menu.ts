import process from 'node:process'
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { WORDS } from './words'

/** Sets the application's menu. What it starts is what the window's own buttons start. */
export function setMenu(actions: {
  addSources: (kind: 'folders' | 'files') => void
  showSettings: () => void
}): void {
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: WORDS.fileMenu,
      submenu: [
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
