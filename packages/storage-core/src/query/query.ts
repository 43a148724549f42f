import type { FieldValue } from './field-catalogue.ts'

/** A parsed filter. Every clause must hold. Without clauses, it matches every record. */
export interface Query<Name extends string> {
  readonly all: readonly Clause<Name>[]
}

/** A clause holds when one of its conditions does: `>5|null`, or one pattern over several fields. */
export interface Clause<Name extends string> {
  readonly any: readonly Condition<Name>[]
}

/**
 * One test of one field. An unset field fails every test except `null`, also negated ones: `!3` means set and not 3.
 */
export interface Condition<Name extends string> {
  readonly field: Name
  readonly negated: boolean
  readonly term: Term
}

/** A value that has an order. */
export type OrderedValue = Exclude<FieldValue, boolean>

/** A test of one field. */
export type Term =
  /** The field is unset, or set when negated. */
  | { readonly kind: 'null' }
  | { readonly kind: 'equals'; readonly value: FieldValue }
  /** Text is compared by code point, case-sensitively. Booleans are never compared. */
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly value: OrderedValue }
  /** Both ends are inclusive. */
  | { readonly kind: 'range'; readonly from: OrderedValue; readonly to: OrderedValue }
  /**
   * The texts between the wildcards, at least two: `abc*xyz` is `['abc', 'xyz']`, `*` is `['', '']`. Fields other than
   * text only have `['', '']`, which matches every set value.
   */
  | { readonly kind: 'pattern'; readonly parts: readonly string[] }

/** A comparison in the order of the field's type. */
export type CompareOperator = '<' | '<=' | '>' | '>='

/** The clause that a field has one of some values. Without values, it matches no record. */
export const oneOf = <Name extends string>(field: Name, values: readonly FieldValue[]): Clause<Name> => ({
  any: values.map((value) => ({ field, negated: false, term: { kind: 'equals', value } })),
})

/** The query that matches every record. */
export const everything: Query<never> = { all: [] }
