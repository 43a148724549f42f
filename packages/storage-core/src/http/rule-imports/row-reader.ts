import { asSentence, MalformedBody } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'
import type { WireRecord } from '../collections/field-selection.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { expand, repeatedField, unfold } from '../requests/unfold-body.ts'
import { parseCells, parseValues } from './csv-cells.ts'
import type { RuleFormat } from './import-formats.ts'
import { type RuleColumn, ruleColumns } from './rule-columns.ts'

/** Reads the body of the rule of one line, or `undefined` for a header. */
export type ReadRow = (bytes: Uint8Array) => Result<unknown, Failure>

export const rowReaders: Readonly<Record<RuleFormat, { readonly header: number; readonly open: () => ReadRow }>> = {
  csv: { header: 1, open: csvRows },
  jsonl: { header: 0, open: () => (bytes) => unlessMalformed(() => unfold({ kind: 'bytes', bytes })) },
}

const MAXIMUM_ITEMS = 1000

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function csvRows(): ReadRow {
  let columns: readonly RuleColumn[] | undefined
  return (bytes) =>
    decoded(bytes)
      .andThen(csvCells)
      .andThen((cells): Result<unknown, Failure> => {
        if (columns) return bodyOf(cells, columns).andThen((body) => unlessMalformed(() => expand(body)))
        return readHeader(cells).map((known): undefined => {
          columns = known
          return undefined
        })
      })
}

function decoded(bytes: Uint8Array): Result<string, Failure> {
  try {
    return ok(decoder.decode(bytes))
  } catch {
    return err(failure(400, 'invalidValue', 'The line is not UTF-8.'))
  }
}

function csvCells(line: string): Result<readonly string[], Failure> {
  const cells = parseCells(line)
  return 'reason' in cells ? err(failure(400, 'invalidValue', `The line is not CSV: ${cells.reason}.`)) : ok(cells)
}

function readHeader(cells: readonly string[]): Result<readonly RuleColumn[], Failure> {
  const columns = new Map<string, RuleColumn>()
  for (const name of cells) {
    const column = ruleColumns.get(name)
    if (!column) return err(failure(400, 'unexpectedArgument', `Unexpected column "${name}".`, name))
    if (columns.has(name)) return err(repeatedField(name))
    columns.set(name, column)
  }
  return ok([...columns.values()])
}

/** Returns the body of a row, whose names are dotted. Empty cells are absent. */
function bodyOf(cells: readonly string[], columns: readonly RuleColumn[]): Result<WireRecord, Failure> {
  if (cells.length > columns.length) {
    return err(failure(400, 'invalidValue', `The line has ${cells.length} cells, and the header ${columns.length}.`))
  }
  const body: { [name: string]: unknown } = {}
  const lists = new Map<string, unknown[]>()
  for (const [index, { name, list }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    const values = parseValues(cell, list !== undefined)
    if ('reason' in values) {
      return err(failure(400, 'invalidValue', `The value of "${name}" is not a list of CSV: ${values.reason}.`, name))
    }
    // Checked before an object is made of each item.
    if (values.length > MAXIMUM_ITEMS) {
      return err(failure(400, 'invalidValue', `The value of "${name}" has more than ${MAXIMUM_ITEMS} items.`, name))
    }
    if (!list) body[name] = values[0]
    else {
      const items = lists.get(list.member) ?? []
      lists.set(list.member, [...items, ...values.map((value) => (list.key === '' ? value : { [list.key]: value }))])
    }
  }
  return ok({ ...body, ...Object.fromEntries(lists) })
}

function unlessMalformed(parse: () => Result<unknown, Failure>): Result<unknown, Failure> {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error
    return err(failure(400, 'invalidJson', asSentence(`Invalid JSON: ${error.message}`)))
  }
}
