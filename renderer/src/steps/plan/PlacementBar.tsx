import { useState } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { FILL_BY, type PlanDocument } from '../../../../src/contract/dto/plan'
import { formatExactBytes, formatSize } from '../../../../src/primitives/quantity'
import { TextLine } from '../../components/fields'
import { Segments } from '../../components/Segments'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { labelled, ordered, released, reserved } from './placement'
import { PlanSession } from './planSession'
import { useTyped } from './useTyped'

/**
 * The room that stays free on each disc; and where the choice of orders is not offered, the order
 * in which discs are filled.
 */
export function FillChoices({ plan: { packing, medium } }: { plan: PlanDocument }) {
  const session = useSession(PlanSession)
  const { placement } = useStateOf(PlanSession)
  const { order = 'size', reserveBytes = 0 } = placement
  if (packing?.arrangement === 'joined') return null
  return (
    <div className="fill-choices">
      {(packing !== undefined || medium.id === DISK_MEDIUM) && (
        <div className="field">
          <span className="field-name">{t('desk.order')}</span>
          <Segments
            label={t('desk.order')}
            all={FILL_BY}
            chosen={order}
            words={(by) => t(`desk.order.${by}`)}
            onChange={(by) => void session.place(ordered(placement, by === 'size' ? null : by))}
          />
          <div className="field-note">{t(`desk.order.${order}.note`)}</div>
        </div>
      )}
      <ReserveField key={reserveBytes} reserveBytes={reserveBytes} />
    </div>
  )
}

/** The reserve as it is typed; Enter, or leaving the field, plans with it. */
function ReserveField({ reserveBytes }: { reserveBytes: number }) {
  const session = useSession(PlanSession)
  const units = useUnits()
  const { placement } = useStateOf(PlanSession)
  const [text, setText] = useState(reserveBytes === 0 ? '' : formatSize(reserveBytes, units))
  const [isChanged, setIsChanged] = useState(false)
  const bytes = typedSize(text)
  useTyped('reserve', bytes === undefined)
  return (
    <div className="reserve-field">
      <TextLine
        label={t('desk.reserve')}
        example={t('desk.reserve.example')}
        text={text}
        isWrong={bytes === undefined}
        note={
          bytes === undefined
            ? t('desk.reserve.wrong')
            : bytes === null
              ? t('desk.reserve.none')
              : formatExactBytes(isChanged ? bytes : reserveBytes)
        }
        onChange={(typed) => {
          setText(typed)
          setIsChanged(true)
        }}
        onDone={() => {
          if (isChanged && bytes !== undefined) void session.place(reserved(placement, bytes ?? 0))
        }}
      />
    </div>
  )
}

/** The wishes for single folders and discs, each with a button to take it back. */
export function WishesLine({ document }: { document: PlanDocument }) {
  const session = useSession(PlanSession)
  const { placement, before } = useStateOf(PlanSession)
  const isBusy = useIsRunning('plan')
  const { pins = [], keep = [], labels = [] } = placement
  const labelOf = (volume: number): string =>
    document.volumes.find(({ index }) => index === volume)?.label ?? String(volume)
  const wishes = [
    ...pins.map(({ path, volume }) => ({
      key: `pin ${path}`,
      words: t('desk.pinned', { name: nameOf(path), disc: labelOf(volume) }),
      title: path,
      without: released(placement, path),
    })),
    ...keep.map((path) => ({
      key: `keep ${path}`,
      words: t('desk.kept', { name: nameOf(path) }),
      title: path,
      without: released(placement, path),
    })),
    ...labels.map(({ volume, label }) => ({
      key: `label ${volume}`,
      words: t('desk.labelled', { number: volume, label }),
      title: label,
      without: labelled(placement, volume, null),
    })),
  ]
  if (wishes.length === 0 && before.length === 0) return null
  return (
    <div className="wishes line" role="group" aria-label={t('desk.wishes')}>
      <ul>
        {wishes.map(({ key, words, title, without }) => (
          <li key={key}>
            <span className="ellipsis given-name" title={`${words} (${title})`}>
              {words}
            </span>
            <Button
              className="quiet remove"
              isDisabled={isBusy}
              aria-label={t('desk.takeBack', { what: words })}
              onPress={() => void session.place(without)}
            >
              <span aria-hidden="true">×</span>
            </Button>
          </li>
        ))}
      </ul>
      {before.length > 0 && (
        <Button className="quiet" isDisabled={isBusy} onPress={() => void session.undo()}>
          {t('desk.undo')}
        </Button>
      )}
    </div>
  )
}
