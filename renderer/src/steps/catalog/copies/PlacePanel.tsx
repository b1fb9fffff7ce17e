import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import { Check, TextLine } from '../../../components/fields'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { copyTyped } from '../../../format/typedCopy'
import { CopiesSession, copyName } from '../../../state/catalog/copiesSession'
import { type Placing } from '../../../state/catalog/copiesState'
import { useSession, useStateOf } from '../../../state/sessionContext'

/** The most characters of a place or of a kind of medium. */
const LONGEST = 200

/** Asks where a copy is kept. */
export function PlacePanel({ placing }: { placing: Placing }) {
  const session = useSession(CopiesSession)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const { of, copy, place, medium, isOfAll } = placing
  const body = useRef<HTMLFormElement>(null)
  // The button that asked for it is elsewhere: the person is led here.
  useEffect(() => body.current?.querySelector('input')?.focus(), [])
  const isWrong = copy.trim() !== '' && copyTyped(copy) === null
  const others = copies.some(
    (other) => other.planId === of.planId && other.setId === of.setId && other.volume !== of.volume,
  )
  return (
    <Panel title={t('copies.place.title')} says={copyName(of)} className="restore">
      <form
        ref={body}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void session.notePlace()
        }}
      >
        <TextLine
          label={t('write.place')}
          example={t('write.place.example')}
          text={place}
          isWrong={false}
          longest={LONGEST}
          onChange={(typed) => session.typePlace({ place: typed })}
        />
        <TextLine
          label={t('copies.medium')}
          example={t('copies.medium.example')}
          text={medium}
          isWrong={false}
          longest={LONGEST}
          onChange={(typed) => session.typePlace({ medium: typed })}
        />
        <TextLine
          label={t('write.copyNumber')}
          example={t('copies.built')}
          text={copy}
          isWrong={isWrong}
          note={t(isWrong ? 'write.copyNumber.wrong' : 'copies.number.note')}
          onChange={(typed) => session.typePlace({ copy: typed })}
        />
        {others && (
          <Check
            words={t('copies.ofAll')}
            isOn={isOfAll}
            onChange={(isOn) => session.typePlace({ isOfAll: isOn })}
          />
        )}
        <div className="row-actions">
          <Button className="primary" type="submit" isDisabled={place.trim() === '' || isWrong}>
            {t('copies.place.note')}
          </Button>
          <Button className="quiet" onPress={() => session.typePlace(null)}>
            {t('copies.place.cancel')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
