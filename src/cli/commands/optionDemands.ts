import type { OptionEncryption } from '../../contract/dto/options'
import { AppError } from '../../primitives/appError'
import type { Terminal } from '../terminal'

/** `none`, `128` or `256`, with or without `aes-`. @throws AppError `usage` */
export function encryptionOf(text: string | undefined): OptionEncryption | undefined {
  if (text === undefined) return undefined
  const known: Readonly<Record<string, OptionEncryption>> = {
    '128': 'aes-128',
    '256': 'aes-256',
    none: 'none',
  }
  const found = known[text.replace(/^aes-/, '')]
  if (found) return found
  throw new AppError('usage', `--encrypt takes none, 128 or 256, not "${text}"`)
}

/** `10%`, `0.1` or `par2:10` as a share. @throws AppError `usage`, which names the option */
export function shareOf(text: string, option = '--protect'): number {
  const percent = /^(?:par2:)?(\d{1,3}(?:\.\d+)?)\s*%?$/.exec(text)
  const share = percent && !/^0?\.\d+$/.test(text) ? Number(percent[1]) / 100 : Number(text)
  if (Number.isFinite(share) && share >= 0 && share <= 1) return share
  throw new AppError('usage', `${option} takes a share such as 10%, not "${text}"`)
}

/** Says of an option that earlier versions took that it has no effect. */
export function noteUncalibrated(
  values: { readonly 'no-calibration': boolean },
  out: Pick<Terminal, 'note'>,
): void {
  if (values['no-calibration'])
    out.note('--no-calibration goes with the next version: times are not changed by earlier builds')
}
