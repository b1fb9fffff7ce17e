import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components'

/** A share that is drawn with the mouse or moved with the arrow keys. */
export function ShareSlider({
  label,
  value,
  most,
  step,
  words,
  onChange,
}: {
  label: string
  value: number
  most: number
  step: number
  words: (value: number) => string
  onChange: (value: number) => void
}) {
  return (
    <Slider
      className="share-slider"
      value={value}
      minValue={0}
      maxValue={most}
      step={step}
      onChange={(next) => onChange([next].flat()[0] ?? 0)}
    >
      <Label className="figure-label">{label}</Label>
      <SliderOutput className="share-output">{words(value)}</SliderOutput>
      <SliderTrack className="share-track">
        <span className="share-fill" style={{ width: `${(value / most) * 100}%` }} aria-hidden="true" />
        <SliderThumb className="share-thumb" />
      </SliderTrack>
    </Slider>
  )
}
