import type { ConversationRequest } from '../conversation/conversation-request.ts'

/** Collects what a writer leaves out, each name once. */
export class Omissions {
  readonly #names = new Set<string>()

  add(name: string): void {
    this.#names.add(name)
  }

  get names(): readonly string[] {
    return [...this.#names]
  }
}

/** Returns the client's name of a field. @param path `topK`, or `reasoning.summary` for a field of reasoning */
export const clientName = ({ names }: ConversationRequest, path: string): string =>
  names[path] ?? (path.includes('.') ? names[path.slice(0, path.indexOf('.'))] : undefined) ?? path
