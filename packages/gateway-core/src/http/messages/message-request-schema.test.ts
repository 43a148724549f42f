import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { messageRequestSchema, tokenCountRequestSchema } from './message-request-schema.ts'

const base = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
const issueOf = (body: unknown): string | undefined => {
  const { issues } = v.safeParse(messageRequestSchema, body, { abortEarly: true })
  return (issues?.[0] && v.getDotPath(issues[0])) ?? issues?.[0]?.message
}

describe('messageRequestSchema', () => {
  it('passes on unknown fields and blocks', () => {
    const body = {
      ...base,
      system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'system', content: 'Be brief', extra: 1 },
        { role: 'user', content: [{ type: 'new_block', any: [1] }] },
      ],
      tools: [{ type: 'new_tool_20270101', name: 'x' }, { name: 'f', input_schema: {} }, { type: 'mcp_toolset' }],
      context_management: { edits: [] },
      thinking: { type: 'adaptive' },
      stop_sequences: null,
    }
    expect(v.parse(messageRequestSchema, body)).toEqual(body)
  })

  it.each([
    [{ ...base, max_tokens: undefined }, 'max_tokens'],
    [{ ...base, messages: [] }, 'messages'],
    [{ ...base, messages: [{ role: 'tool', content: '' }] }, 'messages.0.role'],
    [{ ...base, messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages.0.content.0.text'],
    [{ ...base, messages: [{ role: 'user', content: [{}] }] }, 'messages.0.content.0.type'],
    [{ ...base, temperature: 3 }, 'temperature'],
    [{ ...base, thinking: 'on' }, 'thinking'],
    [{ ...base, tools: [{ name: 'x'.repeat(513) }] }, 'tools.0.name'],
  ])('names the place of what is wrong: %#', (body, path) => {
    expect(issueOf(JSON.parse(JSON.stringify(body)))).toBe(path)
  })

  it('needs no message in a turn of a thread, which the upstream may continue from its own', () => {
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    expect(issueOf({ ...base, messages: [], thread })).toBeUndefined()
    expect(issueOf({ ...base, messages: [], thread: null })).toBe('messages')
  })

  it('refuses deep nesting', () => {
    let deep: unknown = 1
    for (let level = 0; level < 300; level += 1) deep = [deep]
    expect(issueOf({ ...base, deep })).toMatch(/nested/)
  })

  it('needs no limit of an answer to count', () => {
    const { max_tokens: _, ...prompt } = base
    expect(v.safeParse(tokenCountRequestSchema, prompt).success).toBe(true)
  })
})
