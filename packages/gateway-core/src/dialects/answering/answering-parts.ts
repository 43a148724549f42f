import type { ChatOptions } from '../../chat/chat.ts'
import { checkRange, MAX_TIMER_SECONDS } from '../../check-range.ts'
import type { AnsweringParts } from './answering.ts'

/** Checks the options that all dialects share, and adds their defaults. */
export function answeringParts(
  options: ChatOptions,
  parts: Omit<AnsweringParts, 'keepAliveSeconds' | 'maxEventBytes' | 'defaultOutputTokens' | 'drainsAll'>,
): AnsweringParts {
  const {
    onDisconnect = 'cancel',
    keepAliveSeconds = 15,
    maxEventBytes = 2 ** 24,
    defaultOutputTokens = 1024,
  } = options
  checkRange({ 'chat.keepAliveSeconds': keepAliveSeconds }, 0.001, MAX_TIMER_SECONDS)
  checkRange({ 'chat.maxEventBytes': maxEventBytes }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'chat.defaultOutputTokens': defaultOutputTokens }, 0, Number.MAX_SAFE_INTEGER)
  return { ...parts, keepAliveSeconds, maxEventBytes, defaultOutputTokens, drainsAll: onDisconnect === 'drain' }
}
