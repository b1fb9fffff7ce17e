import { Button } from 'react-aria-components'
import type { Source } from '../../../src/contract/rendererSchema'
import { pathForDisplay } from '../../../src/primitives/pathText'
import { ModalDialog } from '../components/ModalDialog'
import { t } from '../copy'
import { titleOfRoots } from '../format/paths'
import { useSession, useStateOf } from '../state/sessionContext'
import { SourceSession } from '../state/source/sourceSession'
import { HandSession } from '../steps/source/handSession'

/** Asks which archive the sources belong to that were given; nothing where nothing was. */
export function HandQuestion() {
  const session = useSession(HandSession)
  const { asked } = useStateOf(HandSession)
  const { list } = useStateOf(SourceSession)
  if (asked === null) return null
  const given = titleOf(asked)
  const hand = titleOf(list)
  return (
    <ModalDialog
      title={t('hand.question', { given })}
      actions={
        <>
          <Button className="primary" onPress={() => void session.answer('new')}>
            {t('home.new')}
          </Button>
          <Button className="plain" onPress={() => void session.answer('add')}>
            {t('hand.add')}
          </Button>
        </>
      }
      onClose={() => void session.answer('none')}
    >
      <p className="prose">{t('hand.text', { hand })}</p>
    </ModalDialog>
  )
}

function titleOf(sources: readonly Source[]): string {
  return pathForDisplay(titleOfRoots(sources.map(({ path }) => path)))
}
