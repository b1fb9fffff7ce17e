import { documentNames, documentSchema } from '../../contract/documents'
import { EXIT } from '../../primitives/exitCode'
import { onlyPositional, readArguments } from '../arguments'
import { SCHEMA } from '../declarations/scripting'
import { nextCommand } from '../shape/nextCommand'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

/** `stowage schema`: a command of its own, as one command may print several documents. */
export async function schemaCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, SCHEMA)
  const names = documentNames()
  if (positionals.length === 0) {
    out.document({ schema: 'stowage.schemas/1', documents: names })
    out.lines(names)
    out.line()
    out.lines(nextCommand('To print one:', ['schema', names[0] ?? '']))
    return EXIT.done
  }
  const given = onlyPositional(positionals, 'name of a document')
  const schema = documentSchema(given) ?? documentSchema(names.find((name) => shortOf(name) === given) ?? '')
  if (schema === null) throw unknownName('document', given, [...names, ...names.map(shortOf)])
  out.document(schema)
  out.lines(JSON.stringify(schema, null, 2).split('\n'))
  return EXIT.done
}

/** `survey` of `stowage.survey/1`. */
function shortOf(name: string): string {
  return name.replace(/^stowage\./, '').replace(/\/\d+$/, '')
}
