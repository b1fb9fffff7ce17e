import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'
import { filesOf } from '../../support/referenceSampler'
import { npmTarball, unpack, wheel } from './fetchPackages'

const MIB = 1024 * 1024

/**
 * Sets that no constant of a forecast was set on: published packages and data from other generators than the first sets. Each maker
 * fills an empty folder, the same at every call; `store` keeps what was fetched.
 */
export const HELD_OUT_SETS: Readonly<Record<string, (folder: string, store: string) => void>> = {
  'media-2': makeMedia,
  'source-2': makeSource,
  'releases-2': makeReleases,
  'logs-2': makeLogs,
  'tiny-2': makeTiny,
  'disk-2': makeDisk,
  'programs-2': makePrograms,
  // For the times of packed plans, whose constants were set with the others known.
  'package-3': (folder, store) => unpack(wheel(store, 'numpy==1.26.4'), folder),
  'library-3': (folder, store) => unpack(wheel(store, 'sympy==1.12'), folder),
  'records-3': makeRecords,
  'mail-3': makeMail,
  'tables-3': makeTables,
}

/** PNG pictures from 2 KiB to 13 MiB, and packages as they are downloaded. */
function makeMedia(folder: string, store: string): void {
  withUnpacked(npmTarball(store, 'emoji-datasource-google@15.1.2'), (from) =>
    copyMatching(from, folder, /\.png$/, 20 * MIB, 48 * MIB),
  )
  for (const spec of ['django==4.2.1', 'sqlalchemy==2.0.30']) {
    const file = wheel(store, spec)
    copyFileSync(file, join(folder, basename(file)))
  }
}

/** TypeScript's output, shaders, Python, translations: three packages by other people than those of the first set. */
function makeSource(folder: string, store: string): void {
  const text = /\.(?:js|ts|py|po|json|css|md|txt|html|glsl|cjs|mjs)$/
  for (const archive of [
    npmTarball(store, 'three@0.160.0'),
    npmTarball(store, '@babylonjs/core@6.40.0'),
    wheel(store, 'django==4.2.1'),
  ]) {
    withUnpacked(archive, (from) =>
      copyMatching(from, join(folder, basename(archive)), text, 4 * MIB, 22 * MIB),
    )
  }
}

const RELEASES = [
  '1.4.41',
  '1.4.49',
  '2.0.0',
  '2.0.5',
  '2.0.10',
  '2.0.15',
  '2.0.20',
  '2.0.25',
  '2.0.30',
  '2.0.36',
]

/** Ten releases of a database library, unpacked. */
function makeReleases(folder: string, store: string): void {
  for (const release of RELEASES) unpack(wheel(store, `sqlalchemy==${release}`), join(folder, release))
}

/** Three large logs with sessions, levels, stack traces and records in JSON: lines depend on those before them. */
function makeLogs(folder: string): void {
  const random = seededRandom(232)
  for (const [index, size] of [30, 12, 6].entries()) {
    const words = Array.from({ length: 700 }, () => word(random))
    const lines: string[] = []
    let length = 0
    let nowMs = 1_650_000_000_000
    let sessions = Array.from({ length: 20 }, () => random.below(2 ** 31).toString(16))
    while (length < size * MIB) {
      nowMs += Math.floor(-Math.log(1 - random.unit()) * 180)
      if (random.unit() < 0.004)
        sessions = sessions.with(random.below(20), random.below(2 ** 31).toString(16))
      const line = logLine(index, nowMs, oneOf(random, sessions), words, random)
      lines.push(line)
      length += line.length
    }
    writeFileSync(join(folder, `service-${index}.log`), lines.join(''))
  }
}

function logLine(
  style: number,
  nowMs: number,
  session: string,
  words: readonly string[],
  random: SeededRandom,
): string {
  const time = new Date(nowMs).toISOString()
  const text = Array.from({ length: 2 + random.below(6) }, () => oneOf(random, words)).join(' ')
  const id = random
    .below(2 ** 31)
    .toString(16)
    .padStart(8, '0')
  if (style === 0)
    return `${JSON.stringify({ time, session, level: oneOf(random, ['info', 'debug', 'warn']), ms: random.below(900), request: id, text })}\n`
  if (style === 1 && random.unit() < 0.03) {
    const frames = Array.from(
      { length: 4 + random.below(12) },
      () =>
        `    at ${oneOf(random, words)}.${oneOf(random, words)}(${oneOf(random, words)}.java:${random.below(400)})\n`,
    )
    return `${time} ERROR [${session}] ${text}\n${frames.join('')}`
  }
  return `${time} host${random.below(6)} daemon[${1000 + random.below(40)}]: <${session}> ${text} (${id})\n`
}

