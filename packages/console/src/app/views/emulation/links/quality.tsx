import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CheckField } from '../../../components/field.tsx'
import { areEqual, type Direction, directionsOf, impairmentOf, isUnimpaired, noImpairment } from './impairment.ts'
import type { Impairment, Link } from './link.ts'
import { QualitySlider } from './quality-slider.tsx'
import { useImpairment } from './use-impairment.ts'

export interface QualityProps {
  readonly projectId: string
  readonly link: Link
}

/** Shows and changes the impairments of a link. Changes apply immediately. */
export function Quality({ projectId, link }: QualityProps) {
  const { shown, impair } = useImpairment(projectId, link)
  const directions = directionsOf(shown)
  const impairments = directions.map(impairmentOf)
  const [first] = directions
  const areSame = impairments.every((impairment) => areEqual(impairment, impairments[0] ?? noImpairment))
  const [bothChosen, setBothChosen] = useState(areSame)
  const isBoth = bothChosen && areSame
  if (!first) return null

  const change = (direction: Direction | undefined, impairment: Impairment) =>
    impair((direction ? [direction] : directions).map((one) => ({ direction: one, impairment })))
  const chooseBoth = (both: boolean) => {
    setBothChosen(both)
    if (both && !areSame) change(undefined, impairmentOf(first))
  }

  return (
    <section className="stack quality" aria-label="Link quality">
      <div className="row heading">
        <h3>Quality</h3>
        <Button disabled={impairments.every(isUnimpaired)} onClick={() => change(undefined, noImpairment)}>
          Remove impairments
        </Button>
      </div>
      <CheckField label="The same in both directions" checked={isBoth} onChange={chooseBoth} />
      {isBoth ? (
        <Sliders impairment={impairmentOf(first)} onChange={(impairment) => change(undefined, impairment)} />
      ) : (
        directions.map((direction) => (
          <fieldset key={direction.name}>
            <legend>{direction.name}</legend>
            <Sliders
              impairment={impairmentOf(direction)}
              onChange={(impairment) => change(direction, impairment)}
              of={direction.name}
            />
          </fieldset>
        ))
      )}
    </section>
  )
}

interface SlidersProps {
  readonly impairment: Impairment
  readonly onChange: (impairment: Impairment) => void
  /** The direction, which distinguishes the sliders of two directions. */
  readonly of?: string
}

const Sliders = ({ impairment, onChange, of }: SlidersProps) => (
  <div className="sliders">
    {sliders.map(({ field, label, unit, sliderMax, limit, step, scale = 1 }) => (
      <QualitySlider
        key={field}
        label={of === undefined ? label : `${label}, ${of}`}
        visibleLabel={label}
        unit={unit}
        sliderMax={sliderMax}
        limit={limit}
        step={step}
        value={impairment[field] / scale}
        onChange={(value) => onChange({ ...impairment, [field]: Math.round(value * scale * 1000) / 1000 })}
      />
    ))}
  </div>
)

interface SliderOptions {
  readonly field: keyof Impairment
  readonly label: string
  readonly unit: string
  /** The maximum of the slider. */
  readonly sliderMax: number
  /** The maximum of the server, in the same unit. */
  readonly limit: number
  readonly step: number
  /** How many units of the API one of this unit is. @default 1 */
  readonly scale?: number
}

const sliders: readonly SliderOptions[] = [
  { field: 'delay_ms', label: 'Delay', unit: 'ms', sliderMax: 500, limit: 60_000, step: 1 },
  { field: 'jitter_ms', label: 'Jitter', unit: 'ms', sliderMax: 200, limit: 60_000, step: 1 },
  { field: 'loss_percent', label: 'Loss', unit: '%', sliderMax: 100, limit: 100, step: 0.5 },
  { field: 'duplication_percent', label: 'Duplication', unit: '%', sliderMax: 100, limit: 100, step: 0.5 },
  { field: 'corruption_percent', label: 'Corruption', unit: '%', sliderMax: 100, limit: 100, step: 0.5 },
  {
    field: 'bandwidth_bps',
    label: 'Rate limit',
    unit: 'kbit/s',
    sliderMax: 100_000,
    limit: 1_000_000_000,
    step: 100,
    scale: 1000,
  },
]
