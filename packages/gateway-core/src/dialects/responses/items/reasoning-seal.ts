import { invalidParameter } from '../../../providers/refused-parameter.ts'
import type { ReasoningPart } from '../../conversation/conversation-parts.ts'
import { booleanOf, present, textOf } from '../../json-values.ts'
import { isSealed, type Seals, seal } from '../../seals.ts'

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
  if (signature === undefined && redacted === undefined && !(encrypted && isSealed(encrypted))) return encrypted
  const kept = present({
    text: text === '' ? undefined : text,
    signature,
    redacted,
    encrypted,
    shown: shown || undefined,
  })
  return seal(kept)
}

/** @throws ProviderFailure for a text of the gateway's form that is malformed */
export function openReasoning(encrypted: string, seals: Seals, at: string): OpenedReasoning {
  if (!isSealed(encrypted)) return { encrypted }
  const opened = seals.open(encrypted, at)
  seals.refuseExcess()
  if (!opened) throw invalidParameter(at, `'${at}' is not what an earlier answer had.`)
  return present({
    text: textOf(opened.text),
    signature: textOf(opened.signature),
    redacted: textOf(opened.redacted),
    encrypted: textOf(opened.encrypted),
    shown: booleanOf(opened.shown),
  })
}
