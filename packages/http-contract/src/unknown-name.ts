/** The names of all fields of a type. One that is absent or does not exist does not compile. */
export type FieldNames<Fields> = Readonly<Record<keyof Fields, true>>

/** Returns the first field of a value that is not known; `undefined` if none is. A field that is undefined is absent. */
export const unknownName = <Fields extends object>(value: Fields, known: FieldNames<Fields>): string | undefined =>
  Object.entries(value).find(([name, field]) => field !== undefined && !Object.hasOwn(known, name))?.[0]
