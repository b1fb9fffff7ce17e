import { z } from 'zod'

/** The identity of a file system, whatever path leads to it. */
export const fileSystemSchema = z.object({
  /** Its UUID or serial number where the system tells it, else what names it on this machine. */
  id: z.string(),
  /** The disk that it is on; null where the system does not tell it. */
  disk: z.string().nullable(),
  /** Where it was mounted. */
  mountPoint: z.string(),
})
export type FileSystemIdentity = z.infer<typeof fileSystemSchema>
