/**
 * Finds a key that occurs twice in one object of a JSON text, which `JSON.parse` accepts.
 *
 * @param text valid JSON
 */
export function repeatedKey(text: string): string | undefined {
  /** The keys of each open object, or `undefined` for an open array. */
  const open: (Set<string> | undefined)[] = []
  let isKey = false
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '{':
        open.push(new Set())
        isKey = true
        break
      case '[':
        open.push(undefined)
        isKey = false
        break
      case '}':
      case ']':
        open.pop()
        isKey = false
        break
      case ',':
        isKey = open.at(-1) !== undefined
        break
      case '"': {
        const end = endOfString(text, index)
        if (isKey) {
          const key: string = JSON.parse(text.slice(index, end + 1))
          const keys = open.at(-1)
          if (keys?.has(key)) return key
          keys?.add(key)
          isKey = false
        }
        index = end
      }
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
