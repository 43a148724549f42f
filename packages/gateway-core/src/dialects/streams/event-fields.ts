/** The fields of a server-sent event that matter. */
export interface EventFields {
  readonly name: string | undefined
  /** `undefined` for a comment, or an event without data. */
  readonly data: string | undefined
}

/** Reads the text of one server-sent event. */
export function eventFields(text: string): EventFields {
  if (text.startsWith('data:')) {
    const end = text.search(LINE_END)
    if (end >= 0 && text.slice(end).search(NOT_LINE_END) < 0)
      return { name: undefined, data: text.slice(5, end).trim() }
  }
  return fieldsOfLines(text)
}

const LINE_END = /[\r\n]/
const NOT_LINE_END = /[^\r\n]/

function fieldsOfLines(text: string): EventFields {
  let name: string | undefined
  let data: string | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line.startsWith('data:')) data = data === undefined ? line.slice(5) : `${data}\n${line.slice(5)}`
    else if (line.startsWith('event:')) name = line.slice(6).trim()
  }
  return { name, data: data?.trim() }
}
