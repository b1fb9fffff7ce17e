/** DATs that are written: of the complete ROM sets, and of what the others lack. */
export const WRITTEN_KINDS = ['have', 'missing'] as const
export type WrittenKind = (typeof WRITTEN_KINDS)[number]
