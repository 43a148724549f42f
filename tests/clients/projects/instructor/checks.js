import { deepEqual } from 'node:assert/strict'
import Instructor from '@instructor-ai/instructor'
import OpenAI from 'openai'
import { z } from 'zod'
import { apiKey, baseURL, runChecks } from './run-checks.js'

const schema = z.object({ city: z.string(), degrees: z.number() })
const messages = [{ role: 'user', content: 'Hello' }]

const checksOf = (name, model) =>
  Object.fromEntries(
    ['TOOLS', 'JSON'].map((mode) => [
      `${name}: an object by the mode ${mode}`,
      async () => {
        const client = Instructor({ client: new OpenAI({ baseURL, apiKey, maxRetries: 0 }), mode })
        const response_model = { schema, name: 'Place' }
        const { city, degrees } = await client.chat.completions.create({
          model,
          messages,
          response_model,
          max_retries: 0,
        })
        deepEqual({ city, degrees }, { city: 'Paris', degrees: 7 })
      },
    ]),
  )

await runChecks({
  ...checksOf('over a chat-only upstream', 'chat/gpt-4o'),
  ...checksOf('over an Anthropic upstream', 'anthropic/claude-sonnet-4-5'),
})
