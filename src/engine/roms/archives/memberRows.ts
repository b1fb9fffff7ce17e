import type { HeaderDetector } from '../../../domain/roms/headerDetectors'
import type { WantedFiles } from '../../../domain/roms/wantedFiles'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { type KnownContents, MemberContents, UNREAD } from '../fileContents'
import type { Found } from '../found'
import { archiveKind, isUnopenedKind } from './archiveKind'
import type { ArchiveMember, MemberSink, MemberSinks } from './archiveMember'

/** The archive, and what its members are compared with. */
export interface OpenedArchive {
  readonly path: string
  /** The folders above it, and its name without the ending. */
  readonly folders: readonly string[]
  readonly wanted: WantedFiles
  readonly detectors: readonly HeaderDetector[]
  /** Bytes whose checksums were computed since the last call. */
  readonly onBytes: (bytes: number) => void
  /** Notes a path that cannot be read, with the reason. */
  readonly skip: (path: string, thrown: unknown) => void
}

/** Finds out the contents of an archive's members as they come. */
export class MemberRows implements MemberSinks {
  readonly #archive: OpenedArchive
  readonly #rows: Found[] = []
  readonly #places = new Map<string, number>()
  readonly #hidden = { encrypted: 0, sparse: 0 }

  constructor(archive: OpenedArchive) {
    this.#archive = archive
  }

  begin(member: ArchiveMember): MemberSink | null {
    const { path, wanted, detectors, onBytes, skip } = this.#archive
    const { name } = member
    const at = this.#rows.length
    this.#places.set(name, at)
    if (member.hidden) {
      this.#hidden[member.hidden]++
      this.#put(at, member, null)
      return null
    }
    const content = new MemberContents(member, wanted, detectors)
    if (!content.isNeeded) {
      this.#put(at, member, content.known())
      return null
    }
    this.#put(at, member, null)
    return {
      update(piece) {
        content.update(piece)
        onBytes(piece.length)
      },
      end: () => {
        if (!content.isAsStated)
          throw cannot('bad-input', 'read', path, said`"${name}" in it is not what the archive states`)
        this.#put(at, member, content.known())
      },
      fail: (thrown) => skip(path, thrown),
    }
  }

  link(name: string, target: string): void {
    const row = this.#rows[this.#places.get(target) ?? -1]
    if (!row) return
    this.#places.set(name, this.#rows.length)
    this.#rows.push({ ...row, member: name, parts: this.#partsOf(name) })
  }

  /** The members, once all have come. */
  rows(): readonly Found[] {
    const { path, skip } = this.#archive
    const { encrypted, sparse } = this.#hidden
    const all = this.#rows.length
    const refuse = (because: string): void => skip(path, cannot('bad-input', 'read', path, because))
    if (encrypted > 0) refuse(said`${encrypted} of ${all} files in it are encrypted`)
    if (sparse > 0) refuse(said`${sparse} of ${all} files in it are stored with holes`)
    return this.#rows
  }

  #put(at: number, { name, bytes }: ArchiveMember, known: KnownContents | null): void {
    const { path, wanted } = this.#archive
    const isNested = archiveKind(name) !== null || isUnopenedKind(name)
    this.#rows[at] = {
      ...(known ?? UNREAD),
      path,
      member: name,
      parts: this.#partsOf(name),
      isMember: true,
      bytes,
      isUnopened: !known || (isNested && !known.contents.some((content) => wanted.hasContent(content))),
    }
  }

  #partsOf(name: string): string[] {
    return [...this.#archive.folders, ...name.split('/').filter((part) => part !== '')]
  }
}
