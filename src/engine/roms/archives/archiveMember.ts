/** A file in an archive, as the archive's directory describes it. */
export interface ArchiveMember {
  /** As it is written there, with `/` between folders. */
  readonly name: string
  readonly bytes: number
  /** The CRC-32 of the content that the archive states, in hex; null where it states none. */
  readonly crc: string | null
  /** Why its content cannot be had; null where it can. */
  readonly hidden: 'encrypted' | 'sparse' | null
}

/** Takes the content of a member. */
export interface MemberSink {
  /** A piece, which is there until this has returned. */
  update(piece: Uint8Array): void
  /**
   * The content has come whole.
   * @throws AppError `bad-input` where it is not the one that the archive states
   */
  end(): void
  /** It cannot be read; the members after it can. */
  fail(thrown: unknown): void
}

/** Takes the members of an archive, in its order. */
export interface MemberSinks {
  /** A member; null where its content is not needed. */
  begin(member: ArchiveMember): MemberSink | null
  /** A further name of a member that came before. */
  link(name: string, target: string): void
}

/** An archive of more members is refused. */
export const MOST_MEMBERS = 1_000_000
