/**
 * The room `home` is the first page: the archives of a person, and what needs attention.
 * How: plans and checks of the catalog become sets (`homeSets`), these one row for each archive.
 * Not here: single copies (`catalog`), the questions about a new source (`source`).
 */

import { useEffect, useMemo } from 'react'
import { Button } from 'react-aria-components'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { AskedRestores } from '../restore/AskedRestores'
import { HandSession } from '../source/handSession'
import { ProjectSession } from '../source/project/projectSession'
import { ArchivesPanel } from './ArchivesPanel'
import { AttentionPanel } from './AttentionPanel'
import { homeArchives } from './homeArchives'
import { HomeSession } from './homeSession'
import { attentionOf } from './homeSets'
import { Newcomer } from './Newcomer'
import { Projects, RecentSources } from './Recents'
import { useHomeSets } from './useHomeSets'

/** Where is what I keep, and is it still good? The sets, what needs attention, and a new one. */
export function HomePage() {
  const hand = useSession(HandSession)
  const home = useSession(HomeSession)
  const sets = useHomeSets()
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const archives = useMemo(() => homeArchives(known, sets), [known, sets])
  const isLoaded = useStateOf(CatalogSession, (catalog) => catalog.isLoaded)
  const surveys = useStateOf(CatalogSession, (catalog) => catalog.surveys)
  const { recents } = useStateOf(ProjectSession)
  const { engine } = useFrame()
  useEffect(() => home.refresh(), [home])
  const isLoading = !isLoaded && engine.state !== 'lost'
  const { problems, due } = attentionOf(sets)
  const attention = problems.length + due.length
  const says = isLoading
    ? t('home.says.loading')
    : sets.length > 0
      ? t('home.says', {
          archives: t('home.says.archives', { count: archives.length }),
          attention: attention === 0 ? t('home.says.none') : t('home.says.attention', { count: attention }),
        })
      : t(surveys.length + recents.length > 0 ? 'home.says.noSets' : 'home.says.new')
  return (
    <StepPage
      step="home"
      says={says}
      action={
        !isLoading &&
        sets.length > 0 && (
          <Button className="primary" onPress={() => void hand.begin()}>
            {t('home.new')}
          </Button>
        )
      }
    >
      {!isLoading && (
        <div className="home stack">
          {sets.length === 0 && <Newcomer />}
          <AskedRestores />
          {attention > 0 && <AttentionPanel problems={problems} due={due} />}
          {archives.length > 0 && <ArchivesPanel archives={archives} />}
          <div className="split even">
            {recents.length > 0 && <Projects recents={recents} />}
            {surveys.length > 0 && <RecentSources surveys={surveys} />}
          </div>
        </div>
      )}
    </StepPage>
  )
}
