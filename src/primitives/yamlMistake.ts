import { said } from './said'

/** A fault as the library `yaml` reports or throws it. */
interface YamlFault {
  readonly code?: string
  readonly message: string
}

/** Sentences by what is in the code and the message of a fault; the first that fits counts. */
const SENTENCES: readonly (readonly [RegExp, () => string])[] = [
  [/closing .quote/, () => said`a quotation mark is missing after a text`],
  [/with a \]/, () => said`the bracket ] is missing after a list`],
  [/with a \}/, () => said`the brace } is missing after "name: value"`],
  [/Missing , /, () => said`a comma is missing`],
  [/Missing space after :/, () => said`a space is missing after a colon`],
  [/Comments must/, () => said`a space is missing before #`],
  [/Implicit map keys need/, () => said`a colon is missing after a name`],
  [
    /compact mappings|BLOCK_IN_FLOW/,
    () => said`put a text with ": " in quotes; names of one level begin in one column`,
  ],
  [/MULTILINE/, () => said`a colon is missing after a name, or a line does not begin in its column`],
  [
    /INDENT |block sequence/,
    () => said`lines of one level must begin in one column, after spaces and not tabs`,
  ],
  [/BAD_DQ_ESCAPE/, () => said`write a backslash twice in double quotes, or use single quotes`],
  [/BAD_SCALAR_START/, () => said`put this text in quotes`],
  [/DUPLICATE_KEY/, () => said`this name is given twice`],
  [/MULTIPLE_DOCS/, () => said`a second document begins here: leave out "---"`],
  [/Excessive|EXHAUSTION|circular/, () => said`it has too many aliases`],
  [/alias|ALIAS|ANCHOR|TAG|PROP/, () => said`put a text that begins with *, & or ! in quotes`],
  [/UNEXPECTED_TOKEN/, () => said`this does not belong to what is before it`],
]

/** The fault of a text of YAML or JSON, in words of this program. */
export function yamlMistake({ code = '', message }: YamlFault): string {
  const fault = `${code} ${message}`
  const [, sentence] = SENTENCES.find(([pattern]) => pattern.test(fault)) ?? []
  return sentence ? sentence() : said`this is neither YAML nor JSON`
}
