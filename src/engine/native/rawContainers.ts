/**
 * Read-write image, sparse image, sparse bundle; UDIF is a read-only one (UDZO), made only by
 * converting.
 */
export type ContainerKind = 'UDRW' | 'UDSP' | 'UDSB' | 'UDIF'

export interface EncryptionFacts {
  readonly keyBits: number
  readonly blockBytes: number
  readonly rounds: number
  /** False for images whose key is wrapped by 3DES, true for AES. */
  readonly current: boolean
}

export interface ContainerInfo {
  readonly kind: ContainerKind
  readonly bytes: number
  /** 0 where there are no bands. */
  readonly bandBytes: number
  readonly bandsStored: number
  readonly allocatedBytes: number
  readonly writable: boolean
  readonly encryption: EncryptionFacts | null
  /** The compression of a read-only image's chunks, such as `zlib`. */
  readonly methods: readonly string[]
  /** True when the system let all keys be locked in memory. */
  readonly keysLocked: boolean
}

export interface VerifyReport {
  readonly bytesRead: number
  /** One plain line each; none means that all is well. */
  readonly problems: readonly string[]
}

/**
 * The addon's own form of work on a container. `finished` rejects with an Error whose `code` is an
 * AppErrorCode.
 */
export interface RawContainerJob<T> {
  bytesDone(): number
  bytesTotal(): number
  cancel(): void
  readonly finished: Promise<T>
}

export interface RawContainerWish {
  readonly kind: ContainerKind
  readonly bytes: number
  readonly bandBytes: number
  readonly password: Uint8Array | null
  readonly keyBits: number
  readonly rounds: number
}

export interface RawContainer {
  info(): RawContainerJob<ContainerInfo>
  read(offset: number, length: number): RawContainerJob<Buffer>
  write(offset: number, bytes: Uint8Array): RawContainerJob<void>
  flush(): RawContainerJob<void>
  resize(bytes: number): RawContainerJob<void>
  compact(): RawContainerJob<void>
  verify(): RawContainerJob<VerifyReport>
  /**
   * `ranges`: offset and length of each; null for the whole disk as one. Resolves with the
   * nanoseconds of each.
   */
  pass(
    writes: boolean,
    requestBytes: number,
    flushBytes: number,
    seed: number,
    ranges: Float64Array | null,
  ): RawContainerJob<Float64Array>
  close(): RawContainerJob<void>
}

/**
 * The exports of `stowage.node` for containers. Wrong arguments throw TypeError; passwords are
 * copied at once.
 */
export interface RawContainers {
  createContainer(path: Uint8Array, wish: RawContainerWish): RawContainerJob<void>
  openContainer(
    path: Uint8Array,
    writable: boolean,
    password: Uint8Array | null,
  ): RawContainerJob<RawContainer>
  containerEncryption(path: Uint8Array): RawContainerJob<EncryptionFacts | null>
  changeContainerPassword(
    path: Uint8Array,
    before: Uint8Array,
    after: Uint8Array,
    rounds: number,
  ): RawContainerJob<void>
  convertContainer(
    source: Uint8Array,
    sourcePassword: Uint8Array | null,
    target: Uint8Array,
    wish: RawContainerWish,
    level: number,
  ): RawContainerJob<void>
  rebandBundle(
    path: Uint8Array,
    beside: Uint8Array,
    password: Uint8Array | null,
    bandBytes: number,
  ): RawContainerJob<void>
  dropCachedPages(
    path: Uint8Array,
  ): RawContainerJob<{ readonly checkedBytes: number; readonly residentBytes: number | null }>
}
