import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Dat, DatFile, DatGame } from '../../src/domain/roms/dat'
import { seededRandom } from '../../src/primitives/seededRandom'
import { datOf, gameOf } from './bareDats'

export { datOf, gameOf } from './bareDats'

/** A file of these bytes as a DAT describes it. */
export function fileOf(name: string, content: string | Uint8Array, more: Partial<DatFile> = {}): DatFile {
  const bytes = Buffer.from(content)
  const hash = (kind: string): string => createHash(kind).update(bytes).digest('hex')
  return {
    kind: 'rom',
    name,
    bytes: bytes.length,
    crc: crc32(bytes).toString(16).padStart(8, '0'),
    md5: hash('md5'),
    sha1: hash('sha1'),
    sha256: hash('sha256'),
    merge: null,
    status: 'good',
    isMia: false,
    isOptional: false,
    ...more,
  }
}

const NAMES = [
  'Größe & Co.',
  'a "b" c',
  "it's <1>",
  '日本',
  'é',
  '  two  spaces ',
  'x;y',
  'UPPER (World) [!]',
  'v1.0\u00a0',
]

/** A DAT with all that both formats can say, drawn from a seed. */
export function drawnDat(seed: number): Dat {
  const random = seededRandom(seed)
  const oneOf = <T>(all: readonly T[]): T => all[random.below(all.length)] as T
  const maybe = <T>(value: () => T): T | null => (random.below(2) === 0 ? value() : null)
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('')
  const name = (at: number): string => `${oneOf(NAMES)}${at}`
  const names = Array.from({ length: 1 + random.below(8) }, (_, at) => name(at))
  const fileAt = (at: number): DatFile => {
    const kind = random.below(5) === 0 ? 'disk' : 'rom'
    const sizes = [0, 1, 4096, 2 ** 32 + 5, random.below(2 ** 40)]
    return {
      kind,
      name: random.below(6) === 0 ? `folder/${name(at)}` : name(at),
      bytes: kind === 'disk' ? null : maybe(() => oneOf(sizes)),
      crc: maybe(() => hex(8)),
      md5: maybe(() => hex(32)),
      sha1: maybe(() => hex(40)),
      sha256: maybe(() => hex(64)),
      merge: maybe(() => name(at)),
      status: oneOf(['good', 'verified', 'baddump', 'nodump'] as const),
      isMia: random.below(8) === 0,
      isOptional: random.below(8) === 0,
    }
  }
  const games = names.map((each) =>
    gameOf(each, {
      description: `${oneOf(NAMES).trim()}!`,
      isBios: random.below(6) === 0,
      isDevice: random.below(6) === 0,
      cloneOf: maybe(() => oneOf(names)),
      romOf: maybe(() => oneOf(names)),
      sampleOf: maybe(() => oneOf(names)),
      files: Array.from({ length: random.below(5) }, (_, at) => fileAt(at)),
      samples: Array.from({ length: random.below(3) }, (_, at) => name(at)),
      devices: Array.from({ length: random.below(3) }, (_, at) => name(at)),
      biosSets: Array.from({ length: random.below(3) }, (_, at) => ({
        name: name(at),
        description: oneOf(NAMES),
        isDefault: random.below(2) === 0,
      })),
    }),
  )
  return datOf(games, {
    description: 'of a seed',
    detector: maybe(() => 'No-Intro_NES.xml'),
    forceMerging: maybe(() => 'split'),
    forceNoDump: maybe(() => 'required'),
    forcePacking: maybe(() => 'unzip'),
  })
}

type Attribute = readonly [name: string, value: string | number | null | false]

function fileAttributes(file: DatFile): Attribute[] {
  return [
    ['name', file.name],
    ['merge', file.merge],
    ['size', file.bytes],
    ['crc', file.crc?.toUpperCase() ?? null],
    ['md5', file.md5],
    ['sha1', file.sha1?.toUpperCase() ?? null],
    ['sha256', file.sha256],
    ['status', file.status === 'good' ? null : file.status],
    ['mia', file.isMia && 'yes'],
    ['optional', file.isOptional && 'yes'],
  ]
}

