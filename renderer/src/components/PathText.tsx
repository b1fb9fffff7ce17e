import { pathForDisplay } from '../../../src/primitives/pathText'
import { shortenPath } from '../format/paths'

/** The longest name shown whole; a longer one loses its middle. */
const NAME_LIMIT = 56

/**
 * A path on one line: its folders give way in the middle, its name stays. The whole of it is the
 * title.
 */
export function PathText({ path }: { path: string }) {
  const shown = pathForDisplay(path)
  const cut = Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\'))
  return (
    <span className="path-text mono selectable" title={shown}>
      {cut > 0 && <span className="path-head">{shown.slice(0, cut)}</span>}
      <span className="path-tail">{shortenPath(cut > 0 ? shown.slice(cut) : shown, NAME_LIMIT)}</span>
    </span>
  )
}
