import { type Findings, SECTOR, type Sectors } from './sectors'

/**
 * What Rock Ridge (RRIP 1.10 and 1.12, over SUSP 1.12) says of a name.
 */
export interface RockRidge {
  readonly name: Buffer | null
  readonly mode: number | null
  readonly links: number
  /** 7 bytes of a directory record, or 17 of a volume descriptor. */
  readonly modified: Buffer | null
  readonly target: Buffer | null
  /** Where the folder is that this record stands for (a deep one that was moved). */
  readonly movedTo: number | null
  readonly isMoved: boolean
}

const POINTER = 28
const LONGEST_NAME = 255
const LONGEST_COMPONENT = 255

/** Reads the system use fields of one record, and those that it continues elsewhere. */
export class RockRidgeReader {
  /** Continuation areas: the bytes that each record has, to find those that two have. */
  readonly areas: { readonly start: number; readonly end: number; readonly by: string }[] = []

  readonly #sectors: Sectors
  readonly #findings: Findings

  constructor(sectors: Sectors, findings: Findings) {
    this.#sectors = sectors
    this.#findings = findings
  }

  /** @param isRootSelf of the root's own record, which begins the protocol */
  read(systemUse: Buffer, isRootSelf: boolean, what: string): RockRidge {
    const found = new Collected()
    const require = (holds: boolean, text: () => string): void =>
      this.#findings.require(holds, () => `ISO: ${what}: ${text()}`)
    if (isRootSelf) {
      const isProtocol = systemUse.subarray(0, 7).equals(Buffer.from([0x53, 0x50, 7, 1, 0xbe, 0xef, 0]))
      require(isProtocol, () => 'the root does not begin with SP')
    }
    let isExtended = false
    let area: Buffer | null = systemUse
    for (let turn = 0; area !== null && turn < 1000; turn++) {
      const bytes: Buffer = area
      let next: Buffer | null = null
      for (let at = 0; at < bytes.length; ) {
        // What is left may be one byte of padding, or zeros behind the fields.
        if (bytes.length - at < 4 || bytes[at] === 0) {
          require(bytes.subarray(at).every((byte) => byte === 0), () => 'bytes behind the fields')
          break
        }
        const signature = bytes.subarray(at, at + 2).toString('latin1')
        const length = bytes[at + 2] as number
        require(length >= 4 && at + length <= bytes.length, () => `${signature} of ${length} bytes`)
        if (length < 4 || at + length > bytes.length) break
        const field = bytes.subarray(at, at + length)
        require(field[3] === 1, () => `${signature}: version ${field[3]}`)
        at += length
        if (signature === 'ST') break
        if (signature === 'CE') {
          require(next === null && length === POINTER, () => 'a second CE, or not of 28 bytes')
          next = this.#continuation(field, what)
          continue
        }
        if (signature === 'ER') {
          const [id, text, source] = [field[4] as number, field[5] as number, field[6] as number]
          require(length === 8 + id + text + source, () => `ER of ${length} bytes`)
          const identifier = field.subarray(8, 8 + id).toString('latin1')
          require(/^(RRIP_1991A|IEEE_P1282|IEEE_1282)$/.test(identifier), () => `ER "${identifier}"`)
          require(isRootSelf && !isExtended, () => 'ER twice, or not of the root')
          isExtended = true
          continue
        }
        if (signature === 'SP')
          require(isRootSelf && bytes === systemUse && field.equals(bytes.subarray(0, 7)), () =>
            'SP at another place')
        const wrong = found.add(signature, field)
        require(wrong === null, () => `${signature}: ${wrong}`)
      }
      area = next
    }
    if (isRootSelf) require(isExtended, () => 'no ER')
    for (const wrong of found.unfinished()) require(false, () => wrong)
    return found
  }

  #continuation(field: Buffer, what: string): Buffer {
    const [sector, at, bytes] = [4, 12, 20].map((place) => field.readUInt32LE(place)) as [
      number,
      number,
      number,
    ]
    const isWell =
      [4, 12, 20].every((place) => field.readUInt32LE(place) === field.readUInt32BE(place + 4)) &&
      bytes > 0 &&
      at + bytes <= SECTOR &&
      sector < this.#sectors.count
    this.#findings.require(isWell, () => `ISO: ${what}: CE of ${bytes} bytes at ${at} of sector ${sector}`)
    if (!isWell) return Buffer.alloc(0)
    this.areas.push({ start: sector * SECTOR + at, end: sector * SECTOR + at + bytes, by: what })
    return Buffer.from(this.#sectors.read(sector).subarray(at, at + bytes))
  }
}

/** The fields of one record as they are read. */
class Collected implements RockRidge {
  mode: number | null = null
  links = 0
  modified: Buffer | null = null
  movedTo: number | null = null
  isMoved = false
  #name: Buffer[] | null = null
  #nameGoesOn = false
  #target: Buffer[] | null = null
  #targetGoesOn = false
  #componentGoesOn = false

  get name(): Buffer | null {
    return this.#name && Buffer.concat(this.#name)
  }
  get target(): Buffer | null {
    return this.#target && Buffer.concat(this.#target)
  }

