import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../bootstrap/paths.mjs'
import { must, run } from '../electronRuntime.mjs'
import { APP_ID, appStreamEntry, desktopEntry, PROJECT_MIME } from './desktopEntries.mjs'
import { unify } from './sameTimes.mjs'

/** Where the application is installed. */
export const PROGRAM_FOLDER = 'usr/lib/stowage'

/**
 * The files as they are installed on Linux: the directory, `stowage` on the PATH, and what desktops
 * read. No script runs at installation, for the desktop's own triggers find these files.
 * @returns {string} the folder that stands for the root
 */
export function makeTree(details, root) {
  const { folder, icons, licences, release } = details
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, dirname(PROGRAM_FOLDER)), { recursive: true })
  must(run('cp', ['-a', folder, join(root, PROGRAM_FOLDER)]), 'cannot copy the directory')
  mkdirSync(join(root, 'usr/bin'))
  symlinkSync('../lib/stowage/resources/bin/stowage', join(root, 'usr/bin/stowage'))
  symlinkSync('../lib/stowage/stowage-window', join(root, 'usr/bin/stowage-window'))
  const date = release.time.toISOString().slice(0, 10)
  const texts = {
    [`usr/share/applications/${APP_ID}.desktop`]: desktopEntry('stowage-window'),
    [`usr/share/metainfo/${APP_ID}.metainfo.xml`]: appStreamEntry({ version: release.version, date }),
    [`usr/share/mime/packages/${APP_ID}.xml`]: PROJECT_MIME,
    'usr/share/doc/stowage/copyright': `${licences}\n`,
  }
  for (const [size, png] of icons) texts[`usr/share/icons/hicolor/${size}x${size}/apps/${APP_ID}.png`] = png
  for (const [place, content] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, place)), { recursive: true })
    writeFileSync(join(root, place), content)
  }
  const pages = [join(ROOT, 'scripts/writeManPages.mjs'), join(root, 'usr/share/man/man1'), date]
  must(run(process.execPath, pages), 'cannot write the man pages')
  // The same text is in the documentation, where Linux looks for it.
  rmSync(join(root, PROGRAM_FOLDER, 'resources/LICENSES.txt'))
  unify(root, release.time.getTime() / 1000)
  // Chromium's sandbox for kernels that give ordinary users no namespaces.
  chmodSync(join(root, PROGRAM_FOLDER, 'chrome-sandbox'), 0o4755)
  return root
}
