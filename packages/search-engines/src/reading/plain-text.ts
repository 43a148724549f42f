import { Parser } from 'htmlparser2'

const unread: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'iframe'])

/** The most characters of a title or a summary. */
const MAX_LENGTH = 2000

/** Converts HTML to the text that a browser shows, on one line of at most 2,000 characters. */
export function plainText(html: string): string {
  if (!/[<&\s]/.test(html)) return html.slice(0, MAX_LENGTH)
  let text = ''
  let hidden = 0
  const parser = new Parser({
    ontext: (part) => {
      if (hidden === 0) text += part
    },
    onopentagname: (name) => {
      if (unread.has(name)) hidden++
      else if (!inline.has(name)) text += ' '
    },
    onclosetag: (name) => {
      if (unread.has(name)) hidden = Math.max(0, hidden - 1)
    },
  })
  parser.end(html.slice(0, MAX_LENGTH * 10))
  return oneLine(text)
}

const inline: ReadonlySet<string> = new Set(['a', 'b', 'strong', 'i', 'em', 'mark', 'span', 'sup', 'sub', 'wbr', 'u'])

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)
