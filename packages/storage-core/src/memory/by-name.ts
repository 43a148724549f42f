import { compareValues } from '../query/compare-values.ts'

export const byName = <Named extends { readonly name: string }>(items: Iterable<Named>): readonly Named[] =>
  [...items].sort((left, right) => compareValues(left.name, right.name))
