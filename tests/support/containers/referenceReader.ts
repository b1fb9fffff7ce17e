import { createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

/**
 * A second reader of disk images, slow and plain, written from the layout alone and sharing nothing with the native one:
 * what both agree on is what the format says.
 */

interface Keys {
  readonly aes: Buffer
  readonly hmac: Buffer
  readonly blockBytes: number
  readonly plainBytes: number
  readonly dataOffset: number
}

/** Opens an `encrcdsa` header of either generation with its first passphrase item. */
function unlockHeader(file: Buffer, password: Buffer): Keys {
  if (file.toString('latin1', 0, 8) !== 'encrcdsa') throw new Error('no encryption header')
  const item = file.subarray(Number(file.readBigUInt64BE(0x50)))
  const salt = item.subarray(0x10, 0x10 + item.readUInt32BE(0x0c))
  const kek = pbkdf2Sync(password, salt, item.readUInt32BE(8), 24, 'sha1')
  const isOld = item.readUInt32BE(0x58) === 17
  const iv = Buffer.alloc(isOld ? 8 : 16)
  item.copy(iv, 0, 0x34, 0x3c)
  const decipher = createDecipheriv(isOld ? 'des-ede3-cbc' : 'aes-192-cbc', kek, iv)
  const plain = Buffer.concat([
    decipher.update(item.subarray(0x68, 0x68 + item.readUInt32BE(0x64))),
    decipher.final(),
  ])
  const keyBytes = file.readUInt32BE(0x18) / 8
  if (plain.toString('latin1', keyBytes + 20) !== 'CKIE\0') throw new Error('wrong password')
  return {
    aes: plain.subarray(0, keyBytes),
    hmac: plain.subarray(keyBytes, keyBytes + 20),
    blockBytes: file.readUInt32BE(0x34),
    plainBytes: Number(file.readBigUInt64BE(0x38)),
    dataOffset: Number(file.readBigUInt64BE(0x40)),
  }
}

function decryptBlocks(data: Buffer, keys: Keys): Buffer {
  const blocks: Buffer[] = []
  for (let number = 0; (number + 1) * keys.blockBytes <= data.length; number++) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(number)
    const iv = createHmac('sha1', keys.hmac).update(count).digest().subarray(0, 16)
    const decipher = createDecipheriv(`aes-${keys.aes.length * 8}-cbc`, keys.aes, iv).setAutoPadding(false)
    blocks.push(decipher.update(data.subarray(number * keys.blockBytes, (number + 1) * keys.blockBytes)))
  }
  return Buffer.concat(blocks)
}

function readSparseImage(file: Buffer): Buffer {
  const bandBytes = file.readUInt32BE(8) * 512
  const disk = Buffer.alloc(Number(file.readBigUInt64BE(28)) * 512)
  let node = 0
  let table = 64
  let slots = 1008
  let next = Number(file.readBigUInt64BE(20))
  for (;;) {
    for (let slot = 0; slot < slots; slot++) {
      const value = file.readUInt32BE(node + table + slot * 4)
      const start = node + 4096 + slot * bandBytes
      if (value > 0) file.copy(disk, (value - 1) * bandBytes, start, start + bandBytes)
    }
    if (next === 0) return disk
    node = next
    table = 56
    slots = 1010
    next = Number(file.readBigUInt64BE(node + 12))
  }
}

function readUdif(file: Buffer): Buffer {
  const koly = file.subarray(file.length - 512)
  const disk = Buffer.alloc(Number(koly.readBigUInt64BE(492)) * 512)
  const start = Number(koly.readBigUInt64BE(216))
  const plist = file.toString('utf8', start, start + Number(koly.readBigUInt64BE(224)))
  const tables = /<key>blkx<\/key>([\s\S]*?)<\/array>/.exec(plist)?.[1] ?? ''
  for (const [, base64] of tables.matchAll(/<data>([\s\S]*?)<\/data>/g)) {
    const mish = Buffer.from(base64 ?? '', 'base64')
    for (let entry = 204; entry < mish.length; entry += 40) {
      const type = mish.readUInt32BE(entry)
      const at = Number(mish.readBigUInt64BE(8) + mish.readBigUInt64BE(entry + 8)) * 512
      const offset = Number(
        mish.readBigUInt64BE(24) + mish.readBigUInt64BE(entry + 24) + koly.readBigUInt64BE(24),
      )
      const stored = file.subarray(offset, offset + Number(mish.readBigUInt64BE(entry + 32)))
      if (type === 1) stored.copy(disk, at)
      if (type === 0x80000005) inflateSync(stored).copy(disk, at)
    }
  }
  return disk
}

function numberOf(plist: string, key: string): number {
  return Number(new RegExp(`<key>${key}</key>\\s*<integer>(\\d+)</integer>`).exec(plist)?.[1])
}

function readBundle(folder: string, password: Buffer): Buffer {
  const plist = readFileSync(join(folder, 'Info.plist'), 'utf8')
  const bandBytes = numberOf(plist, 'band-size')
  const disk = Buffer.alloc(numberOf(plist, 'size'))
  const token = readFileSync(join(folder, 'token'))
  const keys = token.length > 0 ? unlockHeader(token, password) : null
  for (let band = 0; band * bandBytes < disk.length; band++) {
    const path = join(folder, 'bands', band.toString(16))
    if (!existsSync(path)) continue
    const stored = readFileSync(path).subarray(0, bandBytes)
    const plain = keys === null ? stored : decryptBlocks(stored, keys)
    plain.copy(disk, band * bandBytes)
  }
  return disk
}

/** The disk in a container of any kind. */
export function readReference(path: string, kind: 'UDSB' | 'image', password = Buffer.alloc(0)): Buffer {
  if (kind === 'UDSB') return readBundle(path, password)
  let file: Buffer = readFileSync(path)
  if (file.toString('latin1', 0, 8) === 'encrcdsa') {
    const keys = unlockHeader(file, password)
    file = decryptBlocks(file.subarray(keys.dataOffset), keys).subarray(0, keys.plainBytes)
  }
  if (file.toString('latin1', 0, 4) === 'sprs') return readSparseImage(file)
  if (file.length >= 512 && file.toString('latin1', file.length - 512, file.length - 508) === 'koly')
    return readUdif(file)
  return file
}
