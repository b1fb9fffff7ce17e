import { Button } from 'react-aria-components'
import { MenuButton } from '../../components/MenuButton'
import { t } from '../../copy'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useIsRunning, useSession } from '../../state/sessionContext'
import { ArchiveSession } from '../archive/archiveSession'
import { AddSession } from './addSession'
import type { HomeArchive } from './homeArchives'
import { HomeSession } from './homeSession'
import { canAddTo, type MainAct } from './mainAct'

/** The rarer acts on an archive, which its menu has. */
type Further = 'add' | 'verify' | 'copies' | 'show'

/** One main action of an archive's state, *Restore…*, and a menu with all else. */
export function ArchiveActs({
  row,
  main,
  label,
  isMade,
}: {
  row: HomeArchive
  main: MainAct | null
  label: string
  /** A volume of it was made, or may have been. */
  isMade: boolean
}) {
  const session = useSession()
  const home = useSession(HomeSession)
  const adding = useSession(AddSession)
  const copies = useSession(ArchiveSession)
  const isBusy = useIsRunning('survey', 'plan', 'export', 'build', 'verify', 'write')
  const { archive, chain } = row
  const [{ plan }] = chain
  const folder = plan?.directoryExists ? plan.directory : null
  const add = () => archive !== null && void adding.add(archive.id)
  const further: Further[] = [
    ...(canAddTo(row) && main?.kind !== 'add' && !isBusy ? (['add'] as const) : []),
    ...(isMade ? (['verify'] as const) : []),
    'copies',
    ...(folder === null ? [] : (['show'] as const)),
  ]
  const acts: Readonly<Record<Further, () => void>> = {
    add,
    verify: () => void home.verify(chain),
    copies: () => copies.open(row.key),
    show: () => folder !== null && void session.showFolder(folder, 'home'),
  }
  return (
    <span className="home-acts">
      {main?.kind === 'add' ? (
        <Button
          className="plain"
          isDisabled={isBusy}
          aria-label={t('home.addNamed', { label })}
          onPress={add}
        >
          {t('home.add')}
        </Button>
      ) : (
        main !== null && <MainButton main={main} label={label} />
      )}
      <span className="home-further">
        {isMade && (
          <Button
            className={main === null ? 'plain' : 'quiet'}
            aria-label={t('home.restoreNamed', { label })}
            onPress={() => home.restore(chain)}
          >
            {t('home.restore')}
          </Button>
        )}
        <MenuButton
          className="quiet"
          label={label}
          name={t('set.more')}
          all={further}
          words={(act) => t(`home.${act}`)}
          onPick={(act) => acts[act]()}
        />
      </span>
    </span>
  )
}

function MainButton({ main, label }: { main: Exclude<MainAct, { kind: 'add' }>; label: string }) {
  const home = useSession(HomeSession)
  const copies = useSession(CopiesSession)
  const archive = useSession(ArchiveSession)
  const isBusy = useIsRunning('survey', 'plan', 'export', 'build', 'verify', 'write')
  const act = (): Promise<void> => {
    switch (main.kind) {
      case 'continue':
        return home.openSet(main.set)
      case 'write':
        return main.lost ? copies.writeAgain(main.lost) : archive.writeCopy(main.planId)
      case 'check':
        return home.verify(main.sets)
    }
  }
  const words = mainWords(main)
  return (
    <Button
      className="plain"
      isDisabled={isBusy && main.kind !== 'continue'}
      aria-label={t('home.answer.named', { answer: words, label })}
      onPress={() => void act()}
    >
      {words}
    </Button>
  )
}

function mainWords(main: Exclude<MainAct, { kind: 'add' }>): string {
  switch (main.kind) {
    case 'continue':
      return t('home.answer.continue')
    case 'write':
      return t('home.main.write', { copy: main.copy })
    case 'check':
      return t(main.isOnDisk ? 'home.main.check.disk' : 'home.main.check', { count: main.count })
  }
}