  /** @returns what is wrong with the field */
  add(signature: string, field: Buffer): string | null {
    const both = (at: number): boolean => field.readUInt32LE(at) === field.readUInt32BE(at + 4)
    if (signature === 'SP' || signature === 'RR' || signature === 'PD') return null
    if (signature === 'PX') {
      if (field.length !== 36 && field.length !== 44) return `${field.length} bytes`
      if (this.mode !== null) return 'there are two'
      this.mode = field.readUInt32LE(4)
      this.links = field.readUInt32LE(12)
      const places = field.length === 44 ? [4, 12, 20, 28, 36] : [4, 12, 20, 28]
      return places.every(both) && this.links > 0 ? null : 'the two orders of bytes differ, or no link'
    }
    if (signature === 'TF') return this.#times(field)
    if (signature === 'NM') return this.#namePiece(field)
    if (signature === 'SL') return this.#targetPiece(field)
    if (signature === 'CL' || signature === 'PL') {
      if (signature === 'CL') this.movedTo = field.readUInt32LE(4)
      return field.length === 12 && both(4) ? null : `${field.length} bytes`
    }
    if (signature === 'RE') {
      this.isMoved = true
      return null
    }
    return 'unknown'
  }

  unfinished(): string[] {
    const wrong: string[] = []
    if (this.#nameGoesOn) wrong.push('NM goes on, but there is no further one')
    if (this.#targetGoesOn || this.#componentGoesOn) wrong.push('SL goes on, but there is no further one')
    if (this.mode === null) wrong.push('no PX')
    if (this.modified === null) wrong.push('no TF with the last change')
    if (this.name !== null && (this.name.length === 0 || this.name.length > LONGEST_NAME))
      wrong.push('length of NM')
    return wrong
  }

  /** Times in the order of the bits: creation, modification, access, attributes, backup, … */
  #times(field: Buffer): string | null {
    const flags = field[4] as number
    const size = (flags & 0x80) === 0 ? 7 : 17
    const count = [0, 1, 2, 3, 4, 5, 6].filter((bit) => (flags & (1 << bit)) !== 0).length
    if (field.length !== 5 + count * size) return `${field.length} bytes for ${count} times`
    if ((flags & 2) !== 0) {
      const at = 5 + (flags & 1) * size
      this.modified = Buffer.from(field.subarray(at, at + size))
    }
    for (let at = 5; at < field.length; at += size)
      if (!isDate(field.subarray(at, at + size))) return 'a date'
    return null
  }

  #namePiece(field: Buffer): string | null {
    const flags = field[4] as number
    if ((flags & ~1) !== 0) return `flags ${flags}`
    if (this.#name !== null && !this.#nameGoesOn) return 'a second name'
    const piece = Buffer.from(field.subarray(5))
    if (piece.includes(0) || piece.includes(0x2f)) return 'NUL or a slash'
    this.#name = [...(this.#name ?? []), piece]
    this.#nameGoesOn = flags === 1
    return null
  }

  /** Components: flags, a length, and as many bytes. */
  #targetPiece(field: Buffer): string | null {
    const flags = field[4] as number
    if ((flags & ~1) !== 0) return `flags ${flags}`
    if (this.#target !== null && !this.#targetGoesOn) return 'a second target'
    this.#target ??= []
    this.#targetGoesOn = flags === 1
    for (let at = 5; at < field.length; ) {
      const [kind, length] = [field[at] as number, field[at + 1] ?? LONGEST_COMPONENT + 1]
      if (at + 2 + length > field.length) return `a component of ${length} bytes`
      if (![0, 1, 2, 4, 8].includes(kind)) return `component flags ${kind}`
      if (kind > 1 && length > 0) return 'a component with flags and a name'
      const text =
        kind === 2 ? '.' : kind === 4 ? '..' : kind === 8 ? '' : field.subarray(at + 2, at + 2 + length)
      if (typeof text !== 'string' && (text.includes(0) || text.includes(0x2f))) return 'NUL or a slash'
      if (this.#target.length > 0 && !this.#componentGoesOn) this.#target.push(Buffer.from('/'))
      this.#target.push(Buffer.from(text))
      if (kind === 8) this.#target.push(Buffer.from(''))
      this.#componentGoesOn = kind === 1
      at += 2 + length
    }
    return null
  }
}

/** True for a well formed date: 7 bytes (9.1.5), or 17 with digits (8.4.26.1), or none at all. */
export function isDate(bytes: Buffer): boolean {
  const zone = bytes.readInt8(bytes.length - 1)
  if (zone < -48 || zone > 52) return false
  if (bytes.length === 7) {
    const [, month, day, hour, minute, second] = [...bytes] as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    if (bytes.every((byte) => byte === 0)) return true
    return isCalendar([1900 + (bytes[0] as number), month, day, hour, minute, second])
  }
  const text = bytes.subarray(0, 16).toString('latin1')
  if (!/^\d{16}$/.test(text)) return false
  if (/^0{16}$/.test(text)) return zone === 0
  const [year, ...rest] = [text.slice(0, 4), ...(text.slice(4, 14).match(/../g) ?? [])].map(Number)
  return isCalendar([year as number, ...rest] as Calendar)
}

type Calendar = [year: number, month: number, day: number, hour: number, minute: number, second: number]

function isCalendar([year, month, day, hour, minute, second]: Calendar): boolean {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || year < 1) return false
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return day <= last.getUTCDate()
}

/** Seconds since 1970 of a well formed date. */
export function secondsOf(bytes: Buffer): number {
  const parts =
    bytes.length === 7
      ? ([1900 + (bytes[0] as number), ...bytes.subarray(1, 6)] as number[])
      : [bytes.subarray(0, 4).toString(), ...(bytes.subarray(4, 14).toString().match(/../g) ?? [])].map(
          Number,
        )
  const [year, month, day, hour, minute, second] = parts as Calendar
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - 15 * bytes.readInt8(bytes.length - 1), second)
  return date.getTime() / 1000
}
