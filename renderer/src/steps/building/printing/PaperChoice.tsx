import { SETTINGS } from '../../../../../src/contract/dto/settings'
import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useFrame, useSession } from '../../../state/sessionContext'

/** The paper of labels; remembered. */
export function PaperChoice() {
  const session = useSession()
  const { settings } = useFrame()
  return (
    <Segments
      label={t('print.paper')}
      all={SETTINGS.paper.schema.options}
      chosen={settings.paper}
      words={(paper) => t(`print.paper.${paper}`)}
      onChange={(paper) => void session.saveSettings({ paper })}
    />
  )
}
