import { expect, it } from 'vitest'
import { serverOf } from './server-of.ts'

it.each([
  ['https://api.openai.com/v1', { name: 'openai', address: 'api.openai.com', port: 443 }],
  [
    'https://user:secret@mine.openai.azure.com/openai',
    { name: 'azure.ai.openai', address: 'mine.openai.azure.com', port: 443 },
  ],
  ['http://127.0.0.1:11434/v1', { address: '127.0.0.1', port: 11434 }],
  ['http://[::1]/v1', { address: '::1', port: 80 }],
  ['https://api.openai.com.example.org/v1', { address: 'api.openai.com.example.org', port: 443 }],
])('names the server of %s', (baseUrl, server) => {
  expect(serverOf(baseUrl)).toEqual(server)
})
