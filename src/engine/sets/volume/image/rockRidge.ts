import { AppError } from '../../../../primitives/appError'
import { said } from '../../../../primitives/said'

/** The names that Rock Ridge adds to a directory record. */
interface SystemUse {
  /** The true name, null when the record has none. */
  readonly name: Uint8Array | null
  /** Components of a symbolic link's target, null when it is none. */
  readonly target: readonly TargetComponent[] | null
}

interface TargetComponent {
  readonly flags: number
  readonly content: Uint8Array
}

/** Reads a continuation area: block of 2,048 bytes, offset in it, length. */
type ReadArea = (block: number, offset: number, length: number) => Promise<Uint8Array>

const MAX_AREAS = 64
const COMPONENT_CONTINUES = 1
const COMPONENT_HERE = 2
const COMPONENT_PARENT = 4
const COMPONENT_ROOT = 8

/**
 * Collects NM and SL fields of a record's system use area and of its continuation areas (IEEE P1281
 * SUSP 5.1 "CE", P1282 RRIP 4.1.3 "SL" and 4.1.4 "NM").
 * @throws AppError `verification-failed` for fields that cannot be
 */
export async function readSystemUse(area: Uint8Array, readArea: ReadArea): Promise<SystemUse> {
  const names: Uint8Array[] = []
  const components: TargetComponent[] = []
  let hasName = false
  let hasTarget = false
  let current: Uint8Array | null = area
  for (let areas = 0; current !== null; areas++) {
    if (areas > MAX_AREAS) throw damaged()
    const fields: Uint8Array = current
    current = null
    let offset = 0
    while (offset + 4 <= fields.length) {
      const signature = String.fromCharCode(fields[offset] as number, fields[offset + 1] as number)
      const length = fields[offset + 2] as number
      if (length === 0 && signature.charCodeAt(0) === 0) break
      if (length < 4 || offset + length > fields.length) throw damaged()
      const field = fields.subarray(offset, offset + length)
      offset += length
      if (signature === 'ST') break
      if (signature === 'NM' && length >= 5) {
        hasName = true
        names.push(field.subarray(5))
      } else if (signature === 'SL' && length >= 5) {
        hasTarget = true
        addComponents(field.subarray(5), components)
      } else if (signature === 'CE' && length >= 28) {
        const view = new DataView(field.buffer, field.byteOffset, field.byteLength)
        current = await readArea(view.getUint32(4, true), view.getUint32(12, true), view.getUint32(20, true))
      }
    }
  }
  return { name: hasName ? joined(names) : null, target: hasTarget ? components : null }
}

function addComponents(records: Uint8Array, components: TargetComponent[]): void {
  let offset = 0
  while (offset + 2 <= records.length) {
    const flags = records[offset] as number
    const length = records[offset + 1] as number
    if (offset + 2 + length > records.length) throw damaged()
    const content = records.subarray(offset + 2, offset + 2 + length)
    offset += 2 + length
    const last = components.at(-1)
    if (last && (last.flags & COMPONENT_CONTINUES) !== 0) {
      components[components.length - 1] = { flags, content: joined([last.content, content]) }
    } else components.push({ flags, content })
  }
}

/**
 * The target as a path. Rock Ridge keeps names, `.`, `..` and the root, but no doubled or trailing
 * slashes.
 */
export function joinedTarget(components: readonly TargetComponent[]): Uint8Array {
  const slash = Buffer.from('/')
  const pieces: Uint8Array[] = []
  let isFirst = true
  for (const { flags, content } of components) {
    if ((flags & COMPONENT_ROOT) !== 0) {
      pieces.push(slash)
      isFirst = true
      continue
    }
    if (!isFirst) pieces.push(slash)
    isFirst = false
    if ((flags & COMPONENT_PARENT) !== 0) pieces.push(Buffer.from('..'))
    else if ((flags & COMPONENT_HERE) !== 0) pieces.push(Buffer.from('.'))
    else pieces.push(content)
  }
  return joined(pieces)
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(pieces)
}

function damaged(): AppError {
  return new AppError('verification-failed', said`cannot read the image: it has a damaged Rock Ridge field`)
}
