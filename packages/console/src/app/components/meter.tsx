import type { ReactNode } from 'react'
import './meter.css'

export interface MeterProps {
  readonly label: string
  readonly value: number
  /** When absent, there is no limit and the bar stays empty. */
  readonly max?: number | undefined
  /** Shown next to the label: `3 of 10 MiB`. */
  readonly text: string
  /** The share of `max` from which the colour warns. @default 0.8 */
  readonly warnFrom?: number
  /** @default 'bar' */
  readonly shape?: 'bar' | 'gauge'
}

/** Shows a value as a share of its maximum. */
export function Meter({ label, value, max, text, warnFrom = 0.8, shape = 'bar' }: MeterProps) {
  const share = max === undefined || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max))
  const tone = share >= 1 ? 'full' : share >= warnFrom ? 'warn' : 'fine'
  return (
    <div className={`meter ${tone}`}>
      <div className="words">
        <span>{label}</span>
        <span className="quiet">{text}</span>
      </div>
      <meter className="visually-hidden" aria-label={label} aria-valuetext={text} value={share} />
      {shape === 'bar' ? <Bar share={share} /> : <Gauge share={share}>{`${Math.round(100 * share)} %`}</Gauge>}
    </div>
  )
}

const Bar = ({ share }: { readonly share: number }) => (
  <svg className="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect className="track" width="100" height="4" />
    <rect className="filled" width={100 * share} height="4" />
  </svg>
)

const HALF_CIRCLE = Math.PI * 40

const Gauge = ({ share, children }: { readonly share: number; readonly children: ReactNode }) => (
  <svg className="gauge" viewBox="0 0 100 56" aria-hidden="true">
    <path className="track" d="M10 50a40 40 0 0 1 80 0" />
    <path className="filled" d="M10 50a40 40 0 0 1 80 0" strokeDasharray={`${share * HALF_CIRCLE} ${HALF_CIRCLE}`} />
    <text x="50" y="48">
      {children}
    </text>
  </svg>
)
