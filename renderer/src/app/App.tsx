import { useEffect } from 'react'
import { BuildStep } from '../build/BuildStep'
import { CatalogStep } from '../catalog/CatalogStep'
import { ChooseStep } from '../choose/ChooseStep'
import { Notices } from '../components/Notices'
import { ImagesStep } from '../images/ImagesStep'
import { MeasureStep } from '../measure/MeasureStep'
import { PlanStep } from '../plan/PlanStep'
import { SourceStep } from '../source/SourceStep'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'
import { SurveyStep } from '../survey/SurveyStep'
import { DropOverlay } from './DropOverlay'
import { EngineBanner } from './EngineBanner'
import { Rail } from './Rail'
import { Strip } from './Strip'
import { useShortcuts } from './shortcuts'
import { TopBar } from './TopBar'
import { useTheme } from './theme'

const PAGES = {
  source: SourceStep,
  survey: SurveyStep,
  measure: MeasureStep,
  choose: ChooseStep,
  plan: PlanStep,
  build: BuildStep,
  catalog: CatalogStep,
  images: ImagesStep,
} as const

/** The window: rail, the step in hand, the strip of running work. */
export function App() {
  const session = useSession()
  const { step } = useStore(session.stores.frame)
  useEffect(() => session.start(), [session])
  useTheme()
  useShortcuts()
  const Page = PAGES[step]
  return (
    <div className="window">
      <TopBar />
      <div className="middle">
        <Rail />
        <main className="main" key={step}>
          <EngineBanner />
          <Notices step={null} />
          <Page />
        </main>
      </div>
      <Strip />
      <DropOverlay />
    </div>
  )
}
