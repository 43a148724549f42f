import { Suspense } from 'react'
import type { ChartProps } from './chart/chart-figure.tsx'
import { lazyComponent } from './lazy-component.ts'

const Figure = lazyComponent(() => import('./chart/chart-figure.tsx'))

/** Shows numbers over time. Its code is loaded when the first chart is shown. */
export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<p className="quiet">Loading the chart…</p>}>
      <Figure {...props} />
    </Suspense>
  )
}
