import { type Findings, isZero, SECTOR, type Sectors } from './sectors'
import { FieldChecker, TAG, UDF_REVISION } from './udfFields'

const FIRST_RECOGNIZED = 16
const ANCHOR = 256
const DESCRIPTOR = 512
/** The least of a volume descriptor sequence (UDF 2.2.3). */
const LEAST_SEQUENCE = 16
const NO_FIGURE = 0xffffffff

/** The logical volume of an image. */
export interface UdfVolume {
  readonly fields: FieldChecker
  /** The partition's first sector, and how many it has. */
  readonly start: number
  readonly length: number
  readonly label: string
  /** Of the file set descriptor: its block in the partition, and its bytes. */
  readonly fileSet: { readonly block: number; readonly bytes: number }
  /** What the integrity descriptor says. */
  readonly nextUniqueId: bigint
  /** When the volume was closed, in microseconds since 1970. */
  readonly closed: bigint | null
  readonly files: number
  readonly folders: number
  /** Sectors that the volume's own structures take. */
  readonly structures: readonly { readonly first: number; readonly sectors: number; readonly by: string }[]
}

interface Extent {
  readonly bytes: number
  readonly sector: number
}

const extentAt = (bytes: Buffer, at: number): Extent => ({
  bytes: bytes.readUInt32LE(at),
  sector: bytes.readUInt32LE(at + 4),
})

/** Checks everything before the file set. @returns null where the volume cannot be found */
export function checkVolume(sectors: Sectors, findings: Findings): UdfVolume | null {
  const fields = new FieldChecker(findings)
  checkRecognition(sectors, findings)
  const anchor = anchors(sectors, fields)
  if (anchor === null) return null
  const [main, reserve] = anchor.map((extent, at) =>
    sequence(sectors, fields, extent, at === 0 ? 'main' : 'reserve'),
  )
  if (!main || !reserve) return null
  for (const [identifier, descriptor] of main) {
    // Only the tag may differ: it has the place (3/8.4.2).
    const other = reserve.get(identifier)
    findings.require(
      other?.subarray(16).equals(descriptor.subarray(16)) === true,
      () => `descriptors ${identifier} of the main and the reserve sequence differ`,
    )
  }
  findings.require(main.size === reserve.size, () => 'the sequences have not the same descriptors')
  const partition = main.get(TAG.partition)
  const logical = main.get(TAG.logicalVolume)
  const implementation = main.get(TAG.implementationUse)
  const primary = main.get(TAG.primary)
  if (!partition || !logical || !implementation || !primary) return null
  const { start, length } = checkPartition(partition, sectors, fields)
  const label = checkPrimary(primary, fields)
  const name = checkLogicalVolume(logical, partition, fields)
  checkImplementationUse(implementation, name, fields)
  const unallocated = main.get(TAG.unallocatedSpace)
  if (unallocated) {
    for (let at = 0; at < unallocated.readUInt32LE(20); at++) {
      const { bytes, sector } = extentAt(unallocated, 24 + 8 * at)
      findings.require(
        bytes % SECTOR === 0 && (sector + bytes / SECTOR <= start || sector >= start + length),
        () => 'unallocated space: an extent inside the partition',
      )
    }
  }
  const integrity = extentAt(logical, 432)
  const counts = checkIntegrity(sectors, integrity, length, fields)
  const fileSet = { block: logical.readUInt32LE(252), bytes: logical.readUInt32LE(248) }
  fields.value(logical.readUInt16LE(256), [0], 'logical volume descriptor: partition of the file set')
  fields.zero(logical.subarray(258, 264), 'logical volume descriptor: file set address')
  fields.value(fileSet.bytes % SECTOR, [0], 'logical volume descriptor: bytes of the file set beyond blocks')
  const structures = [
    { first: ANCHOR, sectors: 1, by: 'the anchor' },
    ...anchor.map(({ sector, bytes }) => ({
      first: sector,
      sectors: bytes / SECTOR,
      by: 'a descriptor sequence',
    })),
    { first: integrity.sector, sectors: integrity.bytes / SECTOR, by: 'the integrity sequence' },
    { first: sectors.count - 1, sectors: 1, by: 'the last anchor' },
  ]
  findings.require(label !== '' && name !== '', () => 'a volume without a name')
  return { fields, start, length, label: name, fileSet, ...counts, structures }
}

