import type { Annotation, OutputPart, ReasoningPart, TextPart } from '../conversation/conversation-parts.ts'

/** A part of a stream that has begun, with what has arrived of it. */
export class OpenPart {
  readonly index: number
  readonly type: 'text' | 'refusal' | 'reasoning'
  /** The length of the texts before it. */
  readonly before: number
  readonly #pieces: string[] = []
  readonly #logProbabilities: unknown[] = []
  readonly #annotations: Annotation[] = []

  constructor(type: OpenPart['type'], index: number, before: number) {
    this.type = type
    this.index = index
    this.before = before
  }

  get text(): string {
    return this.#pieces.join('')
  }

  add(text: string, logProbabilities: readonly unknown[] = []): void {
    this.#pieces.push(text)
    for (const one of logProbabilities) this.#logProbabilities.push(one)
  }

  cite(annotations: readonly Annotation[]): void {
    for (const one of annotations) this.#annotations.push(one)
  }

  /** Returns the whole part. @param verified the signature of a reasoning */
  whole(verified: Pick<ReasoningPart, 'signature'> = {}): OutputPart {
    const { type, text } = this
    if (type === 'reasoning') return { type, text, summary: [], ...verified }
    return type === 'refusal' ? { type, text } : { type, text, ...this.#facts() }
  }

  #facts(): Pick<TextPart, 'annotations' | 'logProbabilities'> {
    return {
      ...(this.#annotations.length > 0 ? { annotations: [...this.#annotations] } : {}),
      ...(this.#logProbabilities.length > 0 ? { logProbabilities: [...this.#logProbabilities] } : {}),
    }
  }
}

/** Returns a part before its first text. */
export const emptyPart = (type: OpenPart['type']): OutputPart =>
  type === 'reasoning' ? { type, text: '', summary: [] } : { type, text: '' }
