import { z } from 'zod'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { bytesSchema } from '../scalars'
import { between, spec, test } from './presets'
import { MOST_FILES, mixedOperationSchema, type TestOperation, type TestSpec } from './testSpec'

const MEGABYTE = 1e6
/** Random accesses move so many bytes each. */
const ACCESS_BYTES = 4096

/**
 * A test that a person puts together: so many files between two sizes, and what is done with them.
 */
export const ownTestSchema = z.object({
  /** The two ends of the range of sizes, in either order. */
  from: bytesSchema.min(1).default(MEGABYTE),
  to: bytesSchema.min(1).default(100 * MEGABYTE),
  count: z.number().int().min(1).max(MOST_FILES).default(30),
  /** In this order; files are written first in any case. */
  mix: z.array(mixedOperationSchema).min(1).max(7).default(['write', 'read']),
})
export type OwnTest = z.infer<typeof ownTestSchema>

/**
 * Its specification: sizes are log-uniform, files in random order.
 * @throws AppError `usage` for random accesses in files that are smaller than one
 */
export function ownTest({ from, to, count, mix }: OwnTest): TestSpec {
  const [least, most] = [Math.min(from, to), Math.max(from, to)]
  if (most < ACCESS_BYTES && mix.some((each) => each.startsWith('random')))
    throw new AppError('usage', said`random accesses need files of at least 4 KiB`)
  const sizes = least === most ? [{ size: most, count }] : between(least, most, count)
  const operations: TestOperation[] = mix[0] === 'write' ? [...mix] : ['write', ...mix]
  return spec(said`Own test`, [test({ name: said`Own files`, sizes, operations })])
}

/** The two ends of a written range of sizes, such as `1MB-100MB`; of one size, that size twice. */
export function sizeEnds(text: string): readonly [from: string, to: string] {
  const at = text.indexOf('-')
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)]
}
