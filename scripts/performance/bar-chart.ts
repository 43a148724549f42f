export interface Bar {
  readonly label: string
  readonly value: number
  /** The ends of a thin line over the bar. */
  readonly least?: number
  readonly most?: number
  /** What the bar shows, which selects its colour. */
  readonly of: 'floor' | 'ours' | 'peer'
}

export interface BarChart {
  readonly title: string
  readonly bars: readonly Bar[]
  /** Dashed lines across all bars. */
  readonly marks?: readonly { readonly label: string; readonly value: number }[]
  readonly format: (value: number) => string
}

const WIDTH = 760
const LABELS = 210
const FIGURES = 90
const ROW = 26
const HEAD = 34
const MARKS = 18

const colours = { floor: '#8a8f98', ours: '#1f6feb', peer: '#c9883a' } as const

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Draws horizontal bars from zero as SVG. */
export function barChart({ title, bars, marks = [], format }: BarChart): string {
  const largest = Math.max(
    ...bars.map(({ value, most = value }) => Math.max(value, most)),
    ...marks.map((mark) => mark.value),
  )
  const scale = (WIDTH - LABELS - FIGURES) / largest
  const x = (value: number) => (LABELS + value * scale).toFixed(1)
  const top = HEAD + (marks.length > 0 ? MARKS : 0)
  const bottom = top + bars.length * ROW
  const rows = bars.flatMap(({ label, value, least, most, of }, index) => {
    const y = top + index * ROW
    const middle = y + ROW / 2
    const spread =
      least === undefined || most === undefined
        ? []
        : [`<path d="M${x(least)} ${middle}H${x(most)}" stroke="#1b1f24" stroke-width="1.5"/>`]
    return [
      `<text x="${LABELS - 8}" y="${middle + 4}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LABELS}" y="${y + 4}" width="${(value * scale).toFixed(1)}" height="${ROW - 8}" fill="${colours[of]}"/>`,
      ...spread,
      `<text x="${Number(x(Math.max(value, most ?? value))) + 6}" y="${middle + 4}">${escaped(format(value))}</text>`,
    ]
  })
  const lines = marks.flatMap(({ label, value }) => [
    `<path d="M${x(value)} ${top - 4}V${bottom}" stroke="#cf222e" stroke-dasharray="4 3"/>`,
    `<text x="${x(value)}" y="${top - 7}" text-anchor="middle" fill="#cf222e">${escaped(label)}</text>`,
  ])
  const height = bottom + 10
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1b1f24">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="12" y="22" font-weight="600">${escaped(title)}</text>`,
    ...rows,
    ...lines,
    '</svg>\n',
  ].join('\n')
}
