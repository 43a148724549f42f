import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownPortSettings } from '../examples/reference-server/tests/own-ports.ts'
import { type ExampleProcess, startExample } from './example-process.ts'

const ADDRESS = 'http://127.0.0.1:8787'
const PASSWORD = 'of-the-documents'

/** Returns the commands of a document, which a reader pastes into one shell. */
const commandsOf = (document: string): string =>
  [...readFileSync(document, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n')

describe('a reader who pastes the commands of', () => {
  let server: ExampleProcess
  let directory: string

  beforeAll(async () => {
    // Another server under test could take a console's port before it opens.
    const ports = await ownPortSettings()
    server = await startExample('reference-server', { TRIVIUM_ADMIN_PASSWORD: PASSWORD, ...ports })
    directory = mkdtempSync(join(tmpdir(), 'trivium-documents-'))
    mkdirSync(join(directory, '.trivium'))
    writeFileSync(join(directory, '.trivium/admin-password'), PASSWORD)
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Runs the commands of a document. Unlike in a reader's shell, a refused request ends the script. */
  const paste = (document: string) => {
    const refusing = 'curl() { command curl --fail-with-body "$@"; }'
    const script = commandsOf(document).replaceAll(ADDRESS, server.url)
    return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${refusing}\n${script}`], { cwd: directory })
  }

  it('docs/emulation.md builds a lab with two cables and starts a virtual PC', async () => {
    const { stdout } = await paste('docs/emulation.md')
    expect(stdout).toContain('"device_id"')
    expect(stdout).toMatch(/"ports":\[\{[^}]*"port":1[^}]*\},\{[^}]*"port":2/)
    expect(stdout).toContain('"status":"started"')
  })
})
