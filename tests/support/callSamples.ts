import { z } from 'zod'
import { pathSchema } from '../../src/domain/scalars'

/** Values for the leaves of a schema: of each leaf, those that it accepts are tried. */
const LEAVES = [
  undefined,
  true,
  false,
  'a',
  'A',
  'F:',
  '1GiB',
  'pr-0123456789ab',
  'EUR',
  '2026-11-27',
  'bd-r-25=0.85 EUR 2026-11-27',
  0,
  1,
  3,
  128,
  4096,
  2 ** 24,
  new Uint8Array([1]),
]

function typeOf(schema: z.core.$ZodType): string {
  return (schema as z.ZodType).type
}

/** Schemas of these types have no others in them. */
const LEAF_TYPES = new Set(['void', 'string', 'number', 'boolean', 'null', 'enum', 'literal', 'custom'])

/**
 * Where in a call's parameters a path is: the names that lead to it, none for a path itself.
 * @throws Error for a schema that may have others in it which the walk does not know, so that no path is overlooked
 */
export function pathPlaces(schema: z.core.$ZodType): string[][] {
  if (schema === pathSchema) return [[]]
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as z.core.$ZodShape).flatMap(([name, part]) =>
      pathPlaces(part).map((place) => [name].concat(place)),
    )
  }
  if (schema instanceof z.ZodArray) return pathPlaces(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => pathPlaces(option))
  const inner = innerOf(schema)
  if (inner) return pathPlaces(inner)
  if (LEAF_TYPES.has(typeOf(schema))) return []
  throw new Error(`it is not known whether a ${typeOf(schema)} has a path in it`)
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  return isWrapper ? schema.def.innerType : null
}

/**
 * Parameters that a schema accepts: in one everything that can be given, in the others one choice at a time made otherwise.
 * Every path in them is another one, below `/given`; a list of paths has two.
 * @throws Error for a schema of which no sample is known, so that no call is left out unnoticed
 */
export function samplesOf(schema: z.ZodType): unknown[] {
  let paths = 0
  const samples = (each: z.core.$ZodType): unknown[] => {
    if (each === pathSchema) return [`/given/${++paths}`]
    if (each instanceof z.ZodObject) return objects(each.shape)
    if (each instanceof z.ZodArray) {
      return samples(each.element).map((first) => [first, samples(each.element)[0]])
    }
    if (each instanceof z.ZodUnion) return each.options.flatMap((option) => samples(option))
    if (each instanceof z.ZodEnum) return [...each.options]
    if (each instanceof z.ZodLiteral) return [...each.def.values]
    const inner = innerOf(each)
    if (inner) return samples(inner)
    const leaves = LEAVES.filter((leaf) => z.safeParse(each, leaf).success)
    if (leaves.length === 0) throw new Error(`no sample fits a ${typeOf(each)}`)
    return leaves
  }
  const objects = (shape: z.core.$ZodShape): unknown[] => {
    const choices = Object.entries(shape).map(([name, part]) => [name, samples(part)] as const)
    const first = Object.fromEntries(choices.map(([name, values]) => [name, values[0]]))
    const others = choices.flatMap(([name, values]) =>
      values.slice(1).map((value) => Object.assign({}, first, { [name]: value })),
    )
    return [first, ...others]
  }
  return samples(schema)
}
