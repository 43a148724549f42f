import { useId } from 'react'

export interface QualitySliderProps {
  /** The accessible name. */
  readonly label: string
  /** The visible label. */
  readonly visibleLabel: string
  readonly unit: string
  readonly value: number
  /** The maximum of the slider. The number field next to it accepts values up to `limit`. */
  readonly sliderMax: number
  readonly limit: number
  readonly step: number
  readonly onChange: (value: number) => void
}

/** Shows a number as a slider and as a field. */
export function QualitySlider({
  label,
  visibleLabel,
  unit,
  value,
  sliderMax,
  limit,
  step,
  onChange,
}: QualitySliderProps) {
  const id = useId()
  const change = (next: number) => {
    if (!Number.isNaN(next)) onChange(Math.min(limit, Math.max(0, next)))
  }
  return (
    <div className="quality-slider">
      <label htmlFor={id}>{visibleLabel}</label>
      <input
        id={id}
        type="range"
        aria-label={label}
        aria-valuetext={`${value} ${unit}`}
        min={0}
        max={sliderMax}
        step={step}
        value={value}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
      <span className="number">
        <input
          type="number"
          aria-label={`${label} in ${unit}`}
          min={0}
          max={limit}
          step="any"
          value={value}
          onChange={({ target }) => change(target.valueAsNumber)}
        />
        <span className="quiet">{unit}</span>
      </span>
    </div>
  )
}
