import type { FieldValue } from './field-catalogue.ts'

/** A parsed filter: every clause must hold. No clause at all matches every record. */
export interface Query<Name extends string> {
  readonly all: readonly Clause<Name>[]
}

/** Holds when any of its conditions does: `>5|null`, or one pattern over several fields. */
export interface Clause<Name extends string> {
  readonly any: readonly Condition<Name>[]
}

/**
 * One test of one field. An unset field fails every test but `null`, negated ones too: `!3` means set and not 3.
 */
export interface Condition<Name extends string> {
  readonly field: Name
  readonly negated: boolean
  readonly term: Term
}

/** A test of one field. */
export type Term =
  /** The field is unset; negated: it is set. */
  | { readonly kind: 'null' }
  | { readonly kind: 'equals'; readonly value: FieldValue }
  /** Text is compared by code point, case matters. Booleans are never compared. */
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly value: string | number }
  /** Both ends belong to it. */
  | { readonly kind: 'range'; readonly from: string | number; readonly to: string | number }
  /**
   * What stands between the wildcards, at least two parts: `abc*xyz` is `['abc', 'xyz']`, `*` is `['', '']`. Other
   * fields than text only have `['', '']`, which every set value fits.
   */
  | { readonly kind: 'pattern'; readonly parts: readonly string[] }

/** How a value is compared, in the order of its type. */
export type CompareOperator = '<' | '<=' | '>' | '>='

/** The query that every record fits. */
export const everything: Query<never> = { all: [] }
