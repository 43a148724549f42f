import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isMap, isScalar, isSeq, parse, parseDocument, type Scalar } from 'yaml'
import type { ReportLine } from '../../src/from-litellm/report/ledger.ts'
import { translate } from '../../src/from-litellm/translate.ts'
import { FILES, fileNames } from './translated.ts'

/** What LiteLLM has as a default, so that it changes nothing. */
const DEFAULTS = /simple-shuffle|^(?:local|redis)$/

const directory = mkdtempSync(join(tmpdir(), 'trivium-from-litellm-'))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Leaf {
  readonly scalar: Scalar
  readonly path: string
}

function leavesOf(node: unknown, path = ''): readonly Leaf[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) => leavesOf(value, path === '' ? String(key) : `${path}.${String(key)}`))
  }
  return isScalar(node) ? [{ scalar: node, path }] : []
}

/** Without lines, which a rewritten file has elsewhere. */
const findingsOf = (report: readonly ReportLine[]): string =>
  JSON.stringify(report.map(({ path, finding, text }) => [path, finding, text]).sort())

const changed = (value: unknown): unknown => {
  if (typeof value === 'number') return value * 2 + 1
  return typeof value === 'boolean' ? !value : `${String(value)}x`
}

describe('a translation', () => {
  it.each(
    fileNames.filter((name) => name !== 'anchors.yaml' && name !== 'odd-places.yaml'),
  )('has or reports each value of %s', (name) => {
    cpSync(FILES, directory, { recursive: true })
    const text = readFileSync(join(FILES, name), 'utf8')
    const before = translate(join(FILES, name))
    const reported = new Set(before.report.map(({ path }) => path))
    const isReported = (path: string) =>
      [...reported].some((each) => path === each || (path.startsWith(each) && /^[.[]/.test(path.slice(each.length))))
    const count = leavesOf(parseDocument(text).contents).length
    const vanished: string[] = []
    for (let index = 0; index < count; index += 1) {
      const document = parseDocument(text)
      const leaf = leavesOf(document.contents)[index]
      if (!leaf || isReported(leaf.path) || DEFAULTS.test(String(leaf.scalar.value))) continue
      leaf.scalar.value = changed(leaf.scalar.value)
      const file = join(directory, name)
      writeFileSync(file, document.toString())
      const after = translate(file)
      const isSame = after.text === before.text && findingsOf(after.report) === findingsOf(before.report)
      if (isSame) vanished.push(leaf.path)
    }
    expect(vanished).toEqual([])
  })

  it('reports every key that it does not know, in each section', () => {
    const unknown = { a_new_key: 1, another: { deep: [1, { deeper: true }] } }
    const file = join(directory, 'unknown.yaml')
    writeFileSync(
      file,
      JSON.stringify({
        model_list: [
          { model_name: 'a', ...unknown, litellm_params: { model: 'openai/gpt-5', ...unknown }, model_info: unknown },
        ],
        ...Object.fromEntries(
          ['router_settings', 'litellm_settings', 'general_settings', 'a_new_section'].map((section) => [
            section,
            unknown,
          ]),
        ),
      }),
    )
    const { report, text } = translate(file)
    const paths = report.map(({ path }) => path)
    for (const section of [
      'router_settings',
      'litellm_settings',
      'general_settings',
      'model_list[0]',
      'model_list[0].litellm_params',
    ]) {
      expect(paths).toEqual(expect.arrayContaining([`${section}.a_new_key`, `${section}.another`]))
    }
    expect(paths).toContain('model_list[0].model_info')
    expect(paths).toContain('a_new_section')
    expect(report.every(({ finding }) => finding === 'left out')).toBe(true)
    expect(parse(text).models).toEqual({ a: 'openai/gpt-5' })
  })
})
