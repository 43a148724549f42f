import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { formatNumber } from '../format.ts'
import { Table } from '../table.tsx'
import 'uplot/dist/uPlot.min.css'
import './chart-figure.css'

export interface ChartSeries {
  readonly label: string
  /** One value for each time; `null` where there is no value. */
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  readonly title: string
  /** Milliseconds since 1970, in ascending order. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** Bars of several series are stacked. @default 'bars' */
  readonly shape?: 'bars' | 'line'
  /** Writes a time for the axis and the table. @default the day in UTC */
  readonly formatTime?: (time: number) => string
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const HEIGHT = 220

/** Shows the chart, and the same numbers as a table for screen readers and for exact values. */
export default function ChartFigure({
  title,
  times,
  series,
  shape = 'bars',
  formatTime = (time) => days.format(time),
}: ChartProps) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const { current } = place
    if (!current) return
    const plot = draw(current, { title, times, series, shape, formatTime })
    const resized = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }))
    resized.observe(current)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [title, times, series, shape, formatTime])

  const rows = times.map((time, index) => ({ time, values: series.map(({ values }) => values[index] ?? null) }))
  return (
    <figure className="chart stack">
      <figcaption>{title}</figcaption>
      <div ref={place} aria-hidden="true" />
      <details>
        <summary>As a table</summary>
        <Table
          caption={title}
          isSlim
          rows={rows}
          rowKey={({ time }) => String(time)}
          columns={[
            { header: 'Time', cell: ({ time }) => formatTime(time), isName: true },
            ...series.map(({ label }, index) => ({
              header: label,
              align: 'end' as const,
              cell: ({ values }: (typeof rows)[number]) => {
                const value = values[index]
                return value === null || value === undefined ? '' : formatNumber(value)
              },
            })),
          ]}
        />
      </details>
    </figure>
  )
}

/** Draws the chart. The horizontal axis is the index of the times, so that their distances are equal. */
function draw(place: HTMLElement, { times, series, shape, formatTime }: Required<ChartProps>): uPlot {
  const style = getComputedStyle(place)
  const color = (name: string) => style.getPropertyValue(`--chart-${name}`).trim() || style.color
  const axis = { stroke: style.color, grid: { stroke: color('line'), width: 1 }, ticks: { stroke: color('line') } }
  const isBars = shape === 'bars'
  const paths = uPlot.paths.bars?.({ size: [0.7, 60] })
  const drawn = series.map(({ label, values }, index) => ({
    values: isBars ? stacked(series, index) : [...values],
    options: {
      label,
      stroke: color(`series-${(index % 4) + 1}`),
      width: isBars ? 0 : 2,
      ...(isBars && { fill: color(`series-${(index % 4) + 1}`), points: { show: false }, ...(paths && { paths }) }),
    },
  }))
  // The highest bar is drawn first, so that the others are in front of it.
  if (isBars) drawn.reverse()
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: series.length > 1, live: false },
      scales: {
        x: { time: false, range: () => [-0.6, times.length - 0.4] },
        y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] },
      },
      axes: [
        {
          ...axis,
          space: 90,
          incrs: [1, 2, 5, 10, 20, 50, 100],
          values: (_plot, marks) => marks.map((mark) => (times[mark] === undefined ? '' : formatTime(times[mark]))),
        },
        { ...axis, values: (_plot, marks) => marks.map((mark) => formatNumber(mark)), size: 64 },
      ],
      series: [{}, ...drawn.map(({ options }) => options)],
    },
    [times.map((_, index) => index), ...drawn.map(({ values }) => values)],
    place,
  )
}

/** Returns the values of a series, added to those of the series before it. */
const stacked = (series: readonly ChartSeries[], last: number): number[] =>
  (series[last]?.values ?? []).map((_, time) =>
    series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[time] ?? 0), 0),
  )
