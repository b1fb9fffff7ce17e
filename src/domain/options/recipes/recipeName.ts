/** One parameter of a recipe and how its value is written in a permanent name. */
export interface Field<Name extends string = string, Value = unknown> {
  readonly name: Name
  /** A regular expression that every written value matches. */
  readonly pattern: string
  print(value: Value): string
  /** Undefined for a text that is not a value of this field. */
  parse(text: string): Value | undefined
}

/** The parameters of a family's recipes and the names they print as. */
export interface RecipeName<Values extends object = Record<string, unknown>> {
  print(values: Values): string
  /** Null for a name of another family, and for any spelling that `print` would not give. */
  parse(name: string): Values | null
}

type ValuesOf<Fields extends readonly Field[]> = {
  readonly [One in Fields[number] as One['name']]: One extends Field<string, infer Value> ? Value : never
}

/** A template of permanent names: fixed text with fields in it. */
export function named<const Fields extends readonly Field[]>(
  texts: TemplateStringsArray,
  ...fields: Fields
): RecipeName<ValuesOf<Fields>> {
  const literals = texts.map((text) => text.replaceAll('+', '\\+'))
  const whole = new RegExp(`^${String.raw({ raw: literals }, ...fields.map((one) => `(${one.pattern})`))}$`)
  const print = (values: ValuesOf<Fields>): string => {
    const all = values as Readonly<Record<string, unknown>>
    return String.raw({ raw: texts }, ...fields.map((one) => one.print(all[one.name])))
  }
  return {
    print,
    parse(name) {
      const found = whole.exec(name)
      if (!found) return null
      const parsed = fields.map((one, index) => [one.name, one.parse(found[index + 1] as string)] as const)
      if (parsed.some(([, value]) => value === undefined)) return null
      const values = Object.fromEntries(parsed) as ValuesOf<Fields>
      return print(values) === name ? values : null
    },
  }
}

/** A field of few values, each with its text. */
export function oneOf<const Name extends string, const Value>(
  name: Name,
  texts: Readonly<Record<string, Value>>,
): Field<Name, Value> {
  const byText = new Map(Object.entries(texts))
  const byValue = new Map([...byText].map(([text, value]) => [value, text]))
  return {
    name,
    pattern: [...byText.keys()].join('|'),
    print: (value) => byValue.get(value) as string,
    parse: (text) => byText.get(text),
  }
}

/** A field of few words, which are written as they are. */
export function word<const Name extends string, const Word extends string>(
  name: Name,
  ...words: readonly Word[]
): Field<Name, Word> {
  return oneOf(name, Object.fromEntries(words.map((one) => [one, one])) as Record<string, Word>)
}

const UNITS: Readonly<Record<string, number>> = { m: 1024 * 1024, k: 1024, '': 1 }

/**
 * A field of bytes, written as 512, 4k, 64m or 1024m: all sizes, or those that `isAllowed` lets
 * pass.
 */
export function size<const Name extends string>(
  name: Name,
  isAllowed: (bytes: number) => boolean = () => true,
): Field<Name, number> {
  return {
    name,
    pattern: '[1-9]\\d*[km]?',
    print(bytes) {
      const [unit, unitBytes] = Object.entries(UNITS).find(([, one]) => bytes % one === 0) as [string, number]
      return `${bytes / unitBytes}${unit}`
    },
    parse(text) {
      const bytes = Number.parseInt(text) * (UNITS[text.replace(/\d+/, '')] as number)
      return isAllowed(bytes) ? bytes : undefined
    },
  }
}

/** A size that is a power of two from `least` to `most` bytes. */
export function powerOfTwo<const Name extends string>(
  name: Name,
  least: number,
  most: number,
): Field<Name, number> {
  return size(name, (bytes) => bytes >= least && bytes <= most && Number.isInteger(Math.log2(bytes)))
}
