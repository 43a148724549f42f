/** Returns a function that makes the value of each object once. The object must not change. */
export function perObject<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