/** The volume recognition sequence (2/8.3.1) behind the descriptors of ISO 9660. */
function checkRecognition(sectors: Sectors, findings: Findings): void {
  const names: string[] = []
  for (let at = FIRST_RECOGNIZED; at < ANCHOR; at++) {
    const descriptor = sectors.read(at)
    const name = descriptor.subarray(1, 6).toString('latin1')
    if (!/^(CD001|BEA01|NSR0[23]|TEA01|BOOT2|CDW02)$/.test(name)) {
      findings.require(isZero(descriptor), () => `recognition sequence: unknown descriptor in sector ${at}`)
      break
    }
    names.push(name)
    if (name === 'CD001') continue
    findings.require(
      descriptor[0] === 0 && descriptor[6] === 1,
      () => `recognition sequence: ${name} type or version`,
    )
    findings.require(isZero(descriptor.subarray(7)), () => `recognition sequence: ${name} has data`)
  }
  const found = names.join(' ')
  findings.require(
    /^(CD001 )+BEA01 NSR02 TEA01$/.test(found),
    () => `recognition sequence: ${found === '' ? 'nothing' : found}`,
  )
}

/** The anchors (3/8.4.2.1, UDF 2.2.3): two of sector 256, the last one and 256 before it. */
function anchors(sectors: Sectors, fields: FieldChecker): [Extent, Extent] | null {
  const places = [ANCHOR, sectors.count - 1, sectors.count - 1 - ANCHOR]
  const found = places.filter(
    (place) => place >= ANCHOR && sectors.read(place).readUInt16LE(0) === TAG.anchor,
  )
  fields.findings.require(found[0] === ANCHOR, () => 'no anchor in sector 256')
  fields.findings.require(found.length >= 2, () => 'no second anchor at the end')
  const bodies = found.map((place) => {
    const anchor = Buffer.from(sectors.read(place))
    fields.tag(anchor, {
      identifier: TAG.anchor,
      location: place,
      lengths: [DESCRIPTOR],
      name: `anchor in sector ${place}`,
    })
    fields.zero(anchor.subarray(32), `anchor in sector ${place}`)
    return anchor
  })
  const [first] = bodies
  if (!first) return null
  for (const other of bodies)
    fields.findings.require(other.subarray(16).equals(first.subarray(16)), () => 'the anchors differ')
  const extents: [Extent, Extent] = [extentAt(first, 16), extentAt(first, 24)]
  for (const { bytes, sector } of extents) {
    fields.findings.require(
      bytes >= LEAST_SEQUENCE * SECTOR && bytes % SECTOR === 0 && sector + bytes / SECTOR <= sectors.count,
      () => `anchor: sequence of ${bytes} bytes in sector ${sector}`,
    )
  }
  return extents
}

/** A volume descriptor sequence: one of each descriptor, then the terminating one, then nothing. */
function sequence(
  sectors: Sectors,
  fields: FieldChecker,
  extent: Extent,
  which: string,
): ReadonlyMap<number, Buffer> | null {
  const found = new Map<number, Buffer>()
  const sectorsInside = Math.min(Math.ceil(extent.bytes / SECTOR), ANCHOR)
  let at = 0
  for (; at < sectorsInside && !found.has(TAG.terminating); at++) {
    const bytes = Buffer.from(sectors.read(extent.sector + at))
    const identifier = bytes.readUInt16LE(0)
    const name = `${which} sequence, descriptor ${identifier}`
    if (!(identifier in LENGTHS)) {
      fields.findings.add(`${name}: unknown in sector ${extent.sector + at}`)
      return null
    }
    const length = LENGTHS[identifier as keyof typeof LENGTHS](bytes)
    const lengths = identifier === TAG.unallocatedSpace ? [length, DESCRIPTOR] : [length]
    fields.tag(bytes, { identifier, location: extent.sector + at, lengths, name })
    fields.zero(bytes.subarray(Math.min(length, SECTOR)), `${name} behind its end`)
    fields.findings.require(!found.has(identifier), () => `${name}: there are two`)
    found.set(identifier, bytes)
  }
  for (const [name, identifier] of Object.entries(NEEDED))
    fields.findings.require(found.has(identifier), () => `${which} sequence: no descriptor ${name}`)
  for (; at < sectorsInside; at++)
    fields.zero(sectors.read(extent.sector + at), `${which} sequence behind the terminating descriptor`)
  const terminating = found.get(TAG.terminating)
  if (terminating) fields.zero(terminating.subarray(16), `${which} sequence, terminating descriptor`)
  return found
}

