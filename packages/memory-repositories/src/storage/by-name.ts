import { compareValues } from '@trivium/storage-core/ports'

export const byName = <Named extends { readonly name: string }>(items: Iterable<Named>): readonly Named[] =>
  [...items].sort((left, right) => compareValues(left.name, right.name))
