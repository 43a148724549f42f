import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { Ledger } from '../report/ledger.ts'
import { MAX_NODES, parseSource, type SourceBudget } from './parse-source.ts'
import { SourceError } from './source-error.ts'
import { itemsOf, type SourceMap, type SourceNode } from './source-node.ts'

const MAX_BYTES = 2 ** 22
const MAX_FILES = 50

/**
 * Reads a file of LiteLLM and the files that it includes, as LiteLLM joins them: lists of included files are appended,
 * and other keys replace those before.
 *
 * @throws SourceError where a file cannot be read
 */
export function readSource(file: string, ledger: Ledger): SourceMap {
  const budget: SourceBudget = { nodes: MAX_NODES }
  const root = readOne(file, file, budget, ledger)
  const entries = new Map(root?.entries ?? [])
  const include = entries.get('include')
  entries.delete('include')
  const included = include === undefined ? [] : itemsOf(include)
  for (const [index, item] of included.entries()) {
    const named = item.kind === 'value' && typeof item.value === 'string' ? item.value : undefined
    const path = named === undefined || index >= MAX_FILES ? undefined : pathWithin(file, named)
    if (named === undefined || path === undefined) {
      ledger.note(
        item,
        'left out',
        `Only files in the directory of the file, and at most ${MAX_FILES}, are included. Copy it there and translate again.`,
      )
      continue
    }
    ledger.use(item)
    for (const [name, node] of readOne(path, named, budget, ledger)?.entries ?? []) {
      if (name === 'include') ledger.note(node, 'left out', 'LiteLLM does not read what an included file includes.')
      else join(entries, name, node, ledger)
    }
  }
  if (included.length === 0 && include) ledger.use(include)
  return { kind: 'map', place: { file, line: 1, path: '' }, origin: entries, entries }
}

function join(entries: Map<string, SourceNode>, name: string, node: SourceNode, ledger: Ledger): void {
  const before = entries.get(name)
  if (before?.kind === 'list' && node.kind === 'list') {
    entries.set(name, { ...before, origin: undefined, items: [...before.items, ...node.items] })
    return
  }
  if (before) ledger.note(before, 'not needed', 'An included file sets the same key, and LiteLLM uses that one.')
  entries.set(name, node)
}

/** Returns the path of an included file. `undefined`: it is not a file in the directory of the file that includes it. */
function pathWithin(file: string, named: string): string | undefined {
  if (isAbsolute(named) || named.includes('://') || named.includes('\0')) return undefined
  const directory = realpathSync(dirname(resolve(file)))
  const path = resolve(directory, named)
  if (!isWithin(directory, path)) return undefined
  const real = realPath(path, named)
  return isWithin(directory, real) ? real : undefined
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

function realPath(path: string, named: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw unreadable(named, error)
  }
}

function readOne(path: string, named: string, budget: SourceBudget, ledger: Ledger): SourceMap | undefined {
  const { root, overridden, refused } = parseSource(named, readText(path, named), budget)
  for (const node of overridden)
    ledger.note(node, 'not needed', 'The same key is set again, and LiteLLM uses that one.')
  for (const node of refused) ledger.note(node, 'left out', 'The key `__proto__` is not allowed.')
  return root
}

function readText(path: string, named: string): string {
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new SourceError(`"${named}" is not a file.`)
    if (found.size > MAX_BYTES) throw new SourceError(`The file "${named}" is larger than ${MAX_BYTES} bytes.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw error instanceof SourceError ? error : unreadable(named, error)
  }
}

function unreadable(named: string, error: unknown): SourceError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return new SourceError(`The file "${named}" cannot be read (${code}).`)
}
