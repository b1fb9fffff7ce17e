import { pathForDisplay } from '../../../src/primitives/pathText'
import { type CopyKey, t } from '../copy'

/**
 * Advice in messages of the engine that is for a command line, and the control that does the same
 * here; null: the step gives it.
 */
const CONTROLS: readonly (readonly [said: RegExp, key: CopyKey | null])[] = [
  [/: survey again with --full$/, null],
  [/plan (it )?without --joined/, 'inWindow.independent'],
  [/(?<=\()--reserve(?=\))/, 'inWindow.reserve'],
  [/(?<=volumes \()--joined(?=\))|(?<= medium or )--joined$/, 'inWindow.joined'],
  [/--force replaces files/, 'inWindow.replace'],
  [/--trust puts it back/, 'inWindow.trust'],
  [/ \(--force replaces (it|the plan in it)\)/, null],
  [/ \(--(stream|force(, without --stream)?)\)/g, null],
  [/: leave out --read-only or --in$/, null],
  [/; with --contents the files in them are checked too/, null],
  [/; --again replaces it$/, null],
  [/ \(--volume \w+ --again replaces it\)$/, null],
  [/"stowage options [^"]*" lists what there is/, 'inWindow.options'],
]

/**
 * A message of the engine as the window shows it: with the names of controls instead of options of
 * the command line.
 */
export function windowMessage(message: string): string {
  const named = CONTROLS.reduce(
    (text, [said, key]) => text.replace(said, () => (key === null ? '' : t(key))),
    message,
  )
  return pathForDisplay(named)
}
