import { err, ok, Result } from 'neverthrow'
import type { FieldValue } from './field-catalogue.ts'
import { type FilterToken, filterTokens } from './filter-tokens.ts'
import { type FieldShape, type InvalidValue, parseValue } from './parse-value.ts'
import type { Condition, OrderedValue, Term } from './query.ts'

/** One of the alternatives of a filter, without its field. */
export type Alternative = Omit<Condition<never>, 'field'>

export type FilterError =
  | InvalidValue
  | {
      readonly type: 'malformed-filter'
      /** A clause in lower case, such as `a quotation is not closed`. */
      readonly reason: string
    }

/** The maximum number of alternatives of one filter. */
const MAXIMUM_ALTERNATIVES = 1000
/** Each of them is compared with each record. */
const MAXIMUM_PATTERNS = 20

/**
 * Parses a filter on one field: `3|5..9|>100`, `!abc*`, `null`, `"quoted | literally"`, `{or like this}`.
 * It holds when one of the alternatives does.
 */
export function parseFilter(filter: string, field: FieldShape): Result<readonly Alternative[], FilterError> {
  const tokens = filterTokens(filter, field.array === true)
  if (!tokens) return malformed('a quotation is not closed')
  const alternatives = splitAt(tokens, 'any-of')
  if (alternatives.length > MAXIMUM_ALTERNATIVES)
    return malformed(`it has more than ${MAXIMUM_ALTERNATIVES} alternatives`)
  const patterns = alternatives.filter((tokens) => tokens.some(({ kind }) => kind === 'wildcard'))
  if (patterns.length > MAXIMUM_PATTERNS) return malformed(`it has more than ${MAXIMUM_PATTERNS} patterns`)
  return Result.combine(alternatives.map((alternative) => parseAlternative(alternative, field)))
}

function parseAlternative(tokens: readonly FilterToken[], field: FieldShape): Result<Alternative, FilterError> {
  const negated = tokens[0]?.kind === 'not'
  const rest = negated ? tokens.slice(1) : tokens
  if (rest.some(({ kind }) => kind === 'not')) return malformed('! is repeated')
  return parseTerm(rest, field).map((term) => ({ negated, term }))
}

function parseTerm(tokens: readonly FilterToken[], field: FieldShape): Result<Term, FilterError> {
  const [first] = tokens
  if (first?.kind === 'compare') return parseComparison(first.operator, tokens.slice(1), field)
  const ends = splitAt(tokens, 'range')
  if (ends.length > 1) return parseRange(ends, field)
  if (tokens.length === 1 && first?.kind === 'text' && !first.quoted && first.text === 'null')
    return ok({ kind: 'null' })
  if (tokens.some(({ kind }) => kind === 'wildcard')) return parsePattern(tokens, field)
  return literal(tokens).andThen((text) => parseEquals(text, field))
}

function parseEquals(text: string, field: FieldShape): Result<Term, FilterError> {
  const { type, values } = field
  if (type === 'enum' && values && !values.includes(text)) {
    return err({ type: 'invalid-value', value: text, expected: `one of ${values.join(', ')}` })
  }
  return parseValue(text, field).map(({ from, to }) => {
    return from === to || typeof from === 'boolean' || typeof to === 'boolean'
      ? { kind: 'equals', value: from }
      : { kind: 'range', from, to }
  })
}

function parseComparison(
  operator: '<' | '<=' | '>' | '>=',
  tokens: readonly FilterToken[],
  field: FieldShape,
): Result<Term, FilterError> {
  return orderedLiteral(tokens, field).map(({ from, to }) => {
    return { kind: 'compare', operator, value: operator === '>' || operator === '<=' ? to : from }
  })
}

function parseRange(ends: readonly (readonly FilterToken[])[], field: FieldShape): Result<Term, FilterError> {
  const [first = [], last = [], ...others] = ends
  if (others.length > 0) return malformed('.. is repeated')
  if (first.length === 0 || last.length === 0) return malformed('.. needs two values')
  return orderedLiteral(first, field).andThen(({ from }) =>
    orderedLiteral(last, field).map(({ to }): Term => ({ kind: 'range', from, to })),
  )
}

function orderedLiteral(
  tokens: readonly FilterToken[],
  field: FieldShape,
): Result<{ readonly from: OrderedValue; readonly to: OrderedValue }, FilterError> {
  if (tokens.length === 0) return malformed('a comparison has no value')
  return literal(tokens)
    .andThen((text) => parseValue(text, field))
    .andThen(({ from, to }) =>
      isOrdered(from) && isOrdered(to) ? ok({ from, to }) : malformed('true and false have no order'),
    )
}

const isOrdered = (value: FieldValue): value is OrderedValue => typeof value !== 'boolean'

function parsePattern(tokens: readonly FilterToken[], { type }: FieldShape): Result<Term, FilterError> {
  const parts = splitAt(tokens, 'wildcard')
  return Result.combine(parts.map((part) => literal(part))).andThen(
    ([first = '', ...rest]): Result<Term, FilterError> => {
      const last = rest.pop() ?? ''
      const texts = [first, ...rest.filter((text) => text !== ''), last]
      const isText = type === 'string' || type === 'enum' || type === 'uuid'
      if (!isText && texts.some((text) => text !== '')) return malformed('wildcards are allowed for text only')
      if (texts.some((text) => text.includes('\0'))) return malformed('it has a control character')
      return ok({ kind: 'pattern', parts: texts })
    },
  )
}

/** Joins tokens that are all text. */
function literal(tokens: readonly FilterToken[]): Result<string, FilterError> {
  let text = ''
  for (const token of tokens) {
    if (token.kind !== 'text') return malformed('an operator in a value has to be quoted')
    text += token.text
  }
  return ok(text)
}

function splitAt(tokens: readonly FilterToken[], kind: FilterToken['kind']): readonly (readonly FilterToken[])[] {
  const parts: FilterToken[][] = [[]]
  for (const token of tokens) {
    if (token.kind === kind) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

const malformed = (reason: string) => err({ type: 'malformed-filter', reason } as const)
