import {
  chmodSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { NameLimits } from '../../../domain/sets/naming/targetNames'
import { formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { KeptFacts } from '../../files/factsBack'
import {
  attempt,
  attemptAtOnce,
  cannot,
  fileFailure,
  fsPath,
  joinPath,
  lstatAt,
  namesIn,
} from '../../files/fileSystem'
import { largestFileBytes } from '../../files/largestFile'
import { writeNewFileAtOnce } from '../../files/write'
import { setAttribute } from '../../native/attributes'
import { setFileTimes } from '../../native/fileTimes'

/** The names and facts that a folder can hold, found by trying it. */
export interface TargetTraits extends KeptFacts {
  /** Null where names are bytes, as on most file systems of Linux. */
  readonly names: NameLimits | null
  readonly symlinks: boolean
  readonly hardLinks: boolean
  readonly largestFileBytes: number
}

/** The characters and names that Windows and its file systems refuse, each tried. */
const CONTROLS = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1))
const DOUBTFUL = [...CONTROLS, '"', '*', ':', '<', '>', '?', '\\', '|', '\x7f']
/** Not assigned to a character by Unicode; some file systems refuse these. */
const UNASSIGNED = '\u0378'
const LONGEST = 255
/** On disks that are encrypted name by name. */
const LONGEST_ENCRYPTED = 143
/** Odd in every unit that file systems round to. */
const TRIED_TIME_NS = 1_000_000_001_123_456_789n
/** From coarse to fine; FAT keeps two seconds. */
const STEPS_NS = [2_000_000_000n, 1_000_000_000n, 10_000_000n, 1_000_000n, 1000n, 100n] as const
/** An id that no user of this process has. */
const OTHER_ID = 54_321

/**
 * Tries what a folder can hold: names, links, permissions, owners, times.
 * @param scratch an empty folder; what is made in it is removed
 * @throws AppError `no-space`; `permission-denied`, … where not even a plain file can be made
 */
export function targetTraits(scratch: string): TargetTraits {
  return attemptAtOnce('write', scratch, () => traitsOf(scratch))
}

function traitsOf(scratch: string): TargetTraits {
  const trial = new Trial(scratch)
  const file = trial.plainFile()
  const traits = {
    names: trial.nameLimits(),
    symlinks: trial.symlinks(),
    hardLinks: trial.hardLinks(file),
    permissions: trial.permissions(file),
    owners: process.getuid?.() !== 0 || succeeds(() => lchownSync(fsPath(file), OTHER_ID, OTHER_ID)),
    attributes: succeeds(() => setAttribute(file, { name: 'user.stowage', value: '31' })),
    timeStepNs: trial.timeStepNs(file),
    largestFileBytes: largestFileBytes(statfsSync(fsPath(scratch)).type),
  }
  trial.end(file)
  return traits
}

/**
 * Requires of a temporary folder that members can be unpacked into it under their own names.
 * @throws AppError `refused` where it limits names, `no-space`
 */
export async function requireNamesAndSpace(folder: string, bytes: number): Promise<void> {
  const hint = said`set work-folder ("stowage config") to a folder on a disk of this system`
  if (targetTraits(folder).names !== null)
    throw cannot('refused', 'unpack in', folder, said`its file system cannot hold all names either; ${hint}`)
  const { bavail, bsize } = await attempt('read', folder, statfs(fsPath(folder)))
  const free = bavail * bsize
  if (free < bytes) {
    const because = said`${formatSize(bytes)} are needed and ${formatSize(free)} are free; ${hint} with enough space`
    throw cannot('no-space', 'unpack in', folder, because)
  }
}

class Trial {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  plainFile(): string {
    const path = joinPath(this.#folder, 'plain')
    writeNewFileAtOnce(path, Buffer.from('plain'), 0o600)
    return path
  }

