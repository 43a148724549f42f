const USES_BEFORE_A_NAME = 5
const TEXTS_WATCHED = 1_000
const NAMES_GIVEN = 200

/**
 * Names statements that are used often. The server then plans them once for each connection, which halves the cost of
 * short statements. Both lists are bounded, since clients can cause any number of different statements.
 */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  return (text) => {
    const name = names.get(text)
    if (name !== undefined || names.size >= NAMES_GIVEN) return name
    const count = (uses.get(text) ?? 0) + 1
    if (count < USES_BEFORE_A_NAME) {
      if (uses.size >= TEXTS_WATCHED) uses.clear()
      uses.set(text, count)
      return undefined
    }
    uses.delete(text)
    const newName = `trivium_${names.size}`
    names.set(text, newName)
    return newName
  }
}
