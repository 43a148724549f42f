export type Row = Readonly<Record<string, string>>

/** Writes a Markdown table. Its columns are those of the first row, in their order. */
export function markdownTable(rows: readonly Row[]): string {
  const [first = {}] = rows
  const columns = Object.keys(first)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n')
}
