import { useState } from 'react'
import { Input, Popover, TextField } from 'react-aria-components'
import { type PlanDocument, type PlanVolume, VOLUME_LABEL } from '../../../../src/contract/dto/plan'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { labelled } from './placement'
import { PlanSession } from './planSession'

/** The label of a disc as it is typed, next to it: Enter keeps it, Esc does not. */
export function RenameDisc({
  plan,
  volume,
  anchor,
  onDone,
}: {
  plan: PlanDocument
  volume: PlanVolume
  /** The tile or the button that it was asked from. */
  anchor: HTMLElement
  onDone: () => void
}) {
  const session = useSession(PlanSession)
  const { placement } = useStateOf(PlanSession)
  const [text, setText] = useState(volume.label)
  const problem = labelProblem(text, volume, plan)
  const keep = () => {
    if (problem !== null) return
    onDone()
    if (text !== volume.label) void session.place(labelled(placement, volume.index, text))
  }
  return (
    <Popover
      className="popover"
      placement="bottom start"
      triggerRef={{ current: anchor }}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onDone()
      }}
    >
      <TextField
        className="field rename"
        aria-label={t('desk.newLabel', { label: volume.label })}
        value={text}
        isInvalid={problem !== null}
        onChange={(typed) => setText(typed.toUpperCase().replaceAll(/[\s-]+/g, '_'))}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
        autoFocus
      >
        <Input
          className="input"
          maxLength={32}
          aria-describedby="rename-note"
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
          }}
        />
        <div id="rename-note" className={problem === null ? 'field-note' : 'field-note bad'}>
          {problem ?? t('desk.newLabel.hint')}
        </div>
      </TextField>
    </Popover>
  )
}

/** Why a disc cannot have a label; null when it can. */
function labelProblem(
  label: string,
  { index }: Pick<PlanVolume, 'index'>,
  { volumes }: Pick<PlanDocument, 'volumes'>,
): string | null {
  if (!VOLUME_LABEL.test(label)) return t('desk.newLabel.wrong')
  return volumes.some((other) => other.index !== index && other.label === label)
    ? t('desk.newLabel.taken')
    : null
}
