import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigFile } from '../../src/config/config-file.ts'
import { readConfigFile } from '../../src/config/read/read-config-file.ts'
import { translate } from '../../src/from-litellm/translate.ts'
import type { Translation } from '../../src/from-litellm/translation.ts'

/** Files in the shapes that LiteLLM documents. */
export const FILES = join(import.meta.dirname, 'files')

export const fileNames = readdirSync(FILES).filter((name) => name.endsWith('.yaml'))

/** Writes a text to a temporary file for one task. */
export function withFile<Result>(text: string, task: (file: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-from-litellm-'))
  const file = join(directory, 'config.yaml')
  try {
    writeFileSync(file, text)
    return task(file)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export const translated = (text: string): Translation => withFile(text, translate)

/** Reads a translation as the server does, with a value for each of its variables. */
export function readBack(text: string): ConfigFile {
  const names = [...text.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name = '']) => name)
  const environment = Object.fromEntries(names.map((name) => [name, valueFor(name)]))
  return withFile(text, (file) => readConfigFile(file, { environment, given: {} }))
}

function valueFor(name: string): string {
  if (name.includes('DATABASE')) return 'postgres://user@127.0.0.1/gateway'
  if (name.includes('REDIS')) return 'redis://127.0.0.1:6379'
  return name.endsWith('_BASE') ? 'https://upstream.example/v1' : 'a-value-of-the-environment'
}
