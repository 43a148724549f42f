import { MalformedForm } from './malformed-form.ts'

/** What the headers of a part say. */
export interface PartHead {
  /** The name of the field. */
  readonly name: string
  readonly isFile: boolean
}

const MAX_NAME = 1000

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parsers read control characters in different ways. */
const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):([\t\P{Cc}]*)$/u
const FORM_DATA = /^form-data[ \t]*/i
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100})=(?:"((?:[^"\\]|\\[^"])*)"|([^\s;"\\]+))[ \t]*/y

/**
 * Reads the headers of a part, without the blank line.
 *
 * @throws MalformedForm for headers that two parsers could read differently
 */
export function partHead(bytes: Uint8Array): PartHead {
  let disposition: string | undefined
  for (const line of textOf(bytes).split('\r\n')) {
    const [, name = '', value = ''] = LINE.exec(line) ?? []
    if (name === '') throw new MalformedForm('A part of the form has an invalid header.')
    switch (name.toLowerCase()) {
      case 'content-disposition':
        if (disposition !== undefined) throw new MalformedForm('A part of the form has two content dispositions.')
        disposition = value.trim()
        break
      case 'content-transfer-encoding':
        if (!/^(?:7bit|8bit|binary)$/i.test(value.trim())) throw new MalformedForm('A part of the form is encoded.')
        break
    }
  }
  if (disposition === undefined) throw new MalformedForm('A part of the form has no content disposition.')
  return fromDisposition(disposition)
}

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedForm('A header of the form is not UTF-8.')
  }
}

function fromDisposition(disposition: string): PartHead {
  const [type = ''] = FORM_DATA.exec(disposition) ?? []
  const parameters = new Map<string, string>()
  let end = type.length
  while (type !== '' && end < disposition.length) {
    PARAMETER.lastIndex = end
    const [whole = '', name = '', quoted, token = ''] = PARAMETER.exec(disposition) ?? []
    const key = name.toLowerCase()
    if (whole === '' || parameters.has(key)) throw new MalformedForm('A part of the form has an invalid name.')
    parameters.set(key, quoted ?? token)
    end += whole.length
  }
  const name = parameters.get('name')
  // Some parsers read a backslash as an escape. Browsers send none in a name, and in file names only as a character.
  if (name === undefined || name === '' || name.length > MAX_NAME || name.includes('\\') || parameters.has('name*'))
    throw new MalformedForm('A part of the form has no valid name.')
  return { name, isFile: parameters.has('filename') || parameters.has('filename*') }
}
