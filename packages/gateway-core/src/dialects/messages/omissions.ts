/** Collects the client's names of what a writer leaves out, each once. */
export interface Omissions {
  add(name: string): void
  readonly names: readonly string[]
}

/** The most names of one request. */
const MOST = 64

export function omissions(): Omissions {
  const names = new Set<string>()
  return {
    add: (name) => {
      if (names.size < MOST) names.add(name.slice(0, 128))
    },
    get names() {
      return [...names]
    },
  }
}
