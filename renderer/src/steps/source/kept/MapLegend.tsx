import { FILE_CLASSES, type FileClass, type YearBytes } from '../../../../../src/contract/dto/survey'
import { classColour } from '../../../charts/classColour'
import { type YearRamp, yearColour } from '../../../charts/yearColour'
import { t } from '../../../copy'
import type { MapColours } from '../../../state/source/keptState'
import { FILE_COLOUR, FOLDER_COLOUR } from './mapColours'

interface LegendProps {
  readonly colours: MapColours
  /** The classes that tiles have the colour of. */
  readonly classes: ReadonlySet<FileClass>
  /** All years of the sources, the oldest first. */
  readonly years: readonly YearBytes[]
  readonly ramp: YearRamp
}

/** More years than these are shown as one ramp. */
const MOST_NAMED = 8

/** The meaning of the colours of the map, in words. */
export function MapLegend({ colours, classes, years, ramp }: LegendProps) {
  return (
    <div className="map-legend">
      <span className="muted">{t(`kept.legend.${colours}`)}</span>
      {colours === 'folders' && (
        <>
          <Sample colour={FOLDER_COLOUR} name={t('kept.legend.folder')} />
          <Sample colour={FILE_COLOUR} name={t('kept.legend.file')} />
        </>
      )}
      {colours === 'type' &&
        FILE_CLASSES.filter((fileClass) => classes.has(fileClass)).map((fileClass) => (
          <Sample key={fileClass} colour={classColour(fileClass)} name={t(`class.${fileClass}`)} />
        ))}
      {colours === 'year' && <Years years={years} ramp={ramp} />}
    </div>
  )
}

function Years({ years, ramp }: Pick<LegendProps, 'years' | 'ramp'>) {
  if (years.length <= MOST_NAMED)
    return years.map(({ year }) => (
      <Sample key={year} colour={yearColour(ramp, year)} name={String(year)} isSolid />
    ))
  return (
    <span className="map-ramp">
      {years[0]?.year}
      <span className="map-ramp-steps" aria-hidden="true">
        {years.map(({ year }) => (
          <span key={year} style={{ background: yearColour(ramp, year) }} />
        ))}
      </span>
      {years.at(-1)?.year}
    </span>
  )
}

function Sample({ colour, name, isSolid = false }: { colour: string; name: string; isSolid?: boolean }) {
  return (
    <span className="map-sample">
      <span
        className={isSolid ? 'swatch solid' : 'swatch'}
        style={{ background: colour }}
        aria-hidden="true"
      />
      {name}
    </span>
  )
}
