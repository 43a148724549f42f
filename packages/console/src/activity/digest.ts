const SECOND = 1000

/** Gathers frequent events by key, and passes them to `deliver` at most once a second. */
export function createDigest<Item>(deliver: (items: ReadonlyMap<string, Item>) => void) {
  let gathered = new Map<string, Item>()
  const end = () => {
    const items = gathered
    gathered = new Map()
    deliver(items)
  }
  return {
    /** `merge` receives what is already gathered under the key; `undefined` when it is the first. */
    add(key: string, merge: (earlier: Item | undefined) => Item): void {
      if (gathered.size === 0) setTimeout(end, SECOND).unref()
      gathered.set(key, merge(gathered.get(key)))
    },
  }
}
