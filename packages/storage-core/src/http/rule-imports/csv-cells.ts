import papaparse from 'papaparse/papaparse.min.js'

/** Reads the cells of one line. @returns a clause without a full stop for a line that is not CSV */
export function parseCells(line: string): readonly string[] | { readonly reason: string } {
  const { data, errors } = papaparse.parse(line, { delimiter: ',', newline: '\n' })
  if (errors.some(({ type }) => type === 'Quotes')) return { reason: 'a quote is not closed' }
  const [cells = [], ...others] = data
  return others.length > 0 ? { reason: 'it has a line break' } : cells
}

/** Writes one line, without a line break. A single empty cell is in quotes, because an empty line has no cells. */
export const printCells = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""' : cells.map(printCell).join(',')

const printCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Reads the values of a cell, which is a line of CSV itself: names with commas and the empty name are in quotes. */
export function parseValues(cell: string, isList: boolean): readonly string[] | { readonly reason: string } {
  if (!isList && !cell.startsWith('"')) return [cell]
  const values = parseCells(cell)
  return 'reason' in values || isList || values.length === 1 ? values : { reason: 'it has several values' }
}

/** Writes the values of a cell. Without values it is empty. */
export function printValues(values: readonly string[], isList: boolean): string {
  const [single = ''] = values
  if (isList || values.length === 0 || single === '' || single.startsWith('"')) {
    return values.length === 0 ? '' : printCells(values)
  }
  return single
}
