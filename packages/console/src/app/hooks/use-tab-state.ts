import { useEffect, useState } from 'react'

/** Keeps state as JSON in the session storage, for as long as the tab is open. `read` checks the stored value. */
export function useTabState<Value>(
  name: string,
  initial: Value,
  read: (kept: unknown) => Value | undefined,
): readonly [Value, (value: Value) => void] {
  const key = `trivium.${name}`
  const [value, setValue] = useState<Value>(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? initial : (read(JSON.parse(kept)) ?? initial)
  })
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(value)), [key, value])
  return [value, setValue]
}
