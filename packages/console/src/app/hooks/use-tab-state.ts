import { useEffect, useState } from 'react'

/** State that outlives the view, but not the tab. Values go through JSON. */
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
