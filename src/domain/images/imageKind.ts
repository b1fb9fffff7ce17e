/**
 * The kinds of image that Stowage writes. The names are Apple's own and permanent: they are in
 * documents and scripts.
 */
export const IMAGE_KINDS = ['UDRW', 'UDSP', 'UDSB', 'UDZO'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]
