import type { FieldValue } from './field-catalogue.ts'
import type { Alternative } from './parse-filter.ts'
import type { FieldShape } from './parse-value.ts'
import type { Term } from './query.ts'

/** Prints alternatives as a filter that {@link parseFilter} parses to the same ones. */
export const printFilter = (alternatives: readonly Alternative[], field: FieldShape): string =>
  alternatives.map(({ negated, term }) => `${negated ? '!' : ''}${printTerm(term, field)}`).join('|')

function printTerm(term: Term, field: FieldShape): string {
  switch (term.kind) {
    case 'null':
      return 'null'
    case 'equals':
      return printValue(term.value, field)
    case 'compare':
      return `${term.operator}${printValue(term.value, field)}`
    case 'range':
      return `${printValue(term.from, field)}..${printValue(term.to, field)}`
    case 'pattern':
      return term.parts.map((part) => (part === '' ? '' : quote(part))).join('*')
  }
}

function printValue(value: FieldValue, { type }: FieldShape): string {
  if (typeof value !== 'string') return type === 'date' ? new Date(Number(value)).toISOString() : String(value)
  return quote(value)
}

/** Quoted text has no escapes, so quotation marks are quoted in braces, piece by piece. */
const quote = (text: string): string =>
  text.includes('"')
    ? text
        .split('"')
        .map((piece) => `"${piece}"`)
        .join('{"}')
    : `"${text}"`