function gameAttributes(game: DatGame): Attribute[] {
  return [
    ['name', game.name],
    ['isbios', game.isBios && 'yes'],
    ['isdevice', game.isDevice && 'yes'],
    ['cloneof', game.cloneOf],
    ['romof', game.romOf],
    ['sampleof', game.sampleOf],
  ]
}

function escaped(text: string | number): string {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function element(name: string, attributes: readonly Attribute[], inside?: string): string {
  const given = attributes.filter(([, value]) => value !== null && value !== false)
  const text = given.map(([key, value]) => ` ${key}="${escaped(value as string)}"`).join('')
  return inside === undefined ? `<${name}${text}/>` : `<${name}${text}>${inside}</${name}>`
}

/** The DAT in Logiqx's XML. */
export function logiqxText({ header, games }: Dat): string {
  const fields = (['name', 'description', 'version', 'date', 'author'] as const).map((key) =>
    element(key, [], escaped(header[key])),
  )
  const forced = element('clrmamepro', [
    ['header', header.detector],
    ['forcemerging', header.forceMerging],
    ['forcenodump', header.forceNoDump],
    ['forcepacking', header.forcePacking],
  ])
  const listed = games.map((game) =>
    element(
      'game',
      gameAttributes(game),
      [
        element('description', [], escaped(game.description)),
        ...game.biosSets.map(({ name, description, isDefault }) =>
          element('biosset', [
            ['name', name],
            ['description', description],
            ['default', isDefault && 'yes'],
          ]),
        ),
        ...game.files.map((file) => element(file.kind, fileAttributes(file))),
        ...game.devices.map((name) => element('device_ref', [['name', name]])),
        ...game.samples.map((name) => element('sample', [['name', name]])),
      ].join('\n'),
    ),
  )
  const doctype =
    '<!DOCTYPE datafile PUBLIC "-//Logiqx//DTD ROM Management Datafile//EN" "http://www.logiqx.com/Dats/datafile.dtd">'
  return `<?xml version="1.0"?>\n${doctype}\n<datafile>\n<header>${fields.join('')}${forced}</header>\n${listed.join('\n')}\n</datafile>\n`
}

function block(name: string, attributes: readonly Attribute[], lines: readonly string[] = []): string {
  const given = attributes.filter(([, value]) => value !== null && value !== false)
  const own = given.map(([key, value]) =>
    typeof value === 'number' ? `${key} ${value}` : `${key} "${String(value).replaceAll('"', '\\"')}"`,
  )
  return lines.length === 0
    ? `${name} ( ${own.join(' ')} )`
    : `${name} (\n\t${[...own, ...lines].join('\n\t')}\n)`
}

/** The DAT in ClrMamePro's text format. */
export function clrMameProText({ header, games }: Dat): string {
  const { name, description, version, date, author, detector, forceMerging, forceNoDump, forcePacking } =
    header
  const head = block(
    'clrmamepro',
    [
      ['name', name],
      ['description', description],
      ['version', version],
      ['date', date],
      ['author', author],
      ['header', detector],
      ['forcemerging', forceMerging],
      ['forcenodump', forceNoDump],
      ['forcepacking', forcePacking],
    ],
    ['comment ""'],
  )
  const listed = games.map((game) =>
    block(
      'game',
      [...gameAttributes(game), ['description', game.description]],
      [
        'year "1999"',
        ...game.biosSets.map((bios) =>
          block('biosset', [
            ['name', bios.name],
            ['description', bios.description],
            ['default', bios.isDefault && 'yes'],
          ]),
        ),
        ...game.files.map((file) => block(file.kind, fileAttributes(file))),
        ...game.devices.map((device) => `device_ref "${device.replaceAll('"', '\\"')}"`),
        ...game.samples.map((sample) => `sample "${sample.replaceAll('"', '\\"')}"`),
      ],
    ),
  )
  return `${[head, ...listed].join('\n\n')}\n`
}
