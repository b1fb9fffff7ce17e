import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { PlanVolume } from '../../src/contract/dto/plan'
import { certainScratch, type PlacedSet } from '../../src/domain/sets/protection/scratch'
import { openImage } from '../../src/engine/sets/volume/image/image'

const SECTOR = 2048
const MAGIC = Buffer.from('PAR2\0PKT')
const HEAD = 64

interface Range {
  readonly offset: number
  readonly bytes: number
}

/** A packet of PAR2 as it lies on an image. */
interface Packet extends Range {
  readonly set: string
  readonly type: string
  readonly body: Buffer
}

/** A set as it is found by its packets alone, without the plan. */
interface FoundSet {
  readonly blocks: Range[]
  readonly recovery: Range[]
  /** The copies of each packet that the set cannot be without. */
  readonly needed: Map<string, Range[]>
}

/** A protected image, read without the code that planned it. */
export interface ScratchedDisc {
  readonly sectors: number
  /** The scratch that the plan promises, and the worst place by the planner's own computation. */
  readonly promised: number
  readonly worst: number
  /** True where every set has what it needs without these sectors. */
  survives(first: number, count: number): boolean
  /** The blocks of files that they take: the time of a repair grows with the cube of them. */
  lostBlocks(first: number, count: number): number
  /** Writes a copy of the image in which these sectors are overwritten. */
  scratchedTo(path: string, first: number, count: number): void
  /** True where an image has the same files at the same places. */
  isWhole(path: string): boolean
}

/** Reads the image of a volume with recovery data. */
export async function scratchedDisc(path: string, volume: PlanVolume): Promise<ScratchedDisc> {
  const { protection, sectors } = volume
  if (!protection) throw new Error(`${volume.label} has no recovery data`)
  const image = readFileSync(path)
  const opened = await openImage(path)
  const places = new Map<string, Range>()
  for (const [name, { kind }] of await opened.tree(new AbortController().signal)) {
    const place = kind === 'file' ? await opened.placeOf(name) : null
    if (place && place.bytes > 0) places.set(name, place)
  }
  const sets = await setsOf(packetsOf(image), places)
  const planned = protection.sets.map(({ description, recovery, recoveryBlocks }): PlacedSet => {
    const offset = recovery.sector * SECTOR
    const packetBytes = protection.blockBytes + 68
    const behind = offset + description.bytes
    const first = image.subarray(description.sector * SECTOR)
    const { blocks } = sets.get(first.toString('hex', 32, 48)) as FoundSet
    return {
      contents: blocks,
      recoveryBlocks,
      recovery: { offset: behind, packetBytes },
      descriptions: [
        { offset: description.sector * SECTOR, bytes: description.bytes },
        { offset, bytes: description.bytes },
        { offset: behind + recoveryBlocks * packetBytes, bytes: description.bytes },
      ],
    }
  })
  const { worst } = certainScratch(planned, protection.blockBytes, sectors)
  return {
    sectors,
    promised: protection.scratchBytes / SECTOR,
    worst,
    survives: (first, count) => [...sets.values()].every((set) => isRepairable(set, first, count)),
    lostBlocks: (first, count) =>
      [...sets.values()].reduce(
        (sum, { blocks }) => sum + blocks.filter((range) => isHit(range, first, count)).length,
        0,
      ),
    scratchedTo(to, first, count) {
      copyFileSync(path, to)
      const file = openSync(to, 'r+')
      writeSync(file, Buffer.alloc(count * SECTOR, 0x5a), 0, count * SECTOR, first * SECTOR)
      closeSync(file)
    },
    isWhole(other) {
      const found = readFileSync(other)
      return [...places.values()].every(({ offset, bytes }) =>
        found.subarray(offset, offset + bytes).equals(image.subarray(offset, offset + bytes)),
      )
    },
  }
}

function packetsOf(image: Buffer): Packet[] {
  const packets: Packet[] = []
  for (let at = image.indexOf(MAGIC); at >= 0; ) {
    const bytes = Number(image.readBigUInt64LE(at + 8))
    const type = image.toString('latin1', at + 48, at + HEAD).replaceAll('\0', '')
    const body = image.subarray(at + HEAD, at + bytes)
    packets.push({ offset: at, bytes, set: image.toString('hex', at + 32, at + 48), type, body })
    at = image.indexOf(MAGIC, at + bytes)
  }
  return packets
}

async function setsOf(
  packets: readonly Packet[],
  places: ReadonlyMap<string, Range>,
): Promise<Map<string, FoundSet>> {
  const sets = new Map<string, FoundSet>()
  const blockBytes = new Map<string, number>()
  for (const { set, type, body } of packets)
    if (type === 'PAR 2.0Main') blockBytes.set(set, Number(body.readBigUInt64LE(0)))
  for (const packet of packets) {
    const { set, type, body } = packet
    const found: FoundSet = sets.get(set) ?? { blocks: [], recovery: [], needed: new Map() }
    sets.set(set, found)
    if (type === 'PAR 2.0RecvSlic') found.recovery.push(packet)
    if (!['PAR 2.0Main', 'PAR 2.0FileDesc', 'PAR 2.0IFSC'].includes(type)) continue
    const key = type === 'PAR 2.0Main' ? type : type + body.toString('hex', 0, 16)
    const copies = found.needed.get(key)
    if (copies) copies.push(packet)
    else found.needed.set(key, [packet])
    if (type !== 'PAR 2.0FileDesc' || copies) continue
    const name = body.subarray(56).toString('utf8').replace(/\0+$/, '')
    const place = places.get(name)
    if (!place) throw new Error(`${name} is in a set and not on the disc`)
    const step = blockBytes.get(set) ?? 0
    for (let at = 0; at < place.bytes; at += step)
      found.blocks.push({ offset: place.offset + at, bytes: Math.min(step, place.bytes - at) })
  }
  return sets
}

function isRepairable({ blocks, recovery, needed }: FoundSet, first: number, count: number): boolean {
  const isLost = (range: Range): boolean => isHit(range, first, count)
  const lost = blocks.filter(isLost).length
  if (lost === 0) return true
  const isDescribed = [...needed.values()].every((copies) => !copies.every(isLost))
  return isDescribed && lost <= recovery.filter((packet) => !isLost(packet)).length
}

/** True where any sector of a range is among so many. */
function isHit({ offset, bytes }: Range, first: number, count: number): boolean {
  const start = Math.floor(offset / SECTOR)
  return start < first + count && Math.ceil((offset + bytes) / SECTOR) > first
}
