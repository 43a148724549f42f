import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../src/dialects/chat/chat-translation.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import { messagesTranslation } from '../../src/dialects/messages/messages-translation.ts'
import { responsesTranslation } from '../../src/dialects/responses/responses-translation.ts'
import type { DialectTranslation } from '../../src/dialects/translation.ts'
import { ProviderFailure } from '../../src/providers/provider-error.ts'
import { writeOptions } from '../messages/message-context.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const text = (value: string) => ({ type: 'text', text: value })
const url = 'data:image/png;base64,AAAA'

function over(to: DialectTranslation, content: readonly JsonObject[]) {
  const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content }] }
  return to.writeRequest(messagesTranslation.readRequest(body), writeOptions())
}

const document = (content: unknown, more: JsonObject = {}) => ({
  type: 'document',
  title: 'Guide',
  source: { type: 'content', content },
  ...more,
})

const file = (value: string, filename: string) => ({
  type: 'input_file',
  file_data: `data:text/plain;base64,${Buffer.from(value).toString('base64')}`,
  filename,
})

describe('a document of messages whose content has images', () => {
  it('becomes its texts and images, in their order', () => {
    const content = [document([text('One'), text('Two'), image, text('Three')]), text('Compare.')]
    expect(over(chatTranslation, content)).toMatchObject({
      omitted: [],
      body: {
        messages: [
          {
            content: [
              { type: 'text', text: 'Guide\n\nOne\n\nTwo' },
              { type: 'image_url', image_url: { url } },
              { type: 'text', text: 'Guide\n\nThree' },
              { type: 'text', text: 'Compare.' },
            ],
          },
        ],
      },
    })
    expect(over(responsesTranslation, content).body.input).toMatchObject([
      {
        content: [
          file('One\n\nTwo', 'Guide.txt'),
          { type: 'input_image', image_url: url },
          file('Three', 'Guide.txt'),
          { type: 'input_text', text: 'Compare.' },
        ],
      },
    ])
  })

  it('keeps its title and its mark of a cache where it has only images', () => {
    const { body, omitted } = over(chatTranslation, [document([image], { cache_control: { type: 'ephemeral' } })])
    expect(body.messages).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Guide' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ])
    expect(omitted).toEqual(['cache_control'])
  })

  it.each([
    ['messages[0].content[0].citations', document([text('One'), image], { citations: { enabled: true } })],
    ['messages[0].content[0].citations', document([image], { citations: { enabled: true } })],
    ['messages[0].content[0].source.content[1]', document([text('One'), { type: 'other' }])],
  ])('causes a refusal by the name %s', (param, block) => {
    const refusal = expect.objectContaining({ error: expect.objectContaining({ type: 'unsupported', param }) })
    expect(() => over(chatTranslation, [block])).toThrow(ProviderFailure)
    expect(() => over(chatTranslation, [block])).toThrow(refusal)
  })
})

describe('a name of a document of text over responses', () => {
  it.each([
    ['T', 'T.txt'],
    ['notes.md', 'notes.md'],
    ['Version 2.0', 'Version 2.0.txt'],
    ['On e.g. this', 'On e.g. this.txt'],
  ])('has the title %s with an extension', (title, filename) => {
    const block = { type: 'document', title, source: { type: 'text', media_type: 'text/plain', data: 'One' } }
    expect(over(responsesTranslation, [block]).body.input).toMatchObject([{ content: [{ filename }] }])
  })
})

describe('a reference to a tool in the result of a search for tools', () => {
  it.each([chatTranslation, responsesTranslation])('becomes a text', (to) => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find_tools', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'weather' }] },
        ],
      },
    ]
    const { body } = to.writeRequest(messagesTranslation.readRequest({ model: 'm', messages }), writeOptions())
    expect(JSON.stringify(body)).toContain("The tool 'weather' is available.")
  })
})