const LENGTHS = {
  [TAG.primary]: () => DESCRIPTOR,
  [TAG.implementationUse]: () => DESCRIPTOR,
  [TAG.partition]: () => DESCRIPTOR,
  [TAG.logicalVolume]: (bytes: Buffer) => 440 + bytes.readUInt32LE(264),
  [TAG.unallocatedSpace]: (bytes: Buffer) => 24 + 8 * bytes.readUInt32LE(20),
  [TAG.terminating]: () => DESCRIPTOR,
}

const NEEDED = {
  primary: TAG.primary,
  'implementation use': TAG.implementationUse,
  partition: TAG.partition,
  'logical volume': TAG.logicalVolume,
  'unallocated space': TAG.unallocatedSpace,
  terminating: TAG.terminating,
}

/** 3/10.1, UDF 2.2.2. @returns the volume identifier */
function checkPrimary(bytes: Buffer, fields: FieldChecker): string {
  const name = 'primary volume descriptor'
  fields.value(bytes.readUInt32LE(20), [0], `${name}: number`)
  const label = fields.dstring(bytes.subarray(24, 56), `${name}: volume identifier`)
  fields.value(bytes.readUInt16LE(56), [1], `${name}: volume sequence number`)
  fields.value(bytes.readUInt16LE(58), [1], `${name}: maximum volume sequence number`)
  fields.value(bytes.readUInt16LE(60), [2], `${name}: interchange level`)
  fields.value(bytes.readUInt16LE(62), [2, 3], `${name}: maximum interchange level`)
  fields.value(bytes.readUInt32LE(64), [1], `${name}: character sets`)
  fields.value(bytes.readUInt32LE(68), [1], `${name}: maximum character sets`)
  const set = fields.dstring(bytes.subarray(72, 200), `${name}: volume set identifier`)
  fields.findings.require(
    /^[0-9A-Fa-f]{8}.{8}/.test(set),
    () => `${name}: volume set identifier "${set}" does not begin with 16 characters that are its own`,
  )
  fields.charspec(bytes.subarray(200), `${name}: descriptor character set`)
  fields.charspec(bytes.subarray(264), `${name}: explanatory character set`)
  fields.zero(bytes.subarray(328, 344), `${name}: abstract and copyright notice`)
  fields.regid(bytes.subarray(344, 376), 'application', `${name}: application`)
  fields.timestamp(bytes.subarray(376, 388), `${name}: recording time`)
  fields.regid(bytes.subarray(388, 420), 'implementation', `${name}: implementation`)
  fields.value(bytes.readUInt32LE(484), [0], `${name}: predecessor`)
  fields.value(bytes.readUInt16LE(488), [0, 1], `${name}: flags`)
  fields.zero(bytes.subarray(490, DESCRIPTOR), name)
  return label
}

/** 3/10.5, UDF 2.2.14. */
function checkPartition(
  bytes: Buffer,
  sectors: Sectors,
  fields: FieldChecker,
): { start: number; length: number } {
  const name = 'partition descriptor'
  fields.value(bytes.readUInt16LE(20), [1], `${name}: flags`)
  const contents = fields.regid(bytes.subarray(24, 56), 'none', `${name}: contents`)
  fields.findings.require(contents === '+NSR02', () => `${name}: contents "${contents}"`)
  // The partition header descriptor: a read-only partition has no table or bitmap of free space.
  fields.zero(bytes.subarray(56, 184), `${name}: contents use`)
  fields.value(bytes.readUInt32LE(184), [1], `${name}: access type`)
  const start = bytes.readUInt32LE(188)
  const length = bytes.readUInt32LE(192)
  fields.findings.require(
    start > ANCHOR && length > 0 && start + length <= sectors.count,
    () => `${name}: ${length} sectors from ${start} of ${sectors.count}`,
  )
  fields.regid(bytes.subarray(196, 228), 'implementation', `${name}: implementation`)
  fields.zero(bytes.subarray(356, DESCRIPTOR), name)
  return { start, length }
}

