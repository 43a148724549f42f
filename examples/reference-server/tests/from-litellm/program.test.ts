import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FILES, translated } from './translated.ts'

const program = join(import.meta.dirname, '../../from-litellm.js')
const directory = mkdtempSync(join(tmpdir(), 'trivium-from-litellm-'))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@trivium/source', program, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the translator', () => {
  it('exits with 0 where everything is translated, and prints the file', () => {
    const { status, stdout, stderr } = run(join(FILES, 'one-model.yaml'))
    expect([status, stderr]).toEqual([0, 'All keys are translated.\n'])
    expect(stdout).toContain('chat: openai/gpt-5-mini')
  })

  it('exits with 2 where something was left out, and names its place', () => {
    const file = join(FILES, 'only-star.yaml')
    const { status, stderr } = run(file)
    expect(status).toBe(2)
    expect(stderr).toContain(`${file}:2: left out: model_list[0]: The model "*"`)
  })

  it('writes a private file, and replaces one by force only', () => {
    const output = join(directory, 'trivium.yaml')
    expect(run(join(FILES, 'one-model.yaml'), '--output', output)).toMatchObject({ status: 0, stdout: '' })
    expect(statSync(output).mode & 0o777).toBe(0o600)
    const again = run(join(FILES, 'balanced.yaml'), '--output', output)
    expect(again).toMatchObject({ status: 1, stderr: `The file "${output}" exists. --force replaces it.\n` })
    expect(readFileSync(output, 'utf8')).toContain('chat: openai/gpt-5-mini')
    expect(run(join(FILES, 'balanced.yaml'), '--output', output, '--force').status).toBe(2)
    expect(readFileSync(output, 'utf8')).toContain('azure/gpt-4o-north')
    expect(statSync(output).mode & 0o777).toBe(0o600)
  })

  it('exits with 1 and no text of the file where it is not YAML', () => {
    const file = join(directory, 'broken.yaml')
    writeFileSync(file, 'model_list: [\n  api_key: sk-secret-of-a-broken-file\n')
    const { status, stdout, stderr } = run(file)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('is not YAML: line ')
    expect(stderr).not.toContain('secret')
  })

  it('exits with 1 for a file that does not exist, for no file and for an unknown flag', () => {
    expect(run(join(directory, 'absent.yaml')).stderr).toContain('cannot be read (ENOENT)')
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('Name one file') })
    expect(run('--unknown').status).toBe(1)
  })
})

describe('the reader of the input', () => {
  const aliases = Array.from(
    { length: 20 },
    (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}, *a${level}]`,
  )

  it.each([
    ['has too many values by aliases', `a0: &a0 [1, 2, 3]\n${aliases.join('\n')}`, 'values'],
    ['has an alias of itself', 'a: &a [*a]', 'levels deep'],
    ['is nested too deep', '['.repeat(100_000), 'levels deep'],
    ['is a list', '- a', 'must be a map'],
    ['is too large', `a: ${'x'.repeat(2 ** 22)}`, 'larger than'],
  ])('refuses a file that %s', (_, text, message) => {
    expect(() => translated(text)).toThrowError(
      expect.objectContaining({ name: 'SourceError', message: expect.stringContaining(message) }),
    )
  })

  it('refuses a file that includes an absent one', () => {
    expect(() => translated('include: absent.yaml')).toThrowError('"absent.yaml" cannot be read (ENOENT)')
  })

  it.each([
    '/etc/passwd',
    'https://example.com/config.yaml',
    '../config.yaml',
  ])('includes no file of another directory: %s', (file) => {
    expect(translated(`include: ["${file}"]`).report).toMatchObject([{ finding: 'left out', path: 'include[0]' }])
  })
})
