import { createHash } from 'node:crypto'
import { type ApiKeyId, createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories, memoryImages } from '@trivium/gateway-core/memory'
import type { ApiKeyHash } from '@trivium/gateway-core/ports'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { localSearch } from '@trivium/search-engines/local'
import type { FuzzTarget } from '../fuzz-target.ts'
import { ADMIN, callRoutes, idSequence } from './call-routes.ts'
import { disturbances } from './disturbances.ts'

const SECRET = `tvm_${'k'.repeat(43)}`
const KEY_IDS = Array.from({ length: 20 }, (_, index) => `key-${index}`)

/** Requests a second by the clock of the service. */
const RATE = 100

export const gatewayTarget: FuzzTarget = {
  name: 'gateway',
  async open() {
    const faults: unknown[] = []
    let time = Date.UTC(2026, 0, 2)
    const disturbed = disturbances()
    const now = () => new Date(time + disturbed.clockSkewMs)
    const newId = idSequence()
    const onFault = (fault: unknown) => faults.push(fault)
    const repositories = memoryGatewayRepositories()
    const imageStore = memoryImages()
    const gateway = createGateway({
      repositories: disturbed.breakable(repositories),
      providers: [localProvider()],
      searchEngines: [localSearch({ documents: documents() })],
      models: { fast: 'local/echo-no-llm' },
      imageStore,
      now,
      newId,
      onFault,
    })
    const routes = gatewayRoutes(gateway, { admin: adminCheck('secret'), now, newId, onFault })
    for (const id of KEY_IDS) {
      const secret = id === KEY_IDS[0] ? SECRET : `tvm_${id.padEnd(43, 'x')}`
      await repositories.apiKeys.add({
        // The ids and hashes below have the form that the types require.
        id: id as ApiKeyId,
        hash: createHash('sha256').update(secret).digest('hex') as ApiKeyHash,
        hint: secret.slice(0, 8),
        userId: 'user',
        username: 'fuzz',
        rateLimit: 100_000,
        budget: {},
        policy: {},
        createdAt: now(),
        usageCount: 0,
      })
    }
    await callRoutes(routes)('POST', '/v1/images/generations', { prompt: 'x', size: '256x256' })
    return {
      routes,
      sockets: [],
      socketRefusals: {},
      authorizations: [ADMIN, `Bearer ${SECRET}`, 'Bearer secret'],
      values: {
        'createChatCompletion.body': [
          { model: 'fast', messages: [{ role: 'user', content: 'Hello there' }], stream: true },
          {
            model: 'fast',
            messages: [{ role: 'user', content: 'x' }],
            stream: true,
            stream_options: { include_usage: true },
          },
          {
            model: 'local/eliza-no-llm',
            messages: [
              { role: 'system', content: 'x' },
              { role: 'user', content: [{ type: 'text', text: 'y' }] },
            ],
            n: 2,
          },
          {
            model: 'fast',
            messages: [{ role: 'user', content: 'x' }],
            tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
            tool_choice: 'required',
          },
          {
            model: 'fast',
            messages: [{ role: 'user', content: 'x' }],
            response_format: { type: 'json_object' },
            stop: ['x'],
            max_tokens: 3,
          },
        ],
        'createImage.body': [
          { prompt: 'x', size: '256x256', response_format: 'b64_json' },
          { prompt: 'x', size: '256x256', n: 2 },
        ],
        'generateKey.body': [
          { username: 'fuzz' },
          { username: 'fuzz', name: 'n', rate_limit: 5, expires_in_days: 1 },
          {
            username: 'fuzz',
            models: ['fuzz/*'],
            endpoints: ['createChatCompletion'],
            ip_ranges: ['10.0.0.0/8'],
            max_budget: '1.5',
            budget_period: 'day',
            tags: ['a'],
            metadata: { a: 'b' },
          },
        ],
        'createTeam.body': [{ name: 'fuzz' }, { name: 'other', owners: ['x'], rate_limit: 3 }],
        'changeTeam.body': [{ name: 'third' }, { disabled: true, models: null }],
        'createUser.body': [{ username: 'fuzz' }, { username: 'other', max_parallel_requests: 2 }],
        'changeUser.body': [{ tokens_per_day: 5 }, { max_budget: null }],
        'changeKey.body': [{ name: 'other' }, { rate_limit: 7, tokens_per_day: 10 }, { name: null }],
        // Requests authenticate with the first key, which must not be deleted.
        key_id: KEY_IDS.slice(1),
        after: KEY_IDS,
        model: [
          'local/echo-no-llm',
          'local/eliza-no-llm',
          'local/scripted-no-llm',
          'fast',
          'echo-no-llm',
          'local/procedural',
        ],
        engine: ['local'],
        type: ['text', 'news', 'images', 'suggestions'],
        q: ['gateway', 'storage'],
        image_id: ['0'],
        username: ['fuzz'],
        stream: [true, false],
        'messages.role': ['user', 'system', 'assistant', 'tool'],
      },
      costly: ['createImage'],
      endless: [],
      faults,
      advance: () => {
        time += 1000 / RATE
        disturbed.advance()
      },
      get isStoreUnavailable() {
        return disturbed.isStoreUnavailable
      },
      restore: async () => undefined,
      inspect: async () => [],
      close: () => gateway.close(),
    }
  },
}

const documents = () =>
  ['gateway', 'storage', 'emulation'].map((word) => ({
    url: `https://docs.example/${word}`,
    title: word,
    body: `About the ${word} and its ${word}s`,
    publishedAt: new Date('2026-01-01'),
    image: { url: `https://docs.example/${word}.png`, width: 1, height: 1 },
  }))
