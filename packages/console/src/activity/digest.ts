const SECOND = 1000

/** Gathers what happens often, and hands it on at most once a second. */
export function createDigest<Item>(handOn: (items: ReadonlyMap<string, Item>) => void) {
  let gathered = new Map<string, Item>()
  const end = () => {
    const items = gathered
    gathered = new Map()
    handOn(items)
  }
  return {
    /** `merge` gets what is gathered under that key already. */
    add(key: string, merge: (earlier: Item | undefined) => Item): void {
      if (gathered.size === 0) setTimeout(end, SECOND).unref()
      gathered.set(key, merge(gathered.get(key)))
    },
  }
}