/** Twenty thousand published icons of a few hundred bytes. */
function makeTiny(folder: string, store: string): void {
  withUnpacked(npmTarball(store, '@tabler/icons@2.47.0'), (from) =>
    copyMatching(from, folder, /\.(?:svg|js|json|tsx?)$/, 16 * 1024, 20 * MIB),
  )
}

/** A file system of 64 MiB with a package in it and the rest empty, and an image of a boot disk of 24 MiB. */
function makeDisk(folder: string, store: string): void {
  withUnpacked(wheel(store, 'sympy==1.12'), (from) => {
    const image = join(folder, 'root.img')
    writeFileSync(image, '')
    truncateSync(image, 64 * MIB)
    const fixed = [
      '-U',
      '6b8c2a52-0b7e-4a55-8a5e-0d5f3f6d2b11',
      '-E',
      'hash_seed=6b8c2a52-0b7e-4a55-8a5e-0d5f3f6d2b11',
    ]
    execFileSync('mkfs.ext4', ['-q', '-F', ...fixed, '-d', from, image], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  withUnpacked(npmTarball(store, 'three@0.160.0'), (from) => {
    const image = join(folder, 'boot.img')
    writeFileSync(image, '')
    truncateSync(image, 24 * MIB)
    const kept = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
    try {
      copyMatching(from, kept, /./, 2 * MIB, 14 * MIB)
      execFileSync('mkfs.ext4', ['-q', '-F', '-b', '1024', '-d', kept, image], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    } finally {
      rmSync(kept, { recursive: true, force: true })
    }
  })
}

/** Three releases of a package that is mostly one file of 14 MB in JSON. */
function makeRecords(folder: string, store: string): void {
  for (const release of ['5.5.20', '5.5.30', '5.5.40'])
    unpack(npmTarball(store, `@mdn/browser-compat-data@${release}`), join(folder, release))
}

/** 2,400 messages of 40 folders, a fifth of them with an attachment in base64. */
function makeMail(folder: string): void {
  const random = seededRandom(331)
  const words = Array.from({ length: 4000 }, () => word(random))
  for (let index = 0; index < 2400; index++) {
    const place = join(folder, `folder-${index % 40}`)
    mkdirSync(place, { recursive: true })
    const text = Array.from({ length: 20 + random.below(600) }, () => oneOf(random, words)).join(' ')
    const head = `From: ${oneOf(random, words)}@example.org\nSubject: ${oneOf(random, words)}\n\n`
    const attached = new Uint8Array(random.below(5) === 0 ? random.below(100_000) : 0)
    random.fillBytes(attached)
    const lines = Buffer.from(attached).toString('base64').replaceAll(/.{76}/g, '$&\n')
    writeFileSync(join(place, `message-${index}.eml`), `${head}${text}\n${lines}`)
  }
}

/** Thirty tables of numbers, 1 to 2 MB each. */
function makeTables(folder: string): void {
  const random = seededRandom(332)
  for (let index = 0; index < 30; index++) {
    const rows: string[] = ['time,sensor,value,error']
    let value = 20
    for (let row = 0; row < 30_000 + random.below(25_000); row++) {
      value += random.unit() - 0.5
      rows.push(
        `${1_600_000_000 + 60 * row},s${random.below(12)},${value.toFixed(4)},${random.unit().toFixed(3)}`,
      )
    }
    writeFileSync(join(folder, `table-${index}.csv`), rows.join('\n'))
  }
}

/** Shared libraries of numeric packages. */
function makePrograms(folder: string, store: string): void {
  for (const spec of ['scipy==1.13.1', 'numpy==1.26.4']) {
    const archive = wheel(store, spec)
    withUnpacked(archive, (from) => copyMatching(from, join(folder, spec), /\.so[.\d]*$/, 36 * MIB, 40 * MIB))
  }
}

/** Unpacks an archive for as long as `use` runs. */
export function withUnpacked(archive: string, use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  try {
    unpack(archive, folder)
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the files whose names match, in the order of their names, each of at most `mostEach` bytes, up to `most`. */
function copyMatching(from: string, to: string, wanted: RegExp, mostEach: number, most: number): void {
  let total = 0
  for (const { path, bytes } of filesOf(from)) {
    if (!wanted.test(path) || bytes > mostEach || total + bytes > most) continue
    total += bytes
    const target = join(to, relative(from, path))
    mkdirSync(resolve(target, '..'), { recursive: true })
    copyFileSync(path, target)
  }
}

function word(random: SeededRandom): string {
  return Array.from({ length: 3 + random.below(8) }, () => 'etaoinshrdlucmfw'[random.below(16)]).join('')
}

function oneOf<T>(random: SeededRandom, from: readonly T[]): T {
  return from[Math.floor(from.length * random.unit() ** 3)] as T
}
