/** How many bytes an entry of a deduplication table takes, by whose word. */
interface TableFormat {
  /** Permanent. */
  readonly id: 'classic' | 'openzfs-traditional' | 'openzfs-flat'
  readonly entryBytes: number
  readonly source: string
}

/**
 * The memory of a table's entry by format; people may set their own figure. The actual memory of a
 * pool is in `zpool status -D` ("size … in core"): it counts the table's blocks as they are cached,
 * and 141 to 302 bytes an entry were reported of traditional tables (issues 2083 and 7323 of
 * openzfs/zfs).
 */
export const TABLE_FORMATS: readonly TableFormat[] = [
  {
    id: 'classic',
    entryBytes: 320,
    source: 'the rule of thumb of administration guides since the first ZFS with deduplication',
  },
  {
    id: 'openzfs-traditional',
    entryBytes: 296,
    source: 'OpenZFS, include/sys/ddt.h: key of 40 bytes (ddt_key_t), value of 256 (ddp_trad)',
  },
  {
    id: 'openzfs-flat',
    entryBytes: 112,
    source: 'OpenZFS 2.3, include/sys/ddt.h: key of 40 bytes (ddt_key_t), value of 72 (ddp_flat)',
  },
]

/** The figure that is shown first. */
export const DEFAULT_ENTRY_BYTES = 320

/** Memory of a table in bytes. */
export function tableBytes(entries: number, entryBytes: number): number {
  return entries * entryBytes
}
