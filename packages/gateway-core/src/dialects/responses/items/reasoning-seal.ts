import { parseJson } from '../../../chat/parse-json.ts'
import { invalidParameter } from '../../../providers/refused-parameter.ts'
import type { ReasoningPart } from '../../conversation/conversation-parts.ts'
import { booleanOf, objectOf, present, textOf } from '../values.ts'

/** Begins each `encrypted_content` that the gateway makes. Those of OpenAI are base64, which has no full stop. */
const PREFIX = 'trivium.'

/** What a client of responses returns of the reasoning of other dialects. */
export interface OpenedReasoning {
  readonly text?: string
  readonly signature?: string
  readonly redacted?: string
  readonly encrypted?: string
  /** Whether the first summary is the text itself. */
  readonly shown?: boolean
}

/**
 * Returns the `encrypted_content` of a reasoning item: OpenAI's own as it is, and a form of the gateway for what only
 * another dialect verifies. It is encoded, not encrypted: the upstream verifies its signature itself.
 *
 * @param shown whether the item has the text as its first summary
 */
export function sealReasoning(part: ReasoningPart, shown: boolean): string | undefined {
  const { text, signature, redacted, encrypted } = part
  if (signature === undefined && redacted === undefined && !encrypted?.startsWith(PREFIX)) return encrypted
  const sealed = present({
    text: text === '' ? undefined : text,
    signature,
    redacted,
    encrypted,
    shown: shown || undefined,
  })
  return `${PREFIX}${btoa(toAscii(JSON.stringify(sealed)))}`
}

/** @throws ProviderFailure for a text of the gateway's form that is malformed */
export function openReasoning(encrypted: string, at: string): OpenedReasoning {
  if (!encrypted.startsWith(PREFIX)) return { encrypted }
  const opened = objectOf(parseJson(decode(encrypted.slice(PREFIX.length))))
  if (!opened) throw invalidParameter(at, `'${at}' is not what an earlier answer had.`)
  return present({
    text: textOf(opened.text),
    signature: textOf(opened.signature),
    redacted: textOf(opened.redacted),
    encrypted: textOf(opened.encrypted),
    shown: booleanOf(opened.shown),
  })
}

function decode(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Escapes all other characters, as `btoa` refuses them. */
const toAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