  /** Removes the plain file and what the trials made. */
  end(file: string): void {
    attemptAtOnce('remove', file, () => unlinkSync(fsPath(file)))
    rmSync(fsPath(joinPath(this.#folder, 'names')), { recursive: true, force: true })
  }

  nameLimits(): NameLimits | null {
    const foldsCase = this.#areOne('case', 'CASE')
    const foldsAccents = this.#areOne('\u00e9', 'e\u0301')
    const holdsDoubtful = this.#holds(`a${DOUBTFUL.join('')}z`)
    const forbidden = new Set(holdsDoubtful ? [] : DOUBTFUL.filter((one) => !this.#holds(`a${one}z`)))
    const utf8Only = !this.#holds('a\udcffz')
    const cutsEnds = !(this.#holds('end.') && this.#holds('end '))
    const hasDevices = !(this.#holds('CON') && this.#holds('aux.txt'))
    const assignedOnly = !this.#holds(UNASSIGNED)
    const count = this.#holds('x'.repeat(LONGEST)) ? LONGEST : LONGEST_ENCRYPTED
    const of = this.#holds('\u5b57'.repeat(LONGEST)) ? 'utf16' : 'bytes'
    const isFree = ![foldsCase, foldsAccents, utf8Only, cutsEnds, hasDevices, assignedOnly].includes(true)
    if (isFree && forbidden.size === 0 && count === LONGEST) return null
    const longest = { count, of } as const
    return { foldsCase, foldsAccents, utf8Only, assignedOnly, forbidden, cutsEnds, hasDevices, longest }
  }

  symlinks(): boolean {
    const path = fsPath(joinPath(this.#folder, 'link'))
    return succeeds(() => {
      symlinkSync('no/where', path)
      const target = readlinkSync(path, 'utf8')
      unlinkSync(path)
      return target === 'no/where'
    })
  }

  hardLinks(file: string): boolean {
    const path = fsPath(joinPath(this.#folder, 'second'))
    return succeeds(() => {
      linkSync(fsPath(file), path)
      unlinkSync(path)
    })
  }

  permissions(file: string): boolean {
    return [0o640, 0o751, 0o600].every((mode) =>
      succeeds(() => {
        chmodSync(fsPath(file), mode)
        return (lstatSync(fsPath(file)).mode & 0o777) === mode
      }),
    )
  }

  timeStepNs(file: string): bigint {
    const isSet = succeeds(() => setFileTimes(file, { atimeNs: TRIED_TIME_NS, mtimeNs: TRIED_TIME_NS }))
    const kept = isSet ? lstatAt(file)?.mtimeNs : undefined
    if (kept === TRIED_TIME_NS) return 1n
    const [coarsest] = STEPS_NS
    return kept === undefined ? coarsest : (STEPS_NS.find((step) => kept % step === 0n) ?? 1n)
  }

  /** True when a file with one name is found by the other. */
  #areOne(name: string, other: string): boolean {
    const path = joinPath(this.#folder, name)
    return succeeds(() => {
      writeNewFileAtOnce(path, Buffer.alloc(0), 0o600)
      const isOne = lstatAt(joinPath(this.#folder, other)) !== null
      unlinkSync(fsPath(path))
      return isOne
    })
  }

  /** True when a file can get the name, and the folder then lists exactly this name. */
  #holds(name: string): boolean {
    const folder = joinPath(this.#folder, 'names')
    return succeeds(() => {
      mkdirSync(fsPath(folder), { recursive: true })
      const path = joinPath(folder, name)
      writeNewFileAtOnce(path, Buffer.alloc(0), 0o600)
      const isSame = namesIn(folder).includes(name)
      unlinkSync(fsPath(path))
      return isSame
    })
  }
}

/**
 * True when the work ends without an error, and not with `false`.
 * @throws an error of a full disk, which does not show what the target could hold
 */
function succeeds(work: () => unknown): boolean {
  try {
    return work() !== false
  } catch (thrown) {
    if (fileFailure(thrown, 'write', '').code === 'no-space') throw thrown
    return false
  }
}
