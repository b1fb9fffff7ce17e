import { createCipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto'

/** Bytes that look random, from a name: the same on every run. */
export function noiseOf(name: string, bytes: number): Buffer {
  const parts: Buffer[] = []
  for (let count = 0; count * 64 < bytes; count++)
    parts.push(createHash('sha512').update(`${name} ${count}`).digest())
  return Buffer.concat(parts).subarray(0, bytes)
}

/** A sparse image by hand: the bands given, stored in the order given. */
export function sparseImage(
  bandBytes: number,
  diskBytes: number,
  bands: readonly [number, Buffer][],
): Buffer {
  const header = Buffer.alloc(4096)
  header.write('sprs', 'latin1')
  header.writeUInt32BE(3, 4)
  header.writeUInt32BE(bandBytes / 512, 8)
  header.writeUInt32BE(1, 12)
  header.writeUInt32BE((diskBytes / 512) % 2 ** 32, 16)
  header.writeBigUInt64BE(BigInt(diskBytes) / 512n, 28)
  bands.forEach(([band], slot) => header.writeUInt32BE(band + 1, 64 + 4 * slot))
  const stored = bands.map(([, content]) =>
    Buffer.concat([content, Buffer.alloc(bandBytes - content.length)]),
  )
  return Buffer.concat([header, ...stored])
}

export interface HandEncryption {
  readonly password: string
  readonly keyBits: 128 | 256
  /** Old: 3DES wrap and blocks of 4096 bytes. */
  readonly isOld: boolean
  readonly rounds: number
}

/** The header of an encrypted image and what encrypts its blocks, derived with Node's crypto. */
export function handEncryption(how: HandEncryption): {
  header(plainBytes: number): Buffer
  encrypt(data: Buffer): Buffer
} {
  const aes = noiseOf('aes', how.keyBits / 8)
  const hmac = noiseOf('hmac', 20)
  const salt = noiseOf('salt', 20)
  const blockBytes = how.isOld ? 4096 : 512
  const dataOffset = how.isOld ? 0x1e000 : 0x1de00
  const kek = pbkdf2Sync(how.password, salt, how.rounds, 24, 'sha1')
  const iv = Buffer.alloc(how.isOld ? 8 : 16)
  iv.write('IVIVIVIV', 'latin1')
  const wrap = createCipheriv(how.isOld ? 'des-ede3-cbc' : 'aes-192-cbc', kek, iv)
  const blob = Buffer.concat([wrap.update(Buffer.concat([aes, hmac, Buffer.from('CKIE\0')])), wrap.final()])
  const header = (plainBytes: number): Buffer => {
    const bytes = Buffer.alloc(dataOffset)
    bytes.write('encrcdsa', 'latin1')
    const words: readonly (readonly [number, number])[] = [
      ...([
        [8, 2],
        [0x0c, 16],
        [0x10, 5],
        [0x14, 0x80000001],
        [0x18, how.keyBits],
        [0x1c, 0x5b],
      ] as const),
      ...([
        [0x20, 160],
        [0x34, blockBytes],
        [0x48, 1],
        [0x4c, 1],
        [0x60, 103],
        [0x68, how.rounds],
      ] as const),
      ...([
        [0x6c, 20],
        [0x90, 8],
        [0xb4, 192],
        [0xb8, how.isOld ? 17 : 0x80000001],
        [0xbc, 7],
        [0xc0, 6],
      ] as const),
      [0xc4, blob.length],
    ]
    for (const [at, value] of words) bytes.writeUInt32BE(value, at)
    bytes.writeBigUInt64BE(BigInt(plainBytes), 0x38)
    bytes.writeBigUInt64BE(BigInt(dataOffset), 0x40)
    bytes.writeBigUInt64BE(0x60n, 0x50)
    bytes.writeBigUInt64BE(0x268n, 0x58)
    salt.copy(bytes, 0x70)
    iv.copy(bytes, 0x94, 0, 8)
    blob.copy(bytes, 0xc8)
    return bytes
  }
  const encrypt = (data: Buffer): Buffer => {
    const blocks: Buffer[] = []
    for (let number = 0; number * blockBytes < data.length; number++) {
      const block = Buffer.alloc(blockBytes)
      data.copy(block, 0, number * blockBytes)
      const count = Buffer.alloc(4)
      count.writeUInt32BE(number)
      const blockIv = createHmac('sha1', hmac).update(count).digest().subarray(0, 16)
      const cipher = createCipheriv(`aes-${how.keyBits}-cbc`, aes, blockIv).setAutoPadding(false)
      blocks.push(cipher.update(block))
    }
    return Buffer.concat(blocks)
  }
  return { header, encrypt }
}

/** `Info.plist` of a bundle. */
export function bundlePlist(bandBytes: number | string, diskBytes: number | string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundleInfoDictionaryVersion</key>
	<string>6.0</string>
	<key>band-size</key>
	<integer>${bandBytes}</integer>
	<key>bundle-backingstore-version</key>
	<integer>1</integer>
	<key>diskimage-bundle-type</key>
	<string>com.apple.diskimage.sparsebundle</string>
	<key>size</key>
	<integer>${diskBytes}</integer>
</dict>
</plist>
`
}

/** A stored piece of a compressed image. */
export interface HandChunk {
  readonly type: number
  readonly sectors: number
  readonly stored: Buffer
}

/** A UDIF image by hand, with one block table and no checksums. */
export function udifImage(chunks: readonly HandChunk[]): Buffer {
  const data = Buffer.concat(chunks.map((chunk) => chunk.stored))
  const mish = Buffer.alloc(204 + 40 * (chunks.length + 1))
  const sectors = chunks.reduce((sum, chunk) => sum + chunk.sectors, 0)
  mish.write('mish', 'latin1')
  mish.writeUInt32BE(1, 4)
  mish.writeBigUInt64BE(BigInt(sectors), 16)
  mish.writeUInt32BE(chunks.length + 1, 200)
  let sector = 0
  let offset = 0
  const entries = [...chunks, { type: 0xffffffff, sectors: 0, stored: Buffer.alloc(0) }]
  entries.forEach((chunk, index) => {
    const at = 204 + 40 * index
    mish.writeUInt32BE(chunk.type, at)
    const numbers = [sector, chunk.sectors, offset, chunk.stored.length]
    numbers.forEach((number, place) => mish.writeBigUInt64BE(BigInt(number), at + 8 + 8 * place))
    sector += chunk.sectors
    offset += chunk.stored.length
  })
  const plist = Buffer.from(
    `<plist version="1.0"><dict><key>resource-fork</key><dict><key>blkx</key><array><dict><key>Data</key><data>${mish.toString('base64')}</data></dict></array></dict></dict></plist>`,
  )
  const koly = Buffer.alloc(512)
  koly.write('koly', 'latin1')
  koly.writeUInt32BE(4, 4)
  koly.writeUInt32BE(512, 8)
  koly.writeBigUInt64BE(BigInt(data.length), 32)
  koly.writeBigUInt64BE(BigInt(data.length), 216)
  koly.writeBigUInt64BE(BigInt(plist.length), 224)
  koly.writeBigUInt64BE(BigInt(sectors), 492)
  return Buffer.concat([data, plist, koly])
}
