import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { SourceRow } from '../../../../../src/contract/dto/survey'
import { t } from '../../../copy'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { isOut, type KeptState, leftOutAbove, rowOf } from '../../../state/source/keptState'
import { sayRule } from '../../../state/source/ruleWords'

/**
 * The actions on the selected folder or file.
 * @param children what its view adds, behind the first
 */
export function PickedActs({
  state,
  row,
  children,
}: {
  state: KeptState
  row: SourceRow
  children?: ReactNode
}) {
  const session = useSession(KeptSession)
  const isSource = state.document?.roots.includes(row.path) === true
  const isKept = !isOut(state, row) && leftOutAbove(state, row.path) === null
  return (
    <div className="row-actions">
      {!isSource && (
        <Button className="plain" onPress={() => session.toggle(row)}>
          {t(isKept ? 'kept.leaveOut' : 'kept.takeBack')}
        </Button>
      )}
      {children}
      <Button className="quiet" onPress={() => void session.show(row.path)}>
        {t('kept.show')}
      </Button>
    </div>
  )
}

/** Why what a person takes back is still left out, and the way out. */
export function IneffectiveLine({ state }: { state: KeptState }) {
  const session = useSession(KeptSession)
  const { ineffective, document, folders } = state
  if (ineffective === null) return null
  const { path, folder } = ineffective
  const name = nameOf(path)
  const rule = document?.excluded?.rules[rowOf(folders, path)?.rule ?? -1]
  return (
    <div className="kept-bar" role="alert">
      <span className="fills warn">
        {folder === null
          ? t('kept.ineffective.rule', { name, rule: rule ? sayRule(rule) : '' })
          : t('kept.ineffective', { name, folder: nameOf(folder) })}
      </span>
      {folder !== null && (
        <Button className="plain" onPress={() => session.takeBack(folder, true)}>
          {t('kept.ineffective.keep', { folder: nameOf(folder) })}
        </Button>
      )}
    </div>
  )
}
