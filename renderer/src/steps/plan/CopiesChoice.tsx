import { useState } from 'react'
import { TextLine } from '../../components/fields'
import { t } from '../../copy'
import { copyTyped } from '../../format/typedCopy'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { PlanSession } from './planSession'
import { useTyped } from './useTyped'

/** The copies of each disc that are wanted; an empty line leaves the number open. */
export function CopiesChoice() {
  const session = useSession(PlanSession)
  const isBusy = useIsRunning('plan')
  const { copies } = useStateOf(PlanSession)
  const [typed, setTyped] = useState('')
  const isWrong = typed.trim() !== '' && copyTyped(typed) === null
  useTyped('copies', isWrong)
  // Another plan or project may have been opened meanwhile.
  const text = isWrong || copyTyped(typed) === copies ? typed : String(copies ?? '')
  return (
    <section className="copies-wanted" aria-label={t('wanted.title')}>
      <h2>{t('wanted.title')}</h2>
      <TextLine
        label={t('wanted.copies')}
        example="2"
        text={text}
        isWrong={isWrong}
        note={t(isWrong ? 'write.copyNumber.wrong' : 'wanted.note')}
        isDisabled={isBusy}
        onChange={(next) => {
          setTyped(next)
          const number = copyTyped(next)
          if (number !== null || next.trim() === '')
            session.store.dispatch({ type: 'copies', copies: number })
        }}
      />
    </section>
  )
}
