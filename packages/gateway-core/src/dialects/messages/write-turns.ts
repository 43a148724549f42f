import type { Turn } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { textOr } from '../json-values.ts'
import { type BlockContext, inputBlocks, outputBlocks, resultBlock, textBlocks } from './write-blocks.ts'

/** A turn of the Messages API whose blocks are still collected. */
export interface OpenTurn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

export interface WrittenTurns {
  readonly system: readonly JsonObject[]
  readonly turns: readonly OpenTurn[]
}

/**
 * Writes the turns. Those of the system become the system prompt, in their order. Successive ones of a role become one,
 * because all results of parallel calls have to be in the turn after the calls, before the next words of the user.
 */
export function writeTurns(turns: readonly Turn[], context: BlockContext): WrittenTurns {
  const prompts: (readonly JsonObject[])[] = []
  const written: OpenTurn[] = []
  const turnOf = (role: OpenTurn['role']): OpenTurn => {
    const last = written.at(-1)
    if (last?.role === role) return last
    const next: OpenTurn = { role, content: [] }
    written.push(next)
    return next
  }
  const add = (role: OpenTurn['role'], blocks: readonly JsonObject[]): void => {
    if (blocks.length > 0) for (const block of blocks) turnOf(role).content.push(block)
  }
  const prompt = (blocks: readonly JsonObject[]): void => {
    if (blocks.length > 0) prompts.push(blocks)
  }
  for (const turn of turns) {
    switch (turn.role) {
      case 'system':
        prompt(turn.content.flatMap((part) => textBlocks(part, context)))
        break
      case 'user':
        listName(turn, context)
        add(
          'user',
          turn.content.flatMap((part) => inputBlocks(part, context)),
        )
        break
      case 'assistant':
        listName(turn, context)
        add(
          'assistant',
          turn.content.flatMap((part) => outputBlocks(part, context)),
        )
        break
      case 'tool':
        add('user', [resultBlock(turn, context)])
    }
  }
  return placed(prompts, withoutTrailingSpace(written.map(resultsFirst)))
}

/** Only chat completions have names of speakers. */
function listName({ name }: { readonly name?: string }, { omitted }: BlockContext): void {
  if (name !== undefined) omitted.add('messages.name')
}

/** The Messages API refuses a request without turns, so the last text of the system becomes one of the user. */
function placed(prompts: readonly (readonly JsonObject[])[], turns: readonly OpenTurn[]): WrittenTurns {
  const last = prompts.at(-1)
  if (turns.length > 0 || !last) return { system: prompts.flat(), turns }
  return { system: prompts.slice(0, -1).flat(), turns: [{ role: 'user', content: [...last] }] }
}

function resultsFirst({ role, content }: OpenTurn): OpenTurn {
  const isResult = ({ type }: JsonObject): boolean => type === 'tool_result'
  const words = content.findIndex((block) => !isResult(block))
  if (role === 'assistant' || words === -1 || !content.slice(words).some(isResult)) return { role, content }
  return { role, content: [...content.filter(isResult), ...content.filter((block) => !isResult(block))] }
}

/** The Messages API refuses a last assistant turn that ends in white space. */
function withoutTrailingSpace(turns: readonly OpenTurn[]): readonly OpenTurn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block?.type !== 'text') return turns
  const text = textOr(block.text).trimEnd()
  const content = [...last.content.slice(0, -1), ...(text === '' ? [] : [{ ...block, text }])]
  return [...turns.slice(0, -1), ...(content.length === 0 ? [] : [{ role: last.role, content }])]
}
