/**
 * The room `protection` makes the packets of PAR2 sets, reads them, and repairs files by them.
 * How: from the Parity Volume Set Specification 2.0; each packet counts only with its digest, and
 * the native core calculates blocks.
 * Not here: where recovery data is on a volume (`sets/recovery`), parity discs (`sets/parity`).
 */

import { createHash } from 'node:crypto'
import { pathToBytes } from '../../primitives/pathText'

/** The length of the start of a file that its identity is made of. */
export const START_BYTES = 16_384

const MAGIC = Buffer.from('PAR2\0PKT', 'latin1')
export const TYPES = {
  main: 'PAR 2.0\0Main\0\0\0\0',
  file: 'PAR 2.0\0FileDesc',
  blocks: 'PAR 2.0\0IFSC\0\0\0\0',
  recovery: 'PAR 2.0\0RecvSlic',
  creator: 'PAR 2.0\0Creator\0',
} as const
/** Magic bytes, length, digest, the set's identity, type. */
export const HEAD_BYTES = 64
const DIGEST_AT = 16
/** A packet's digest is of everything from its set's identity. */
const DIGEST_OF = 32

export const md5 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A file as the packets describe it. */
export interface Par2File {
  /** Below the folder of the set, with `/`, in lossless text. */
  readonly name: string
  readonly bytes: number
  readonly md5: Uint8Array
  /** MD5 of the first 16 KiB. */
  readonly md5OfStart: Uint8Array
  /** 20 bytes for each block: MD5 and CRC-32 with zeros after the file's end. */
  readonly blocks: Uint8Array
}

/** The identity of a file in a set: it is known once its first 16 KiB are. */
export function par2Identity(file: Pick<Par2File, 'name' | 'bytes' | 'md5OfStart'>): Buffer {
  return md5(file.md5OfStart, uint64(file.bytes), pathToBytes(file.name))
}

/** The order of identities: numbers of 128 bits, the lowest byte first. */
export function compareIdentities(one: Buffer, other: Buffer): number {
  return Buffer.from(one.toReversed()).compare(Buffer.from(other.toReversed()))
}

/** All that is needed beside recovery blocks. */
export interface Par2Set {
  readonly identity: Buffer
  /** The packets that say what the set is made of: recovery blocks are of no use without them. */
  readonly described: Buffer
}

/**
 * The packets of a set after the Parity Volume Set Specification 2.0.
 * @param files none of them empty, in any order
 */
export function par2Set(blockBytes: number, files: readonly Par2File[]): Par2Set {
  const ordered = files
    .map((file) => ({ file, identity: par2Identity(file) }))
    .toSorted((one, other) => compareIdentities(one.identity, other.identity))
  const count = Buffer.alloc(4)
  count.writeUInt32LE(files.length)
  const main = Buffer.concat([uint64(blockBytes), count, ...ordered.map(({ identity }) => identity)])
  const identity = md5(main)
  const packets = [
    packet(identity, TYPES.main, main),
    ...ordered.flatMap(({ file, identity: id }) => [
      packet(
        identity,
        TYPES.file,
        Buffer.concat([
          id,
          file.md5,
          file.md5OfStart,
          uint64(file.bytes),
          padded(Buffer.from(pathToBytes(file.name))),
        ]),
      ),
      packet(identity, TYPES.blocks, Buffer.concat([id, file.blocks])),
    ]),
    packet(identity, TYPES.creator, padded(Buffer.from('Stowage'))),
  ]
  return { identity, described: Buffer.concat(packets) }
}

/** The starts of packets with recovery blocks, 68 bytes each, without their digests. */
export function recoveryHeads(identity: Buffer, blockBytes: number, exponents: Uint16Array): Buffer {
  const heads = [...exponents].map((exponent) => {
    const head = headOf(identity, TYPES.recovery, HEAD_BYTES + 4 + blockBytes)
    const after = Buffer.alloc(4)
    after.writeUInt32LE(exponent)
    return Buffer.concat([head, after])
  })
  return Buffer.concat(heads)
}

function packet(identity: Buffer, type: string, body: Buffer): Buffer {
  const head = headOf(identity, type, HEAD_BYTES + body.length)
  md5(head.subarray(DIGEST_OF), body).copy(head, DIGEST_AT)
  return Buffer.concat([head, body])
}

function headOf(identity: Buffer, type: string, bytes: number): Buffer {
  return Buffer.concat([MAGIC, uint64(bytes), Buffer.alloc(16), identity, Buffer.from(type, 'latin1')])
}

/** The start of a packet. */
export interface PacketHead {
  readonly bytes: number
  /** MD5 of the identity, the type and the body. */
  readonly digest: Buffer
  readonly identity: Buffer
  readonly type: string
}

/** Null where no packet starts. */
export function headFrom(bytes: Buffer): PacketHead | null {
  const length = bytes.readBigUInt64LE(8)
  if (!bytes.subarray(0, 8).equals(MAGIC) || length < HEAD_BYTES || length % 4n !== 0n || length > 2n ** 52n)
    return null
  return {
    bytes: Number(length),
    digest: bytes.subarray(DIGEST_AT, DIGEST_OF),
    identity: bytes.subarray(DIGEST_OF, DIGEST_OF + 16),
    type: bytes.toString('latin1', DIGEST_OF + 16, HEAD_BYTES),
  }
}

/** With zeros to a multiple of four bytes. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
