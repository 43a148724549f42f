/** Yields a value that is an object or a list, and all within it, each before its members are read. */
export function* objectsIn(value: unknown): Generator<object> {
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    yield next
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) open.push(member)
  }
}
