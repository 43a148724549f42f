import { useId } from 'react'

export interface QualitySliderProps {
  /** The accessible name. */
  readonly label: string
  /** The visible label. */
  readonly words: string
  readonly unit: string
  readonly value: number
  /** The maximum of the slider. The number field next to it accepts values up to `limit`. */
  readonly most: number
  readonly limit: number
  readonly step: number
  readonly onChange: (value: number) => void
}

/** Shows a number as a slider and as a field. */
export function QualitySlider({ label, words, unit, value, most, limit, step, onChange }: QualitySliderProps) {
  const id = useId()
  const change = (wanted: number) => {
    if (!Number.isNaN(wanted)) onChange(Math.min(limit, Math.max(0, wanted)))
  }
  return (
    <div className="quality-slider">
      <label htmlFor={id}>{words}</label>
      <input
        id={id}
        type="range"
        aria-label={label}
        aria-valuetext={`${value} ${unit}`}
        min={0}
        max={most}
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
