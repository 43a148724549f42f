import type { UpstreamAnswer } from '../calls/upstream-answer.ts'

/** The format of an answer: server-sent events, JSON, or neither. */
export type AnswerKind = 'events' | 'json' | 'other'

/**
 * Determines whether an answer is an event stream or JSON, by its content type or otherwise by its first 64 bytes. Only
 * before `start`. Never rejects.
 */
export async function answerKind({ headers, peek }: UpstreamAnswer): Promise<AnswerKind> {
  const type = (headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('text/event-stream')) return 'events'
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return 'json'
  const text = new TextDecoder().decode((await peek()).subarray(0, 64)).trimStart()
  if (text.startsWith('{')) return 'json'
  return /^(?:data|event|id|retry)?:/.test(text) ? 'events' : 'other'
}
