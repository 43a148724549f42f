import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import { SourceError } from './source-error.ts'
import type { Place, SourceMap, SourceNode } from './source-node.ts'

const MAX_DEPTH = 50

/** The most values of all files together, each alias counted with all that it repeats. */
export const MAX_NODES = 200_000

/** What one translation may still read. */
export interface SourceBudget {
  nodes: number
}

export interface ParsedSource {
  /** `undefined`: the file is empty. */
  readonly root: SourceMap | undefined
  /** Values whose key is set again later. LiteLLM uses the last one. */
  readonly overridden: readonly SourceNode[]
  /** Values whose key the gateway's file cannot have. */
  readonly refused: readonly SourceNode[]
}

/**
 * Parses YAML 1.1, as LiteLLM does, with anchors and merge keys.
 *
 * @throws SourceError for a text that is not YAML, not a map, nested too deep or too large
 */
export function parseSource(file: string, text: string, budget: SourceBudget): ParsedSource {
  const lines = new LineCounter()
  const document = parsed(file, text, lines)
  const targets = targetsOf(document)
  const overridden: SourceNode[] = []
  const refused: SourceNode[] = []

  function read(node: unknown, path: string, line: number, depth: number): SourceNode {
    if (depth > MAX_DEPTH) throw tooDeep(file)
    budget.nodes -= 1
    if (budget.nodes < 0) throw new SourceError(`The file "${file}" has more than ${MAX_NODES} values.`)
    const target = isAlias(node) ? targets.get(node) : node
    const place: Place = { file, path, line: isAlias(node) ? line : (lineOf(target) ?? line) }
    if (isMap(target))
      return { kind: 'map', place, origin: target, entries: entriesOf(target, path, place.line, depth) }
    if (isSeq(target)) {
      const items = target.items.map((item, at) => read(item, `${path}[${at}]`, lineOf(item) ?? place.line, depth + 1))
      return { kind: 'list', place, origin: target, items }
    }
    return { kind: 'value', place, origin: target, value: simple(target) }
  }

  function entriesOf(map: unknown, path: string, line: number, depth: number): Map<string, SourceNode> {
    const entries = new Map<string, SourceNode>()
    const merged: SourceNode[] = []
    for (const { key, value } of isMap(map) ? map.items : []) {
      const name = nameOf(key)
      const at = lineOf(key) ?? line
      if (name === '<<') {
        for (const source of isSeq(value) ? value.items : [value]) merged.push(read(source, path, at, depth + 1))
        continue
      }
      if (name === '__proto__') {
        refused.push(read(value, path, at, depth + 1))
        continue
      }
      const before = entries.get(name)
      if (before) overridden.push(before)
      entries.set(name, read(value, path === '' ? name : `${path}.${name}`, at, depth + 1))
    }
    for (const source of merged) {
      for (const [name, node] of source.kind === 'map' ? source.entries : []) {
        if (entries.has(name)) overridden.push(node)
        else entries.set(name, node)
      }
    }
    return entries
  }

  const lineOf = (node: unknown): number | undefined => {
    const range = isNode(node) ? node.range : undefined
    return range ? lines.linePos(range[0]).line : undefined
  }

  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return { root: undefined, overridden, refused }
  }
  const root = read(document.contents, '', 1, 0)
  if (root.kind !== 'map') throw new SourceError(`The file "${file}" must be a map of keys, such as "model_list:".`)
  return { root, overridden, refused }
}

const tooDeep = (file: string): SourceError =>
  new SourceError(`The file "${file}" is nested more than ${MAX_DEPTH} levels deep.`)

function parsed(file: string, text: string, lineCounter: LineCounter): Document {
  let document: Document
  try {
    document = parseDocument(text, {
      version: '1.1',
      lineCounter,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'error',
    })
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    throw error
  }
  // The messages of the parser quote the file, which may contain secrets.
  const [first] = document.errors
  if (first?.code === 'RESOURCE_EXHAUSTION') throw tooDeep(file)
  if (first)
    throw new SourceError(
      `The file "${file}" is not YAML: line ${lineCounter.linePos(first.pos[0]).line} (${first.code}).`,
    )
  return document
}

/** Finds what each alias repeats, in one pass: the parser searches the document for each. */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined
      if (isAlias(node)) {
        if (target) targets.set(node, target)
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return targets
}

function isNode(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)
}

/** A key as it is written, because YAML 1.1 reads some as true or false. */
function nameOf(key: unknown): string {
  if (!isScalar(key)) return '?'
  if (typeof key.value === 'symbol') return key.value.description ?? ''
  return key.source ?? String(key.value)
}

/** Python's reader, unlike YAML 1.1, reads these as texts. */
const LETTER = /^[yn]$/i

const NOT_A_NUMBER = /^\.nan$/i

function simple(node: unknown): string | number | boolean | null {
  const value = isScalar(node) ? node.value : null
  if (isScalar(node) && typeof value === 'boolean') return LETTER.test(node.source ?? '') ? (node.source ?? '') : value
  // The pattern of numbers accepts texts without a digit before the exponent, such as e5.
  if (isScalar(node) && Number.isNaN(value) && !NOT_A_NUMBER.test(node.source ?? '')) return node.source ?? ''
  if (typeof value === 'string' || typeof value === 'number') return value
  return value === null || value === undefined ? null : String(value)
}
