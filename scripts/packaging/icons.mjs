import { readFileSync } from 'node:fs'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * The sizes in which desktops show an icon, as PNG, by width; each pixel is the mean of the area
 * that it covers in the picture.
 * @param {string} file a square PNG with 8 bits of red, green, blue and alpha
 * @param {readonly number[]} sizes
 * @returns {Map<number, Buffer>}
 */
export function iconsOf(file, sizes) {
  const picture = decoded(readFileSync(file), file)
  return new Map(sizes.map((size) => [size, encoded(scaled(picture, size))]))
}

/** An icon of Windows that holds these PNGs. */
export function ico(icons) {
  const entries = [...icons]
  const head = Buffer.alloc(6 + 16 * entries.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(entries.length, 4)
  let at = head.length
  for (const [index, [size, png]] of entries.entries()) {
    const entry = 6 + 16 * index
    // 0 means 256.
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([head, ...entries.map(([, png]) => png)])
}

const ICNS_TYPES = { 16: 'icp4', 32: 'icp5', 64: 'icp6', 128: 'ic07', 256: 'ic08', 512: 'ic09' }

/** An icon of macOS that holds those of these PNGs for which it has a type. */
export function icns(icons) {
  const parts = [...icons]
    .filter(([size]) => ICNS_TYPES[size] !== undefined)
    .flatMap(([size, png]) => [Buffer.from(ICNS_TYPES[size]), uint32(png.length + 8), png])
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from('icns'), uint32(body.length + 8), body])
}

function decoded(png, file) {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  const size = header?.readUInt32BE(0)
  if (header?.readUInt32BE(4) !== size || header?.[8] !== 8 || header[9] !== 6 || header[12] !== 0)
    throw new Error(`${file} is no square PNG with 8 bits of red, green, blue and alpha`)
  const raw = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)))
  const stride = size * 4
  const pixels = Buffer.alloc(stride * size)
  for (let row = 0; row < size; row++) {
    const filter = raw[row * (stride + 1)]
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column
      const left = column < 4 ? 0 : pixels[at - 4]
      const up = row === 0 ? 0 : pixels[at - stride]
      const corner = column < 4 || row === 0 ? 0 : pixels[at - stride - 4]
      const predicted = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter]
      pixels[at] = raw[row * (stride + 1) + 1 + column] + predicted
    }
  }
  return { size, pixels }
}

/** The predictor of Paeth: the neighbour that is nearest to left + up − corner. */
function nearest(left, up, corner) {
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function chunksOf(png) {
  const chunks = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
  }
  return chunks
}

function scaled({ size, pixels }, wanted) {
  const result = Buffer.alloc(wanted * wanted * 4)
  const covers = Array.from({ length: wanted }, (_, index) => cover(index, size / wanted))
  for (let row = 0; row < wanted; row++) {
    for (let column = 0; column < wanted; column++) {
      const sum = [0, 0, 0, 0]
      let area = 0
      for (const [y, height] of covers[row]) {
        for (const [x, width] of covers[column]) {
          const at = (y * size + x) * 4
          const weight = height * width
          const alpha = pixels[at + 3] * weight
          for (let colour = 0; colour < 3; colour++) sum[colour] += pixels[at + colour] * alpha
          sum[3] += alpha
          area += weight
        }
      }
      const at = (row * wanted + column) * 4
      for (let colour = 0; colour < 3; colour++)
        result[at + colour] = sum[3] === 0 ? 0 : Math.round(sum[colour] / sum[3])
      result[at + 3] = Math.round(sum[3] / area)
    }
  }
  return { size: wanted, pixels: result }
}

/** The source pixels that pixel `index` covers along one axis, each with the part of it. */
function cover(index, ratio) {
  const [from, to] = [index * ratio, (index + 1) * ratio]
  const parts = []
  for (let at = Math.floor(from); at < to; at++) parts.push([at, Math.min(at + 1, to) - Math.max(at, from)])
  return parts.filter(([, part]) => part > 1e-9)
}

function encoded({ size, pixels }) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6], 8)
  const rows = Array.from({ length: size }, (_, row) => [
    Buffer.of(0),
    pixels.subarray(row * size * 4, (row + 1) * size * 4),
  ])
  const data = deflateSync(Buffer.concat(rows.flat()), { level: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
