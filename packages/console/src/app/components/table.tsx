import type { ReactNode } from 'react'
import './table.css'

export interface Column<Row> {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** @default 'start' */
  readonly align?: 'start' | 'end'
  /** Whether the column names the row. A table has one such column. @default false */
  readonly isName?: boolean
}

export interface TableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode
  /** Whether the columns also fit next to each other on a narrow page. @default false */
  readonly isSlim?: boolean
}

/** Shows rows in columns. A wide table scrolls sideways. On a narrow page each row is a block of lines. */
export function Table<Row>({ caption, columns, rows, rowKey, empty, isSlim = false }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={isSlim ? 'table' : 'table folds'} aria-label={caption} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, align }) => (
              <th key={header} scope="col" className={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ header, cell, align, isName }) =>
                isName ? (
                  <th key={header} scope="row" className={align}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={header} className={align} data-header={header}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
