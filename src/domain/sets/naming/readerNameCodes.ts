/** The kinds of names that a system shows in another way, as a plan's problems name them. */
export const READER_NAME_CODES = [
  'name-on-windows',
  'name-not-in-udf',
  'path-on-windows',
  'names-differ-in-form',
] as const
export type ReaderNameCode = (typeof READER_NAME_CODES)[number]
