import { pathForDisplay } from '../../../src/primitives/pathText'
import { shortenPath } from '../format/paths'

/** The longest name shown whole; a longer one loses its middle. */
const NAME_LIMIT = 56

/**
 * A path on one line: its folders give way in the middle, its name stays. The whole of it is the
 * title.
 * @param isNameWhole the name is cut only by the end of its room
 */
export function PathText({ path, isNameWhole = false }: { path: string; isNameWhole?: boolean }) {
  const shown = pathForDisplay(path)
  const cut = Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\'))
  const name = cut > 0 ? shown.slice(cut) : shown
  return (
    <span className="path-text mono selectable" title={shown}>
      {cut > 0 && <span className="path-head">{shown.slice(0, cut)}</span>}
      <span className="path-tail">{isNameWhole ? name : shortenPath(name, NAME_LIMIT)}</span>
    </span>
  )
}
