/** The fields of a server-sent event that matter. */
export interface EventFields {
  readonly name: string | undefined
  /** `undefined` for a comment, or an event without data. */
  readonly data: string | undefined
}

/** Reads the text of one server-sent event. */
export function eventFields(given: string): EventFields {
  const text = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given
  let name: string | undefined
  let data: string | undefined
  for (let start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    if (text.startsWith('data:', start)) {
      const line = text.slice(start + 5, end)
      data = data === undefined ? line : `${data}\n${line}`
    } else if (text.startsWith('event:', start)) name = text.slice(start + 6, end).trim()
    start = end + 1
  }
  return { name, data: data?.trim() }
}

const BYTE_ORDER_MARK = '\uFEFF'
