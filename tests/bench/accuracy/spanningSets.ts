import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { debianPackage, unpack, wheel } from './fetchPackages'

/** What is fetched, and the SHA-256 of all fetched files one after the other. */
interface Fetched {
  readonly specs: readonly string[]
  readonly sha256: string
}

/** Music, photographs and pictures, as people archive them. */
const MEDIA: Fetched = {
  specs: [
    'wesnoth-1.16-music=1:1.16.9-1',
    'warzone2100-music=4.3.3-3',
    'plasma-workspace-wallpapers=4:5.27.5-2',
    'gnome-backgrounds=43.1-1',
    'hedgewars-data=1.0.2-6',
  ],
  sha256: 'f32f4063c460f99be5b736994c502965e9ac9800ed12ec044bd11e6999a8b1be',
}

/** Kept as they are downloaded: programs that are packed already. */
const WHEELS: Fetched = {
  specs: [
    'scipy==1.11.4',
    'pyarrow==14.0.2',
    'opencv-python-headless==4.9.0.80',
    'llvmlite==0.41.1',
    'polars==0.20.2',
    'PyMuPDFb==1.23.7',
  ],
  sha256: '28b34c8360f3c5528bfff945dcfb39a880275bef7cd5288f4f0756988ebb4100',
}

/** The first wheels are unpacked too. */
const INSTALLED = 3

/**
 * Sets of 500 MB that shrink so little that every recipe needs several volumes of 120 MB: files that are packed already, and among
 * them some that are not.
 */
export const SPANNING_SETS: Readonly<Record<string, (folder: string, store: string) => void>> = {
  'media-packages': (folder, store) => {
    for (const file of fetched(MEDIA, (spec) => debianPackage(store, spec)))
      execFileSync('dpkg-deb', ['-x', file, join(folder, basename(file).split('_')[0] ?? '')])
  },
  'wheel-downloads': (folder, store) => {
    const files = fetched(WHEELS, (spec) => wheel(store, spec))
    mkdirSync(join(folder, 'downloads'))
    for (const file of files) copyFileSync(file, join(folder, 'downloads', basename(file)))
    for (const file of files.slice(0, INSTALLED))
      unpack(file, join(folder, 'installed', basename(file, '.whl')))
  },
}

/** @throws Error when the files are not those that the figures were recorded with */
function fetched({ specs, sha256 }: Fetched, fetch: (spec: string) => string): string[] {
  const files = specs.map(fetch)
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const found = hash.digest('hex')
  if (found !== sha256)
    throw new Error(`${specs.join(', ')}: fetched files have SHA-256 ${found} and not ${sha256}`)
  return files
}
