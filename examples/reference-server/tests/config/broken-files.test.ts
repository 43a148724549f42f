import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeMistakes, MAX_MISTAKES } from '../../src/config/read/mistakes.ts'
import { readConfigFile } from '../../src/config/read/read-config-file.ts'
import { SettingsError } from '../../src/settings.ts'
import { brokenFiles } from './broken-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))
const file = join(directory, 'config.yaml')
afterAll(() => rmSync(directory, { recursive: true }))

function messageOf(text: string, environment: Readonly<Record<string, string>> = {}): string {
  writeFileSync(file, text)
  try {
    readConfigFile(file, { environment, given: environment })
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'The file is valid.'
}

describe('readConfigFile', () => {
  it.each(brokenFiles)('refuses $mistake, with its line and column', ({ text, environment, lines }) => {
    const message = messageOf(text, environment)
    expect(message.split('\n')).toEqual(lines.map((line) => `${file}:${line}`))
    expect(message).not.toContain('secret')
  })

  it('reports at most 50 mistakes, and counts the rest', () => {
    const lines = messageOf(Array.from({ length: 60 }, (_, index) => `key${index}: 1`).join('\n')).split('\n')
    expect(lines).toHaveLength(51)
    expect(lines.at(-1)).toBe('There are 10 more mistakes.')
  })

  const many = (count: number, textOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => textOf(index))

  it.each([
    ['lines', many(50_002, (index) => `a${index}: 1`).join('\n')],
    ['keys in one line', `{${many(50_002, (index) => `a${index}: 1`).join()}}`],
    ['nested lists', '['.repeat(50_001)],
  ])('refuses more %s than it reads', (_, text) => {
    expect(messageOf(text)).toBe(`${file}:1:1 The file has more than 50000 lines, commas and opening brackets.`)
  })

  it.each([
    ['closing brackets', ']'.repeat(2 ** 20)],
    ['closing brackets after an opening one', `[${']'.repeat(2 ** 20 - 1)}`],
    ['quotes', '"'.repeat(2 ** 20)],
    ['anchors', '&a '.repeat(300_000)],
    ['tags', '!a '.repeat(300_000)],
    ['dashes', '- '.repeat(2 ** 19)],
    ['colons', ': '.repeat(2 ** 19)],
  ])('refuses a file of %s, without parsing it', (_, text) => {
    expect(messageOf(text)).toBe(`${file}:1:1 The file has more than 250000 texts, signs and comments.`)
  })

  it('calls a file of JSON by its name', () => {
    const json = join(directory, 'config.JSON')
    writeFileSync(json, '{}}')
    expect(() => readConfigFile(json, { environment: {}, given: {} })).toThrow(`${json}:1:3 This is not valid JSON.`)
  })

  it('refuses more than 1000 anchors and aliases', () => {
    const text = `models:\n${many(501, (index) => `  a${index}: &b${index} test/m\n  c${index}: *b${index}`).join('\n')}`
    expect(messageOf(text)).toBe(`${file}:1:1 The aliases of the file are too many.`)
  })

  it('refuses more entries than a section has, without the mistakes of each', () => {
    const prices = many(10_001, (index) => `  a${index}: { input: b }`).join('\n')
    expect(messageOf(`prices:\n${prices}`)).toBe(`${file}:2:3 prices: must have at most 10000 entries.`)
    const patterns = many(101, () => '"["').join()
    expect(messageOf(`request_log: { redact: [${patterns}] }`)).toBe(
      `${file}:1:24 request_log.redact: must have at most 100 entries.`,
    )
  })

  it('counts all unknown keys of all sections', () => {
    const prices = many(2000, (index) => `  test/m${index}: { inputs: 1, outputs: 2, inptu: 3 }`).join('\n')
    const lines = messageOf(`prices:\n${prices}`).split('\n')
    expect(lines).toHaveLength(51)
    expect(lines[2]).toBe(`${file}:2:37 prices["test/m0"].inptu: is not a key of this section. Did you mean input?`)
    expect(lines.at(-1)).toBe('There are 5950 more mistakes.')
  })

  it('looks for what may be meant only for the mistakes that are reported', () => {
    let made = 0
    const inDetail = () => {
      made += 1
      return 'is wrong'
    }
    const mistakes = many(1000, (index) => `a${index}`).map((key) => ({ path: [key], message: 'is wrong', inDetail }))
    describeMistakes(mistakes, { file, positionOf: () => ({ line: 1, column: 1 }), references: [] })
    expect(made).toBe(MAX_MISTAKES)
  })

  it('refuses a pipe and a directory without waiting for them', () => {
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const file of [pipe, directory]) {
      expect(() => readConfigFile(file, { environment: {}, given: {} })).toThrow(
        `The file "${file}" is not a regular file.`,
      )
    }
  })

  it('refuses an empty file, one of more than 1 MiB and one that does not exist', () => {
    expect(messageOf('# nothing\n')).toBe(`The file "${file}" is empty.`)
    expect(messageOf('#'.repeat(2 ** 20 + 1))).toBe(`The file "${file}" is larger than 1048576 bytes.`)
    const absent = join(directory, 'absent.yaml')
    expect(() => readConfigFile(absent, { environment: {}, given: {} })).toThrow(
      `The file "${absent}" of --config cannot be read (ENOENT).`,
    )
  })
})
