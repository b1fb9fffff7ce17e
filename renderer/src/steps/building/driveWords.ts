import type { Drive } from '../../../../src/contract/dto/run'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'

const SECTOR = 2048

/** The device of a drive with its maker and model, as far as they are known. */
export function driveName({ device, vendor, model }: Drive): string {
  const maker = [vendor, model].filter((part) => part !== null && part !== '').join(' ')
  return maker === '' ? device : `${device} · ${maker}`
}

/** The disc in the drive, and whether it can be written. */
export function discWords({ medium, problem }: Drive, units: Units): string {
  if (problem !== null) return sentence(problem)
  if (medium === null) return t('write.noDisc')
  const words = { name: medium.name, size: sizeWords(medium.capacitySectors, units) }
  return t(medium.blank ? 'write.blank' : medium.rewritable ? 'write.rewritable' : 'write.notBlank', words)
}

function sizeWords(sectors: number | null, units: Units): string {
  return sectors === null ? t('write.unknownSize') : formatSize(sectors * SECTOR, units)
}
