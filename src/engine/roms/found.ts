import type { FoundFile } from '../../domain/roms/judgeFiles'
import type { JudgedFile } from '../../domain/roms/romsDocument'

/** A file, or a member of an archive, with its contents. */
export interface Found extends FoundFile, Pick<JudgedFile, 'path' | 'member' | 'known'> {
  /** An archive that is not opened, or what could not be read: nothing can be said of it. */
  readonly isUnopened: boolean
}
