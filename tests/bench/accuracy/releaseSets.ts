import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmTarball, unpack } from './fetchPackages'
import { withUnpacked } from './heldOutSets'

/** Consecutive releases of one npm package, with the SHA-256 of their tarballs one after the other. */
interface Releases {
  readonly package: string
  readonly releases: readonly string[]
  readonly sha256: string
}

const COMPATIBILITY: Releases = {
  package: '@mdn/browser-compat-data',
  releases: numbered('5.5', 20, 40),
  sha256: '07346a0eeb958277ad3295a60d0753c87d718496b793de426227d74f5acabdc6',
}

const BUNDLER: Releases = {
  package: '@esbuild/linux-x64',
  releases: [
    ...numbered('0.18', 10, 20),
    ...numbered('0.19', 0, 12),
    ...numbered('0.20', 0, 2),
    ...numbered('0.21', 0, 5),
  ],
  sha256: 'ab748d3e3edac3d79e1202fb4c4900f0d702d3171c95385d23fe2d47b77babf4',
}

/** Of the bundler's releases the last, each on a file system with 80 MiB. */
const IMAGES = 4

/**
 * Sets of 300 MB and more in which a few large files come again, nearly equal, in every release; no constant was set on them:
 * records of 14 MB in JSON, programs of 9 MB, and such programs on file systems that are mostly empty.
 */
export const RELEASE_SETS: Readonly<Record<string, (folder: string, store: string) => void>> = {
  'compat-releases': (folder, store) => makeReleases(COMPATIBILITY, folder, store),
  'bundler-releases': (folder, store) => makeReleases(BUNDLER, folder, store),
  'image-releases': makeImages,
}

function makeReleases(of: Releases, folder: string, store: string): void {
  for (const { release, tarball } of tarballsOf(of, store)) unpack(tarball, join(folder, release))
}

function makeImages(folder: string, store: string): void {
  for (const { release, tarball } of tarballsOf(BUNDLER, store).slice(-IMAGES))
    withUnpacked(tarball, (from) => {
      const image = join(folder, `${release}.img`)
      writeFileSync(image, '')
      truncateSync(image, 80 * 1024 * 1024)
      const fixed = 'hash_seed=6b8c2a52-0b7e-4a55-8a5e-0d5f3f6d2b11,root_owner=0:0'
      execFileSync(
        'mkfs.ext4',
        ['-q', '-F', '-U', '6b8c2a52-0b7e-4a55-8a5e-0d5f3f6d2b11', '-E', fixed, '-d', from, image],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: { ...process.env, E2FSPROGS_FAKE_TIME: '1700000000' },
        },
      )
    })
}

/** @throws Error when a tarball is not the one that the figures were recorded with */
function tarballsOf({ package: name, releases, sha256 }: Releases, store: string) {
  const all = releases.map((release) => ({ release, tarball: npmTarball(store, `${name}@${release}`) }))
  const hash = createHash('sha256')
  for (const { tarball } of all) hash.update(readFileSync(tarball))
  const found = hash.digest('hex')
  if (found !== sha256) throw new Error(`${name}: the tarballs have SHA-256 ${found} and not ${sha256}`)
  return all
}

function numbered(minor: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${minor}.${from + index}`)
}
