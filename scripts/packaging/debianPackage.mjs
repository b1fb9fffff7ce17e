import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../bootstrap/paths.mjs'
import { must, run } from '../electronRuntime.mjs'
import { makeTree, PROGRAM_FOLDER } from './linuxTree.mjs'

/** What Electron's programs are linked with or load, under the names before and after Debian's change of time_t. */
const LIBRARIES = [
  'libasound2 | libasound2t64',
  'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libcups2 | libcups2t64',
  'libdrm2',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libx11-xcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxfixes3',
  'libxkbcommon0',
  'libxrandr2',
  'xdg-utils',
]
const RECOMMENDED = ['xorriso', 'dvd+rw-tools', 'libnotify4', 'libsecret-1-0']
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' }

/** Makes the deb from the directory, without scripts: what it installs is all that it does. */
export function makeDeb(details) {
  const { target, output, release } = details
  const root = makeTree(details, join(output, `work-deb-${target.arch}`))
  const documents = join(root, 'usr/share/doc/stowage')
  writeFileSync(
    join(documents, 'changelog.gz'),
    gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 }),
  )
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  const files = filesIn(root, '').filter((file) => !file.startsWith('DEBIAN/'))
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(root, file)).size, 0)
  writeFileSync(
    join(control, 'control'),
    `Package: stowage
Version: ${release.version}
Architecture: ${PROCESSORS[target.arch]}
Maintainer: The Stowage developers <stowage@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${[`libc6 (>= ${neededGlibc(root, files)})`, ...LIBRARIES].join(', ')}
Recommends: ${RECOMMENDED.join(', ')}
Section: utils
Priority: optional
Description: plan archives from measurements
 Stowage reads a folder one time and shows how much every way to store it would
 save: discs, disk images, archives and backup repositories. Then it makes a set
 of discs that fits, builds the images and reads every file back.
`,
  )
  writeFileSync(
    join(control, 'md5sums'),
    files
      .filter((file) => lstatSync(join(root, file)).isFile())
      .map(
        (file) =>
          `${createHash('md5')
            .update(readFileSync(join(root, file)))
            .digest('hex')}  ${file}\n`,
      )
      .join(''),
  )
  const deb = join(output, `stowage-${release.version}-linux-${target.arch}.deb`)
  // Systems with this C library read zstd; xz takes many times as long for a tenth less.
  must(run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', root, deb]), 'dpkg-deb failed')
}

/** Paths below a folder, in order. */
function filesIn(root, under) {
  return readdirSync(join(root, under), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, path) : [path]
    })
}

/** The newest version of the C library that a program or library in the package asks for. */
function neededGlibc(root, files) {
  const versions = files
    .filter((file) => file.startsWith(PROGRAM_FOLDER) && lstatSync(join(root, file)).isFile())
    .map((file) => readFileSync(join(root, file)))
    .filter((content) => content.toString('latin1', 1, 4) === 'ELF')
    .flatMap((content) =>
      [...content.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor)),
    )
  return `2.${Math.max(...versions)}`
}
