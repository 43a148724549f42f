import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchemaFile } from '../../src/config/schema/json-schema.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))
const file = join(directory, 'config.yaml')
afterAll(() => rmSync(directory, { recursive: true }))

interface Ended {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

const start = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const program = ['--conditions=@trivium/source', join(import.meta.dirname, '../../start.js'), ...args]
    execFile(process.execPath, program, { env: { PATH: process.env.PATH }, cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

describe('the command line', () => {
  it('checks a valid file, and ends with 0', async () => {
    writeFileSync(file, 'upstreams:\n  - { id: test, kind: local }\n')
    expect(await start('--config', 'config.yaml', '--check-config')).toEqual({
      code: 0,
      stdout: 'config.yaml is valid: models of test; search by duckduckgo, local.\n',
      stderr: '',
    })
  })

  it('checks a file with mistakes, prints each with its place, and ends with 1', async () => {
    writeFileSync(file, 'upstreams:\n  - { id: test, kind: locl }\ncahce: {}\n')
    expect(await start('--config', 'config.yaml', '--check-config')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'config.yaml:2:23 upstreams[0].kind: must be openai, anthropic, ai-sdk or local.\n' +
        'config.yaml:3:1 cahce: is not a key of the file. Did you mean cache?\n',
    })
  })

  it('refuses a check without a file', async () => {
    expect(await start('--check-config')).toMatchObject({
      code: 1,
      stderr: '--check-config needs a file. Name it with --config.\n',
    })
  })

  it('prints the JSON Schema', async () => {
    expect((await start('--print-config-schema')).stdout).toBe(configSchemaFile())
  })
})
