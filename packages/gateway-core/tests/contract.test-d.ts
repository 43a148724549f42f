import { gatewayContract } from '@trivium/gateway-core/http'
import { createClient, expectOk } from '@trivium/http-client'

// The named types of the schemas keep what clients send and get.
const client = createClient(gatewayContract)

const chat = await client.createChatCompletion({
  body: {
    model: 'a/b',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: {} }], extra: 1 },
      { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    tool_choice: 'auto',
    extra: 1,
  },
})
if (chat.status === 200 && chat.kind === 'json') chat.body.choices satisfies { message: { content: string | null } }[]
if (!chat.ok) chat.body.error.message satisfies string
// @ts-expect-error: the status of the reply has not been checked
chat.body.choices

// @ts-expect-error: the messages are missing
void client.createChatCompletion({ body: { model: 'a/b' } })
// @ts-expect-error: the role does not exist
void client.createChatCompletion({ body: { model: 'a/b', messages: [{ role: 'owner', content: '' }] } })
// @ts-expect-error: the result names no call
void client.createChatCompletion({ body: { model: 'a/b', messages: [{ role: 'tool', content: '' }] } })
// @ts-expect-error: the temperature is not a number
void client.createResponse({ body: { model: 'a/b', input: 'hello', temperature: 'hot' } })
// @ts-expect-error: the most tokens are missing
void client.createMessage({ body: { model: 'a/b', messages: [{ role: 'user', content: 'hello' }] } })

const message = await client.createMessage({
  body: { model: 'a/b', max_tokens: 1, messages: [{ role: 'user', content: 'hello' }] },
})
if (message.status === 529) message.body.type satisfies 'error'

const { data } = await expectOk(client.listKeys({ query: { limit: 5 } }))
data satisfies { username: string; revoked_at: string | null }[]
// @ts-expect-error: a key has no secret
data[0]?.api_key
