import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { checkDisc } from '../../support/discChecker/checkDisc'
import { SECTOR } from '../../support/discChecker/sectors'
import { checksumOf, crcOf, TAG } from '../../support/discChecker/udfFields'
import { ownVolume } from '../../support/ownImage'
import { randomDiscTree } from '../../support/randomDiscTree'

let folder = ''
let good = Buffer.alloc(0)
let place: Places

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-checker-'))
  mkdirSync(join(folder, 'tree'))
  const { entries } = randomDiscTree(join(folder, 'tree'), 14)
  // Its fields of Rock Ridge do not fit into a record.
  const long = join(folder, 'long')
  writeFileSync(long, 'long')
  const sha256 = createHash('sha256').update('long').digest('hex')
  entries.push({ kind: 'file', path: 'n'.repeat(250), source: long, bytes: 4, sha256 })
  const path = join(folder, 'good.iso')
  await (await ownVolume(folder, entries)).build(path)
  good = readFileSync(path)
  place = places(good)
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Bytes of the image where structures begin. */
interface Places {
  readonly main: number
  readonly reserve: number
  readonly integrity: number
  readonly partition: number
  readonly fileSet: number
  readonly folder: number
  readonly file: number
  readonly otherFile: number
  /** A file entry with a creation time, and one extent. */
  readonly createdFile: number
  readonly names: number
  readonly pathTables: readonly number[]
  readonly isoRoot: number
}

function places(image: Buffer): Places {
  const at = (sector: number): number => sector * SECTOR
  const word = (offset: number): number => image.readUInt32LE(offset)
  const anchor = at(256)
  const [main, reserve] = [at(word(anchor + 20)), at(word(anchor + 28))]
  const find = (identifier: number): number => {
    for (let offset = main; ; offset += SECTOR) if (image.readUInt16LE(offset) === identifier) return offset
  }
  const logical = find(TAG.logicalVolume)
  const partition = word(find(TAG.partition) + 188)
  const fileSet = at(partition + word(logical + 252))
  const root = at(partition + word(fileSet + 404))
  const entries: number[] = []
  for (let offset = root; offset < image.length; offset += SECTOR)
    if (
      image.readUInt16LE(offset) === TAG.fileEntry &&
      image[offset + 4] === checksumOf(image.subarray(offset))
    )
      entries.push(offset)
  const content = entries.filter((offset) => image[offset + 27] === 5 && word(offset + 172) === 8)
  const files = content.filter((offset) => word(offset + 168) === 0)
  const createdFile = content.find((offset) => word(offset + 168) > 0)
  const names = at(partition + word(root + 180))
  const [file, otherFile] = files
  if (file === undefined || otherFile === undefined) throw new Error('no two files with content')
  if (createdFile === undefined) throw new Error('no file with a creation time')
  return {
    main,
    reserve,
    integrity: at(word(logical + 436)),
    partition: at(partition),
    fileSet,
    folder: root,
    file,
    otherFile,
    createdFile,
    names,
    pathTables: [at(word(at(16) + 140)), at(image.readUInt32BE(at(16) + 148))],
    isoRoot: at(word(at(16) + 158)),
  }
}

const find = (image: Buffer, from: number, identifier: number): number => {
  for (let offset = from; ; offset += SECTOR) if (image.readUInt16LE(offset) === identifier) return offset
}

/** Gives a descriptor whose fields were changed its checksums back, so that only the field is wrong. */
function seal(image: Buffer, descriptor: number): void {
  const length = image.readUInt16LE(descriptor + 10)
  image.writeUInt16LE(crcOf(image.subarray(descriptor + 16, descriptor + 16 + length)), descriptor + 8)
  image[descriptor + 4] = checksumOf(image.subarray(descriptor, descriptor + 16))
}

function findingsOf(change: (image: Buffer) => void): readonly string[] {
  const image = Buffer.from(good)
  change(image)
  expect(image.equals(good)).toBe(false)
  const path = join(folder, 'changed.iso')
  writeFileSync(path, image)
  return checkDisc(path).findings
}

type Width = 1 | 2 | 4
/** A field of a descriptor, and what is written to it: a number, or what is made of it. */
type Change = readonly [name: string, offset: number, width: Width, value: number | ((old: number) => number)]

function write(image: Buffer, offset: number, width: Width, value: Change[3]): void {
  const old = image.readUIntLE(offset, width)
  image.writeUIntLE(typeof value === 'number' ? value : value(old), offset, width)
}

const more = (old: number): number => old + 1
const withBits = (bits: number) => (old: number) => (old | bits) >>> 0

