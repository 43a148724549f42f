/** A part of a filter. Quoted text has no operators. */
export type FilterToken =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'any-of' }
  | { readonly kind: 'range' }
  | { readonly kind: 'not' }
  | { readonly kind: 'compare'; readonly operator: '<' | '<=' | '>' | '>=' }

const OPERATOR = /\*|\||\.\.|"|\{|,/g
const PREFIX = /^(!|<=|>=|<|>)/

/**
 * Splits a filter into tokens. `!` and comparisons are operators only at the start of a term. A comma means any-of only
 * for array fields.
 *
 * @returns `undefined` for an unterminated quotation
 */
export function filterTokens(filter: string, isArray: boolean): readonly FilterToken[] | undefined {
  const tokens: FilterToken[] = []
  let rest = filter
  let atStart = true
  while (rest !== '') {
    const prefix: string | undefined = atStart ? PREFIX.exec(rest)?.[1] : undefined
    if (prefix !== undefined) {
      tokens.push(prefix === '!' ? { kind: 'not' } : { kind: 'compare', operator: comparison(prefix) })
      atStart = prefix === '!'
      rest = rest.slice(prefix.length)
      continue
    }
    atStart = false
    OPERATOR.lastIndex = 0
    let found = OPERATOR.exec(rest)
    while (found?.[0] === ',' && !isArray) found = OPERATOR.exec(rest)
    if (!found) {
      tokens.push({ kind: 'text', text: rest, quoted: false })
      break
    }
    if (found.index > 0) tokens.push({ kind: 'text', text: rest.slice(0, found.index), quoted: false })
    const [operator] = found
    rest = rest.slice(found.index + operator.length)
    if (operator === '"' || operator === '{') {
      const end = rest.indexOf(operator === '"' ? '"' : '}')
      if (end < 0) return undefined
      tokens.push({ kind: 'text', text: rest.slice(0, end), quoted: true })
      rest = rest.slice(end + 1)
    } else if (operator === '*') tokens.push({ kind: 'wildcard' })
    else if (operator === '..') tokens.push({ kind: 'range' })
    else {
      tokens.push({ kind: 'any-of' })
      atStart = true
    }
  }
  return tokens
}

const comparison = (text: string): '<' | '<=' | '>' | '>=' =>
  text === '<' || text === '<=' || text === '>' ? text : '>='
