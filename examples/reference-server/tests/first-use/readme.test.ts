import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { paste } from './shell.ts'

const root = join(import.meta.dirname, '../../../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string, sign: RegExp): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, block = '']) => block)
    .filter((block) => sign.test(block))

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ environment: { TRIVIUM_ADMIN_PASSWORD: '' } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

it('has lines for the first five minutes that work as they are written', async () => {
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:8787', server.url).replaceAll('.trivium', server.dataDirectory)
  const program = join(server.dataDirectory, 'chat.ts')
  const [chat = ''] = blocks('ts', /from 'openai'/)
  writeFileSync(program, here(chat))
  const [first = '', second = ''] = blocks('sh', /as_admin/)
  const lines = [
    here(first),
    'echo',
    `(cd '${root}' && ${process.execPath} --input-type=module-typescript) < ${program}`,
    'echo',
    here(second),
  ]
  const printed = await paste('bash', lines, { directory: server.dataDirectory })
  expect(printed).toMatch(/"content":"Hello".*"finish_reason":"stop"/)
  expect(printed).toMatch(/^Hello$/m)
  expect(printed).toMatch(/\{"console":\d+,"engine":"embedded","name":"PC1"/)
  expect(printed).toMatch(/"space":\{"hard_limit":5242880,"used":\{"total":0/)
  expect(printed).not.toMatch(/"error"|command not found/)
})
