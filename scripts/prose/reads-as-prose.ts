const SQL = /^(?:select|insert|update|delete|create|alter|drop|with|pragma|begin|lock|set|where|order by|union) /i

/** Returns whether a string is a text for people: at least three plain words, most of all its words, and not a statement of SQL. */
export function readsAsProse(text: string): boolean {
  if (SQL.test(text) || /[{};=<>\\]|--/.test(text)) return false
  const words = text.split(' ')
  const plain = words.filter((word) => /^[("'“]?[A-Za-z][a-z]*(?:['’][a-z]+)?[.,:;)"'”?!]*$/.test(word))
  return plain.length >= 3 && plain.length * 2 > words.length
}