/** Changes of the descriptors of a volume sequence: in both of them. */
const VOLUME: Readonly<Record<string, readonly [identifier: number, changes: readonly Change[]]>> = {
  'primary volume descriptor': [
    TAG.primary,
    [
      ['descriptor number', 20, 4, 1],
      ['length of the volume identifier', 55, 1, 32],
      ['byte behind the volume identifier', 54, 1, 65],
      ['form of the volume identifier', 24, 1, 9],
      ['volume sequence number', 56, 2, 2],
      ['interchange level', 60, 2, 3],
      ['maximum interchange level', 62, 2, 1],
      ['character sets', 64, 4, 3],
      ['volume set identifier', 73, 1, 90],
      ['descriptor character set', 205, 1, 65],
      ['explanatory character set', 264, 1, 1],
      ['abstract', 328, 4, 2048],
      ['flags of the application', 344, 1, 2],
      ['month', 380, 1, 13],
      ['zone', 376, 2, 0x1700],
      ['implementation', 389, 1, 83],
      ['flags', 488, 2, 2],
      ['reserved bytes', 500, 1, 1],
    ],
  ],
  'implementation use descriptor': [
    TAG.implementationUse,
    [
      ['identifier', 21, 1, 43],
      ['UDF revision', 44, 2, 0x0250],
      ['character set', 52, 1, 1],
      ['logical volume', 118, 1, 90],
      ['length of a text', 279, 1, 40],
    ],
  ],
  'partition descriptor': [
    TAG.partition,
    [
      ['flags', 20, 2, 0],
      ['contents', 29, 1, 57],
      ['flags of the contents', 24, 1, 2],
      ['space table', 60, 4, 1],
      ['access type', 184, 4, 4],
      ['start', 188, 4, more],
      ['length', 192, 4, more],
    ],
  ],
  'logical volume descriptor': [
    TAG.logicalVolume,
    [
      ['block size', 212, 4, 512],
      ['domain', 220, 1, 65],
      ['UDF revision', 240, 2, 0x0200],
      ['domain flags', 242, 1, 16],
      ['place of the file set', 252, 4, more],
      ['number of maps', 268, 4, 2],
      ['kind of map', 440, 1, 2],
      ['partition of the map', 444, 2, 1],
      ['place of the integrity sequence', 436, 4, more],
    ],
  ],
  'terminating descriptor': [TAG.terminating, [['reserved bytes', 100, 1, 1]]],
}

/** Changes of descriptors that there is one of. */
const SINGLE: readonly (readonly [
  name: string,
  at: (places: Places) => number,
  changes: readonly Change[],
])[] = [
  [
    'anchor',
    () => 256 * SECTOR,
    [
      ['length of the main sequence', 16, 4, 15 * SECTOR],
      ['place of the reserve sequence', 28, 4, more],
      ['reserved bytes', 100, 1, 1],
    ],
  ],
  [
    'integrity descriptor',
    ({ integrity }) => integrity,
    [
      ['year', 18, 2, 1980],
      ['type', 28, 4, 0],
      ['next extent', 32, 4, 2048],
      ['next unique ID', 40, 4, 17],
      ['free space', 80, 4, 5],
      ['size', 84, 4, more],
      ['files', 120, 4, more],
      ['directories', 124, 4, more],
      ['UDF revision', 128, 2, 0x0150],
    ],
  ],
  [
    'file set descriptor',
    ({ fileSet }) => fileSet,
    [
      ['interchange level', 28, 2, 2],
      ['character sets', 32, 4, 2],
      ['file set number', 40, 4, 1],
      ['logical volume identifier', 114, 1, 90],
      ['file set identifier', 335, 1, 0],
      ['root', 404, 4, more],
      ['length of the root', 400, 4, 512],
      ['domain', 420, 1, 65],
      ['next extent', 448, 4, 2048],
    ],
  ],
  [
    'file entry',
    ({ file }) => file,
    [
      ['prior entries', 16, 4, 1],
      ['strategy', 20, 2, 4096],
      ['entries', 24, 2, 2],
      ['file type', 27, 1, 6],
      ['kind of allocation descriptors', 34, 2, withBits(1)],
      ['flag for a fixed place', 34, 2, withBits(0x10)],
      ['flag for one extent', 34, 2, withBits(0x200)],
      ['permissions', 44, 4, withBits(0x8000)],
      ['permission to read', 44, 4, (old) => old ^ 4],
      ['link count', 48, 2, more],
      ['record format', 50, 1, 1],
      ['information length', 56, 4, more],
      ['recorded blocks', 64, 4, more],
      ['day', 89, 1, 32],
      ['second', 84 + 8, 1, (old) => (old + 1) % 60],
      ['checkpoint', 108, 4, 0],
      ['attributes elsewhere', 112, 4, 2048],
      ['implementation', 129, 1, 65],
      ['unique ID', 160, 4, 3],
      ['kind of an extent', 176, 4, withBits(0x4000_0000)],
      ['place of an extent', 180, 4, more],
      ['place outside of the partition', 180, 4, 0x7fff_ffff],
      ['length of allocation descriptors', 172, 4, 16],
    ],
  ],
  [
    'file identifier',
    ({ names }) => names + 40,
    [
      ['version', 16, 2, 2],
      ['deleted', 18, 1, withBits(4)],
      ['second parent', 18, 1, withBits(8)],
      ['kind of file', 18, 1, (old) => old ^ 2],
      ['length of the ICB', 20, 4, 512],
      ['place of the ICB', 24, 4, more],
      ['partition of the ICB', 28, 2, 1],
      ['unique ID', 32, 4, 5],
      ['form of the name', 38, 1, 254],
      ['slash in the name', 39, 1, 47],
      ['letter of the name', 39, 1, more],
    ],
  ],
]

