/** Changes of an object. An absent or `undefined` member is kept, and `null` removes an optional one. */
export type Changes<Value> = {
  readonly [Name in keyof Value]?:
    | (Value[Name] extends Exclude<Value[Name], undefined> ? Value[Name] : Value[Name] | null)
    | undefined
}

/** Returns the changed object. */
export function withChanges<Value extends object>(value: Value, changes: Changes<Value>): Value {
  const changed = Object.entries(changes).filter(([, change]) => change !== undefined)
  const merged = Object.entries({ ...value, ...Object.fromEntries(changed) }).filter(([, member]) => member !== null)
  // Only optional members can be removed.
  return Object.fromEntries(merged) as Value
}
