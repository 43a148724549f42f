import type { PatternName } from '@trivium/gateway-core'
import { isPatternName } from '../schema/pattern.ts'

/** Patterns as the gateway takes them. */
export interface NamedPatterns {
  readonly names: readonly PatternName[]
  readonly expressions: Readonly<Record<string, string>>
}

/** Separates the names of known patterns from expressions, which are named `expression_1` and so on. */
export function patternsOf(patterns: readonly string[]): NamedPatterns {
  const expressions = patterns.filter((pattern) => !isPatternName(pattern))
  return {
    names: patterns.filter(isPatternName),
    expressions: Object.fromEntries(expressions.map((pattern, index) => [`expression_${index + 1}`, pattern])),
  }
}