/** Changes of ISO 9660, which has no checksums. `at` is from the start of the image. */
const ISO: readonly (readonly [
  name: string,
  at: (places: Places) => number,
  width: Width,
  value: Change[3],
])[] = [
  ['type of the descriptor', () => 16 * SECTOR, 1, 2],
  ['standard identifier', () => 16 * SECTOR + 1, 1, 67 ^ 1],
  ['small letter in the volume identifier', () => 16 * SECTOR + 40, 1, 97],
  ['unused bytes', () => 16 * SECTOR + 75, 1, 1],
  ['volume space size', () => 16 * SECTOR + 80, 4, more],
  ['volume set size', () => 16 * SECTOR + 120, 2, 2],
  ['block size', () => 16 * SECTOR + 128, 2, 512],
  ['path table size', () => 16 * SECTOR + 132, 4, more],
  ['place of path table L', () => 16 * SECTOR + 140, 4, more],
  ['an optional path table', () => 16 * SECTOR + 144, 4, 40],
  ['place of the root', () => 16 * SECTOR + 158, 4, more],
  ['date of the volume', () => 16 * SECTOR + 818, 1, 65],
  ['file structure version', () => 16 * SECTOR + 881, 1, 2],
  ['reserved bytes', () => 16 * SECTOR + 1500, 1, 1],
  ['terminator', () => 17 * SECTOR, 1, 3],
  ['recognition sequence', () => 19 * SECTOR + 5, 1, 51],
  ['end of the recognition sequence', () => 20 * SECTOR + 1, 1, 65],
  ['place in path table L', ({ pathTables }) => (pathTables[0] as number) + 2, 4, more],
  ['parent in path table L', ({ pathTables }) => (pathTables[0] as number) + 10 + 6, 2, 2],
  ['parent in path table M', ({ pathTables }) => (pathTables[1] as number) + 10 + 6, 2, 2],
  ['name in path table M', ({ pathTables }) => (pathTables[1] as number) + 10 + 8, 1, 97],
  ['length of `.`', ({ isoRoot }) => isoRoot + 10, 4, 2049],
  ['place of `.`', ({ isoRoot }) => isoRoot + 2, 4, more],
  ['protocol of the root', ({ isoRoot }) => isoRoot + 34 + 4, 1, 0],
]

describe('a good image', () => {
  it('gives no findings', () => {
    expect(checkDisc(join(folder, 'good.iso')).findings).toEqual([])
  })
})

describe('a field with a wrong value under right checksums is found', { tags: 'long' }, () => {
  const volume = Object.entries(VOLUME).flatMap(([name, [identifier, changes]]) =>
    changes.map((change) => [`${name}: ${change[0]}`, identifier, change] as const),
  )
  it.each(volume)('%s', (_, identifier, [, offset, width, value]) => {
    const findings = findingsOf((image) => {
      for (const start of [place.main, place.reserve]) {
        const descriptor = find(image, start, identifier)
        write(image, descriptor + offset, width, value)
        seal(image, descriptor)
      }
    })
    expect(findings).not.toEqual([])
  })

  const single = SINGLE.flatMap(([name, at, changes]) =>
    changes.map((change) => [`${name}: ${change[0]}`, at, change] as const),
  )
  it.each(single)('%s', (_, at, [, offset, width, value]) => {
    const findings = findingsOf((image) => {
      write(image, at(place) + offset, width, value)
      seal(image, at(place))
    })
    expect(findings).not.toEqual([])
  })

  it.each([
    ['descriptor version', 2, 3],
    ['reserved byte', 5, 1],
    ['serial number', 6, 1],
    ['location', 12, 1],
  ] as const)('tag: %s', (_, offset, value) => {
    for (const at of [256 * SECTOR, place.integrity, place.fileSet, place.file, place.names]) {
      const findings = findingsOf((image) => {
        write(image, at + offset, 1, (old) => (old + value) & 255)
        seal(image, at)
      })
      expect(findings).not.toEqual([])
    }
  })
})

