/** The list of all volumes of a set. */
export const INDEX_NAME = 'INDEX.tsv'
/** The index of an encrypted set, itself encrypted; `INDEX.tsv` lists its archives alone. */
export const ENCRYPTED_INDEX_NAME = 'INDEX.7z'
/** The digests of all other files of a volume, as `sha256sum` reads them. */
export const SUMS_NAME = 'SHA256SUMS'
export const README_NAME = 'README.txt'
/** How to restore, in words. */
export const RESTORE_TEXT_NAME = 'RESTORE.txt'
/** The script that restores, of a POSIX shell. */
export const RESTORE_SCRIPT_NAME = 'RESTORE.sh'
/** The script that puts the parts of split files together. */
export const REJOIN_NAME = 'REJOIN.sh'
/** The facts that an image follows from and no other list has (`imageTsv`). */
export const IMAGE_NAME = 'IMAGE.tsv'
/** The list of the recovery files of a volume. */
export const RECOVERY_NAME = 'RECOVERY.tsv'
/** The script on volumes with recovery data that has par2 repair them. */
export const REPAIR_NAME = 'REPAIR.py'
/** The script that makes a lost disc again from the others and parity. */
export const REBUILD_NAME = 'REBUILD.py'
/** The list of the files that were left out of a volume; most volumes have none. */
export const SKIPPED_NAME = 'SKIPPED.tsv'
/** The folder of the second copies, at the end of an image. */
export const COPIES = 'copy'
