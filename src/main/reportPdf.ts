import { pathToFileURL } from 'node:url'
import { app, session } from 'electron'
import { confineSession, hiddenWindow } from './window'

/**
 * A page of the disk as PDF, as the window prints it: by a hidden page without scripts, which loads
 * that one file and nothing else.
 */
export async function reportPdf(file: string): Promise<Uint8Array> {
  const address = pathToFileURL(file).href
  const pages = session.fromPartition('report')
  await confineSession(pages, address)
  const window = hiddenWindow(pages)
  try {
    await window.loadURL(address)
    const pageSize = app.getLocale() === 'en-US' ? 'Letter' : 'A4'
    return await window.webContents.printToPDF({ printBackground: true, pageSize })
  } finally {
    window.destroy()
  }
}