describe('the extended attributes of a file', { tags: 'long' }, () => {
  const START = 176
  const BYTES = 56

  it.each([
    ['tag identifier', 0, 2, 261],
    ['descriptor version', 2, 2, 3],
    ['serial number', 6, 2, 1],
    ['location', 12, 4, more],
    ['place of attributes of the implementation', 16, 4, 24],
    ['place of attributes of the application', 20, 4, 0xffff_ffff],
    ['attribute type', 24, 4, 6],
    ['subtype', 28, 1, 2],
    ['reserved bytes', 30, 1, 1],
    ['length of the attribute', 32, 4, 28],
    ['length beyond the space', 32, 4, 36],
    ['length of the times', 36, 4, 24],
    ['kind of the time', 40, 4, 4],
    ['a second kind of time', 40, 4, withBits(8)],
    ['type of the time', 44, 2, 0x2000],
    ['year', 46, 2, 0],
    ['a year after the volume was closed', 46, 2, 9999],
    ['month', 48, 1, 13],
    ['day', 49, 1, 0],
    ['hour', 50, 1, 24],
    ['microseconds', 55, 1, 100],
  ] as const)('a wrong %s under right checksums is found', (_, offset, width, value) => {
    const findings = findingsOf((image) => {
      write(image, place.createdFile + START + offset, width, value)
      seal(image, place.createdFile + START)
      seal(image, place.createdFile)
    })
    expect(findings).not.toEqual([])
  })

  it.each([
    ['length of the space', 168, 4, 24],
    ['length of the space that is no multiple of 4', 168, 4, 57],
    ['length beyond the block', 168, 4, 2000],
  ] as const)('a wrong %s is found', (_, offset, width, value) => {
    const findings = findingsOf((image) => {
      write(image, place.createdFile + offset, width, value)
      seal(image, place.createdFile)
    })
    expect(findings).not.toEqual([])
  })

  it('are found with one bit changed in any byte', () => {
    const random = seededRandom(262)
    const missed: string[] = []
    for (let byte = 0; byte < BYTES; byte++) {
      const offset = place.createdFile + START + byte
      const bit = 1 << random.below(8)
      const findings = findingsOf((image) => image.writeUInt8((image[offset] as number) ^ bit, offset))
      if (findings.length === 0) missed.push(`byte ${byte} ^ ${bit}`)
    }
    expect(missed).toEqual([])
  })
})

