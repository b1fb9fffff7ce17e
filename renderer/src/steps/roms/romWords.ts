import type { RomsDocument } from '../../../../src/contract/dto/roms'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import type { HeldRow } from './romRows'

/** How many ROM sets are complete, and how many files were found. */
export function conclusion({ totals }: RomsDocument): string {
  const { complete, partial, missing } = totals.sets
  const all = complete + partial + missing
  if (all === 0) return t('roms.says.nothing')
  const files = t('roms.says.files', { present: totals.present, needed: totals.needed })
  return `${t('roms.says.done', { complete, partial, missing, all })} ${files}`
}

/** How the files of a comparison are known. */
export function howKnown({ totals, files }: RomsDocument, units: Units): string {
  const count = files.filter(({ known }) => known === 'header').length
  const size = formatSize(totals.hashedBytes, units)
  return count === 0 ? t('roms.known', { size }) : t('roms.known.stated', { size, count })
}

/** The state of a file, of a bad dump with how it is known. */
export function fileStateWords({ state, by }: Pick<HeldRow, 'state' | 'by'>): string {
  return state === 'bad-dump' && by !== null ? t(`roms.file.bad-dump.${by}`) : t(`roms.file.${state}`)
}

/** The name of a DAT as its header has it, else that of its file. */
export function datName({
  name,
  member,
  path,
}: Pick<RomsDocument['dats'][number], 'name' | 'member' | 'path'>) {
  return name || nameOf(member ?? path)
}
