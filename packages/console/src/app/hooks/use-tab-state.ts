import { useEffect, useState } from 'react'

/** Keeps state as JSON in the session storage, for as long as the tab is open. `read` checks the stored value. */
export function useTabState<Value>(
  name: string,
  initial: Value,
  read: (stored: unknown) => Value | undefined,
): readonly [Value, (value: Value) => void] {
  const key = `trivium.${name}`
  const [value, setValue] = useState<Value>(() => {
    const stored = sessionStorage.getItem(key)
    return stored === null ? initial : (read(JSON.parse(stored)) ?? initial)
  })
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(value)), [key, value])
  return [value, setValue]
}