describe('a wrong value in ISO 9660 is found', { tags: 'long' }, () => {
  it.each(ISO)('%s', (_, at, width, value) => {
    expect(findingsOf((image) => write(image, at(place), width, value))).not.toEqual([])
  })

  /** Records of the root's directory behind `.` and `..`. */
  function* records(
    image: Buffer,
  ): Generator<{ at: number; fields: Map<string, number>; isFolder: boolean }> {
    let at = place.isoRoot
    for (let count = 0; at < place.isoRoot + SECTOR && image[at] !== 0; count++) {
      const length = image[at] as number
      const fields = new Map<string, number>()
      const identifier = image[at + 32] as number
      for (let field = at + 33 + identifier + ((identifier + 1) % 2); field + 4 <= at + length; ) {
        fields.set(image.toString('latin1', field, field + 2), field)
        field += image[field + 2] as number
      }
      if (count >= 2) yield { at, fields, isFolder: ((image[at + 25] as number) & 2) !== 0 }
      at += length
    }
  }
  const file = (image: Buffer, field = 'PX') => {
    for (const record of records(image)) if (!record.isFolder && record.fields.has(field)) return record
    throw new Error(`no file with ${field} in the root`)
  }

  it.each([
    ['length', 0, 1, (old: number) => old + 2],
    ['extended attributes', 1, 1, 1],
    ['place in one order of bytes', 2, 4, more],
    ['length in one order of bytes', 10, 4, more],
    ['month', 19, 1, 13],
    ['second', 23, 1, (old: number) => (old + 1) % 60],
    ['flags', 25, 1, withBits(8)],
    ['further section', 25, 1, withBits(0x80)],
    ['unit of interleaving', 26, 1, 1],
    ['volume', 28, 2, 2],
    ['small letter', 33, 1, 97],
  ] as const)('record: %s', (_, offset, width, value) => {
    expect(findingsOf((image) => write(image, file(image).at + offset, width, value))).not.toEqual([])
  })

  it.each([
    ['PX', 'mode', 4, 4, (old: number) => old ^ 1],
    ['PX', 'version', 3, 1, 2],
    ['PX', 'length', 2, 1, 40],
    ['PX', 'signature', 0, 1, 65],
    ['TF', 'flags', 4, 1, 6],
    ['TF', 'month', 6, 1, 0],
    ['NM', 'flags', 4, 1, 1],
    ['NM', 'letter', 5, 1, 47],
    ['CE', 'place', 4, 4, more],
    ['CE', 'length', 20, 4, 4000],
  ] as const)('%s: %s', (field, _, offset, width, value) => {
    const findings = findingsOf((image) => {
      const at = file(image, field).fields.get(field) as number
      write(image, at + offset, width, value)
    })
    expect(findings).not.toEqual([])
  })

  it('both orders of bytes of a place', () => {
    const findings = findingsOf((image) => {
      const { at } = file(image)
      const sector = image.readUInt32LE(at + 2) + 1
      image.writeUInt32LE(sector, at + 2)
      image.writeUInt32BE(sector, at + 6)
    })
    expect(findings).not.toEqual([])
  })

  it('two records in the wrong order', () => {
    const findings = findingsOf((image) => {
      const [first, second] = [...records(image)]
      if (!first || !second) throw new Error('no two records')
      const end = second.at + (image[second.at] as number)
      const swapped = Buffer.concat([image.subarray(second.at, end), image.subarray(first.at, second.at)])
      swapped.copy(image, first.at)
    })
    expect(findings).not.toEqual([])
  })
})

describe('single bytes', { tags: 'long' }, () => {
  it('of UDF are found wherever one changes', () => {
    const random = seededRandom(38)
    const areas = [
      [18 * SECTOR, 21 * SECTOR],
      [place.main, place.main + 6 * SECTOR],
      [place.reserve, place.reserve + 16 * SECTOR],
      [place.integrity, place.integrity + 2 * SECTOR],
      [256 * SECTOR, 257 * SECTOR],
      [place.partition, place.pathTables[0] as number],
      [place.partition, place.pathTables[0] as number],
      [place.pathTables[0] as number, place.isoRoot],
      [good.length - SECTOR, good.length],
    ] as const
    const missed: string[] = []
    for (let count = 0; count < 150; count++) {
      const [from, to] = areas[random.below(areas.length)] as readonly [number, number]
      const offset = from + random.below(to - from)
      const bits = 1 + random.below(255)
      const findings = findingsOf((image) => image.writeUInt8((image[offset] as number) ^ bits, offset))
      if (findings.length === 0) missed.push(`byte ${offset} ^ ${bits}`)
    }
    expect(missed).toEqual([])
  })
})

describe('an image of genisoimage with UDF', () => {
  it('has the faults that are known of it', () => {
    const tree = join(folder, 'other')
    mkdirSync(tree)
    writeFileSync(join(tree, 'first'), 'content')
    linkSync(join(tree, 'first'), join(tree, 'second'))
    writeFileSync(join(tree, 'n'.repeat(200)), 'long')
    writeFileSync(join(tree, 'あ'.repeat(80)), 'kana')
    const image = join(folder, 'other.iso')
    // With Joliet it takes UDF's names from there, cut to 64 characters.
    execFileSync('genisoimage', [
      '-quiet',
      '-iso-level',
      '3',
      '-r',
      '-J',
      '-udf',
      '-no-pad',
      '-o',
      image,
      tree,
    ])
    const findings = checkDisc(image).findings.join('\n')
    expect(findings).toMatch(/partition descriptor: contents: flags 2 of the entity identifier/)
    expect(findings).toMatch(/descriptors 1 of the main and the reserve sequence differ/)
    expect(findings).toMatch(/ICB flags/)
    expect(findings).toMatch(/owner of an undefined system/)
    expect(findings).toMatch(/both take sector/)
    expect(findings).toMatch(/n{200} is not in UDF, which can hold its name/)
    expect(findings).toMatch(/あ{80} is not in UDF, which can hold its name/)
  })
})
