import { Button } from 'react-aria-components'
import { pathForDisplay } from '../../../src/primitives/pathText'
import { t } from '../copy'
import { aboveOf, nameOf } from '../format/paths'
import { PathText } from './PathText'

/** Paths that a person has chosen, each with the way to take it out again. */
export function PathList({
  label,
  paths,
  isDisabled = false,
  removeNamed,
  onRemove,
}: {
  label: string
  paths: readonly string[]
  isDisabled?: boolean
  /** The label of the button that removes the path of this name. */
  removeNamed: (name: string) => string
  onRemove: (path: string) => void
}) {
  return (
    <ul className="source-list path-list" aria-label={label}>
      {paths.map((path) => (
        <li key={path}>
          <div className="source-words fills">
            <span className="source-name ellipsis given-name" title={pathForDisplay(path)}>
              {nameOf(path)}
            </span>
            <PathText path={aboveOf(path)} />
          </div>
          <Button
            className="quiet"
            isDisabled={isDisabled}
            aria-label={removeNamed(nameOf(path))}
            onPress={() => onRemove(path)}
          >
            {t('source.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
