import {
  descriptionName,
  recoveryName,
  type VolumeProtection,
} from '../../../../domain/sets/protection/volumeProtection'
import { IMAGE_NAME, RECOVERY_NAME } from '../planned/ownNames'

/** True where the lists with such names have a second copy. */
export function haveCopies(names: { has(name: string): boolean }): boolean {
  return names.has(RECOVERY_NAME) || names.has(IMAGE_NAME)
}

const NAME = /^(.+)\/recovery-\d+(\.vol0\+\d+)?\.par2$/

/** True for a recovery file of a volume whose lists name such files. */
export function isRecoveryFile(path: string, lists: { has(path: string): boolean }): boolean {
  const [, own] = NAME.exec(path) ?? []
  return own !== undefined && lists.has(`${own}/${RECOVERY_NAME}`)
}

const SECTOR = 2048
/** Its first line. */
export const RECOVERY_HEAD =
  '# Recovery files of this disc: first sector of 2,048 bytes, length at most, name.'
const DIGITS = { sector: 10, bytes: 16 }
const LINE = /^(\d{10})\t(\d{16})\t(recovery-\d+\.[^\t/]*par2)$/

/** Its text is as long for any places and lengths. */
export function recoveryTsv({ sets }: VolumeProtection): string {
  const lines = sets.flatMap(({ description, recovery, recoveryBlocks }, at) => [
    lineOf(description, descriptionName(at + 1)),
    lineOf(recovery, recoveryName(at + 1, recoveryBlocks)),
  ])
  return `${RECOVERY_HEAD}\nsector\tbytes\tname\n${lines.join('')}`
}

function lineOf({ sector, bytes }: { sector: number; bytes: number }, name: string): string {
  return `${padded(sector, DIGITS.sector)}\t${padded(bytes, DIGITS.bytes)}\t${name}\n`
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

/** The places of the recovery files by their names; lines that are damaged are passed over. */
export function readRecoveryTsv(text: string): Map<string, { offset: number; bytes: number }> {
  const ranges = new Map<string, { offset: number; bytes: number }>()
  for (const line of text.split('\n')) {
    const [, sector, bytes, name] = LINE.exec(line) ?? []
    if (name !== undefined) ranges.set(name, { offset: Number(sector) * SECTOR, bytes: Number(bytes) })
  }
  return ranges
}
