import { lastUserText } from './conversation.ts'
import type { LocalChatModel } from './local-chat-model.ts'

/** Turns the last text of the user into a question, in the manner of the program ELIZA of 1966, with its own rules. */
export const eliza: LocalChatModel = {
  id: 'eliza-no-llm',
  reply: (request, choice) => {
    const turns = request.messages.filter(({ role }) => role === 'user').length
    return { type: 'text', text: answerTo(lastUserText(request), turns + choice) }
  },
}

interface Rule {
  readonly pattern: RegExp
  /** `*` is replaced with the first group of the pattern, with swapped pronouns. */
  readonly answers: readonly [string, ...string[]]
}

const elizaRules: readonly Rule[] = [
  {
    pattern: /^\s*(?:hello|hi|hey|good (?:morning|evening))\b/i,
    answers: ['Hello. What would you like to talk about?'],
  },
  {
    pattern: /\bi need (.+)/i,
    answers: ['What would it change if you had *?', 'Why do you need *?', 'What if you never got *?'],
  },
  { pattern: /\bi(?:'m| am) (.+)/i, answers: ['How long have you been *?', 'Do you like being *?'] },
  { pattern: /\bi (?:feel|felt) (.+)/i, answers: ['When do you feel *?', 'What makes you feel *?'] },
  { pattern: /\bi (?:can't|cannot) (.+)/i, answers: ['What keeps you from it: to *?', 'What if you could *?'] },
  { pattern: /\bi (?:want|would like) (.+)/i, answers: ['What would it mean to you to get *?', 'Who else wants *?'] },
  { pattern: /\bmy (mother|father|sister|brother|family)\b/i, answers: ['What is your * like?'] },
  { pattern: /\bbecause (.+)/i, answers: ['Is that the real reason?', 'What else follows from it that *?'] },
  { pattern: /\byou are (.+)/i, answers: ['What makes you think that I am *?', 'Would you rather I were not *?'] },
  { pattern: /\b(?:computer|machine|program|model)s?\b/i, answers: ['I am a handful of rules. Does that worry you?'] },
  { pattern: /\?\s*$/, answers: ['What do you think yourself?', 'Why do you ask?', 'Which answer would you like?'] },
]

const fallbacks = [
  'What else comes to mind?',
  'Can you say that in other words?',
  'How does that make you feel?',
] as const

const reflections: Readonly<Record<string, string>> = {
  i: 'you',
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  am: 'are',
  you: 'I',
  your: 'my',
  yours: 'mine',
}

function answerTo(text: string, turn: number): string {
  for (const { pattern, answers } of elizaRules) {
    const match = pattern.exec(text)
    if (match) return pick(answers, turn).replace('*', () => reflect(match[1] ?? ''))
  }
  return pick(fallbacks, turn)
}

const pick = (answers: readonly [string, ...string[]], turn: number): string =>
  answers[turn % answers.length] ?? answers[0]

const reflect = (text: string): string =>
  text
    // The lookbehind makes the pattern try a long row of marks only once.
    .replace(/(?<![\s.!?;,])[\s.!?;,]+$/, '')
    .split(/\s+/)
    .map((word) => reflections[word.toLowerCase()] ?? word)
    .join(' ')