/** 3/10.6, UDF 2.2.4. @returns the logical volume identifier */
function checkLogicalVolume(bytes: Buffer, partition: Buffer, fields: FieldChecker): string {
  const name = 'logical volume descriptor'
  fields.charspec(bytes.subarray(20), name)
  const label = fields.dstring(bytes.subarray(84, 212), `${name}: identifier`)
  fields.value(bytes.readUInt32LE(212), [SECTOR], `${name}: logical block size`)
  const domain = fields.regid(bytes.subarray(216, 248), 'domain', `${name}: domain`)
  fields.findings.require(domain === '*OSTA UDF Compliant', () => `${name}: domain "${domain}"`)
  fields.value(bytes.readUInt32LE(264), [6], `${name}: map table length`)
  fields.value(bytes.readUInt32LE(268), [1], `${name}: number of partition maps`)
  fields.regid(bytes.subarray(272, 304), 'implementation', `${name}: implementation`)
  fields.value(bytes[440] as number, [1], `${name}: partition map type`)
  fields.value(bytes[441] as number, [6], `${name}: partition map length`)
  fields.value(bytes.readUInt16LE(442), [1], `${name}: partition map volume`)
  fields.value(bytes.readUInt16LE(444), [partition.readUInt16LE(22)], `${name}: partition map number`)
  return label
}

/** UDF 2.2.7. */
function checkImplementationUse(bytes: Buffer, label: string, fields: FieldChecker): void {
  const name = 'implementation use volume descriptor'
  const kind = fields.regid(bytes.subarray(20, 52), 'udf', name)
  fields.findings.require(kind === '*UDF LV Info', () => `${name}: "${kind}"`)
  fields.charspec(bytes.subarray(52), name)
  const found = fields.dstring(bytes.subarray(116, 244), `${name}: logical volume`)
  fields.findings.require(found === label, () => `${name}: logical volume "${found}"`)
  for (const at of [244, 280, 316]) fields.dstring(bytes.subarray(at, at + 36), `${name}: information`)
  fields.regid(bytes.subarray(352, 384), 'implementation', `${name}: implementation`)
}

/** 3/10.10, UDF 2.2.6: closed, and what it counts. */
function checkIntegrity(
  sectors: Sectors,
  extent: Extent,
  partitionLength: number,
  fields: FieldChecker,
): Pick<UdfVolume, 'nextUniqueId' | 'closed' | 'files' | 'folders'> {
  const name = 'integrity descriptor'
  fields.findings.require(
    extent.bytes > 0 && extent.bytes % SECTOR === 0 && extent.sector + extent.bytes / SECTOR <= sectors.count,
    () => `${name}: sequence of ${extent.bytes} bytes in sector ${extent.sector}`,
  )
  const bytes = Buffer.from(sectors.read(extent.sector))
  const partitions = bytes.readUInt32LE(72)
  const use = bytes.readUInt32LE(76)
  const length = Math.min(80 + 8 * partitions + use, SECTOR)
  fields.tag(bytes, { identifier: TAG.integrity, location: extent.sector, lengths: [length], name })
  const closed = fields.timestamp(bytes.subarray(16, 28), `${name}: recording time`)
  fields.value(bytes.readUInt32LE(28), [1], `${name}: type`)
  fields.zero(bytes.subarray(32, 40), `${name}: next extent`)
  fields.zero(bytes.subarray(48, 72), `${name}: logical volume header`)
  fields.value(partitions, [1], `${name}: partitions`)
  fields.value(use, [46], `${name}: length of implementation use`)
  fields.value(bytes.readUInt32LE(80), [0, NO_FIGURE], `${name}: free space`)
  fields.value(bytes.readUInt32LE(84), [partitionLength], `${name}: size`)
  fields.regid(bytes.subarray(88, 120), 'implementation', `${name}: implementation`)
  for (const at of [128, 130, 132])
    fields.value(bytes.readUInt16LE(at), [UDF_REVISION], `${name}: UDF revision`)
  fields.zero(bytes.subarray(134), `${name} behind its end`)
  // A terminating descriptor, or nothing that was recorded (3/8.8.2).
  for (let at = 1; at < Math.min(extent.bytes / SECTOR, ANCHOR); at++) {
    const next = Buffer.from(sectors.read(extent.sector + at))
    if (isZero(next)) continue
    fields.tag(next, {
      identifier: TAG.terminating,
      location: extent.sector + at,
      lengths: [DESCRIPTOR],
      name: 'integrity sequence, terminating descriptor',
    })
    fields.zero(next.subarray(16), 'integrity sequence, terminating descriptor')
  }
  return {
    nextUniqueId: bytes.readBigUInt64LE(40),
    closed,
    files: bytes.readUInt32LE(120),
    folders: bytes.readUInt32LE(124),
  }
}
