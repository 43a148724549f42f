/** The type of an object with its names in camel case. */
export type CamelCased<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value as Key extends string ? CamelName<Key> : Key]: CamelCased<Value[Key]> }
    : Value

type CamelName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name

/** Renames `max_entries` to `maxEntries`, also in objects within. Lists are left as they are. */
export function inCamelCase<Value extends object>(value: Value): CamelCased<Value>
export function inCamelCase(value: object): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      typeof member === 'object' && member !== null && !Array.isArray(member) ? inCamelCase(member) : member,
    ]),
  )
}
