import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const answer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'big',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 10 },
  },
})

describe('/metrics of a gateway', () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-metrics-'))
  let upstream: Upstream
  let server: ServerProcess

  beforeAll(async () => {
    upstream = await startUpstream(({ body }, response) => {
      response.writeHead(body.includes('"broken"') ? 500 : 200, { 'content-type': 'application/json' })
      response.end(body.includes('"broken"') ? '{"error":{"message":"down"}}' : answer)
    })
    const file = join(directory, 'config.yaml')
    writeFileSync(
      file,
      `
trivium_services: gateway
upstreams:
  - { id: up, kind: openai, base_url: $UPSTREAM_URL, api_key: $UPSTREAM_KEY, models: [big, broken] }
prices:
  up/big: { input: 1, cached_input: 0.1, output: 10 }
cache: { ttl_seconds: 60, scope: key }
request_log: {}
guardrails: [{ kind: patterns, id: privacy, on: [input], action: mask, patterns: [email] }]
`,
    )
    server = await startServer({
      args: ['--config', file],
      environment: { UPSTREAM_URL: upstream.url, UPSTREAM_KEY: 'k' },
    })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('has every value of requests with all their labels, and nothing is printed', async () => {
    const before = server.output()
    const chat = async (key: string, content: string, model = 'up/big') => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, max_completion_tokens: 50, messages: [{ role: 'user', content }] }),
      })
      await response.text()
      return response.status
    }
    const key = await createKey(server)
    expect(await chat(key, 'I am ada@example.com')).toBe(200)
    expect(await chat(key, 'I am ada@example.com')).toBe(200)
    expect(await chat(key, 'Hello', 'up/broken')).toBe(502)
    const poor = await createKey(server, { max_budget: '0.0016' })
    const day = await createKey(server, { tokens_per_day: 150 })
    let answered = 1
    for (; (await chat(poor, `It is ${answered}`)) === 200; answered += 1) expect(answered).toBeLessThan(20)
    expect([await chat(day, 'a'), await chat(day, 'b')]).toEqual([200, 429])
    answered += 1

    const text = await (await server.ask('/metrics')).text()
    const measured = (line: string) => {
      const found = text.split('\n').find((one) => one.startsWith(`${line} `))
      return found === undefined ? undefined : Number(found.slice(line.length + 1))
    }
    const request = 'gen_ai_operation_name="chat",gen_ai_request_model="up/big",gen_ai_provider_name="up"'
    expect(measured(`trivium_gateway_requests_total{${request},status="200"}`)).toBe(answered)
    expect(measured(`trivium_gateway_tokens_details_total{${request},type="cache_read"}`)).toBe(60 * answered)
    expect(measured(`trivium_gateway_tokens_details_total{${request},type="reasoning"}`)).toBe(10 * answered)
    expect(measured(`gen_ai_client_token_usage_sum{${request},gen_ai_token_type="input"}`)).toBe(100 * answered)
    expect(measured(`gen_ai_client_token_usage_sum{${request},gen_ai_token_type="output"}`)).toBe(20 * answered)
    expect(measured(`trivium_gateway_cost_total{${request}}`)).toBeGreaterThan(0)
    const finding = 'guardrail="privacy",side="input",action="masked"'
    expect(measured(`trivium_gateway_guardrail_findings_total{${finding}}`)).toBe(2)
    expect(measured('trivium_gateway_refusals_total{reason="money-budget"}')).toBe(1)
    expect(measured('trivium_gateway_refusals_total{reason="day-budget"}')).toBe(1)
    expect(text).toMatch(/^trivium_gateway_cached_answers_total\{.*\} 1$/m)
    expect(text).toMatch(/^trivium_gateway_upstream_failures_total\{gen_ai_provider_name="up",error_type="refused"\}/m)
    expect(text).not.toContain('object Object')
    expect(server.output()).toBe(before)
  }, 60_000)
})
