import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CheckField } from '../../../components/field.tsx'
import { type Direction, directionsOf, impairmentOf, isPerfect, isSame, perfect } from './impairment.ts'
import type { Impairment, Link } from './link.ts'
import { QualitySlider } from './quality-slider.tsx'
import { useImpairment } from './use-impairment.ts'

export interface QualityProps {
  readonly projectId: string
  readonly link: Link
}

/** Shows and changes the impairments of a link. Changes apply immediately. */
export function Quality({ projectId, link }: QualityProps) {
  const impair = useImpairment(projectId)
  const directions = directionsOf(link)
  const impairments = directions.map(impairmentOf)
  const [first] = directions
  const areSame = impairments.every((impairment) => isSame(impairment, impairments[0] ?? perfect))
  const [wantsBoth, setWantsBoth] = useState(areSame)
  const isBoth = wantsBoth && areSame
  if (!first) return null

  const change = (direction: Direction | undefined, impairment: Impairment) =>
    impair((direction ? [direction] : directions).map((one) => ({ direction: one, impairment })))
  const joinBoth = (both: boolean) => {
    setWantsBoth(both)
    if (both && !areSame) change(undefined, impairmentOf(first))
  }

  return (
    <section className="stack quality" aria-label="Link quality">
      <div className="row heading">
        <h3>Quality</h3>
        <Button disabled={impairments.every(isPerfect)} onClick={() => change(undefined, perfect)}>
          Remove impairments
        </Button>
      </div>
      <CheckField label="The same in both directions" checked={isBoth} onChange={joinBoth} />
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
    {sliders.map(({ field, label, unit, most, limit, step, scale = 1 }) => (
      <QualitySlider
        key={field}
        label={of === undefined ? label : `${label}, ${of}`}
        words={label}
        unit={unit}
        most={most}
        limit={limit}
        step={step}
        value={impairment[field] / scale}
        onChange={(value) => onChange({ ...impairment, [field]: Math.round(value * scale * 1000) / 1000 })}
      />
    ))}
  </div>
)

interface SliderWords {
  readonly field: keyof Impairment
  readonly label: string
  readonly unit: string
  /** The maximum of the slider. */
  readonly most: number
  /** The maximum of the server, in the same unit. */
  readonly limit: number
  readonly step: number
  /** How many units of the API one of this unit is. @default 1 */
  readonly scale?: number
}

const sliders: readonly SliderWords[] = [
  { field: 'delay_ms', label: 'Delay', unit: 'ms', most: 500, limit: 60_000, step: 1 },
  { field: 'jitter_ms', label: 'Jitter', unit: 'ms', most: 200, limit: 60_000, step: 1 },
  { field: 'loss_percent', label: 'Loss', unit: '%', most: 100, limit: 100, step: 0.5 },
  { field: 'duplication_percent', label: 'Duplication', unit: '%', most: 100, limit: 100, step: 0.5 },
  { field: 'corruption_percent', label: 'Corruption', unit: '%', most: 100, limit: 100, step: 0.5 },
  {
    field: 'bandwidth_bps',
    label: 'Rate limit',
    unit: 'kbit/s',
    most: 100_000,
    limit: 1_000_000_000,
    step: 100,
    scale: 1000,
  },
]
