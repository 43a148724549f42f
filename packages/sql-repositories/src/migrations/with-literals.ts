import type { CompiledQuery } from 'kysely'
import type { DialectName } from '../dialects/dialect.ts'

/** A text or a name in quotes, or the place of a parameter. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\$\d+|\?/g

/** Returns the text of a statement with its parameters in their places. */
export function withLiterals(dialect: DialectName, { sql, parameters }: CompiledQuery): string {
  let next = 0
  return sql
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(TOKEN, (token) => {
      if (token === '?') return literal(dialect, parameters[next++])
      return /^\$\d/.test(token) ? literal(dialect, parameters[Number(token.slice(1)) - 1]) : token
    })
}

function literal(dialect: DialectName, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') throw new TypeError('A migration has a value that is not text or a number.')
  const text = value.replaceAll("'", "''")
  return `'${dialect === 'mysql' ? text.replaceAll('\\', '\\\\') : text}'`
}
