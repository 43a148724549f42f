import type { Text } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import type { SourceMap, SourceNode } from './source-node.ts'

const REFERENCE = 'os.environ/'

/** The variable that a value refers to. `undefined` for any other value. */
export const variableOf = (text: string): string | undefined =>
  text.startsWith(REFERENCE) && VARIABLE_NAME.test(text.slice(REFERENCE.length))
    ? text.slice(REFERENCE.length)
    : undefined

const VARIABLE_NAME = /^[A-Za-z_]\w{0,127}$/

/** Reads the fields of a map. What it returns counts as translated, and what it cannot read is reported. */
export class Fields {
  readonly map: SourceMap
  readonly ledger: Ledger

  constructor(map: SourceMap, ledger: Ledger) {
    this.map = map
    this.ledger = ledger
  }

  /** Returns a field that is set, without a mark. `null` counts as not set. */
  node(name: string): SourceNode | undefined {
    const node = this.map.entries.get(name)
    if (node?.kind === 'value' && node.value === null) {
      this.ledger.use(node)
      return undefined
    }
    return node
  }

  /** Returns the first of some names that is set, without a mark. */
  first(...names: readonly string[]): SourceNode | undefined {
    return names.map((name) => this.node(name)).find((node) => node !== undefined)
  }

  text(name: string): Text | undefined {
    const node = this.node(name)
    if (node === undefined) return undefined
    if (node.kind !== 'value') return this.#refused(node, 'a text')
    this.ledger.use(node)
    const text = String(node.value)
    const variable = variableOf(text)
    return variable === undefined ? text : { variable }
  }

  /** Returns a text that must be in the file itself. */
  literal(name: string): string | undefined {
    const node = this.node(name)
    const text = this.text(name)
    if (typeof text !== 'object') return text
    if (node === undefined) return undefined
    this.ledger.note(
      node,
      'left out',
      'The value is in a variable of the environment. Write it into the file and translate again.',
    )
    return undefined
  }

  /** Returns a number within its bounds. */
  number(name: string, least: number, most: number): number | undefined {
    const node = this.node(name)
    if (node === undefined) return undefined
    const value = node.kind === 'value' ? node.value : undefined
    if (typeof value === 'string' && variableOf(value) !== undefined) {
      this.ledger.note(
        node,
        'left out',
        'The value is in a variable of the environment. Write the number into the file and translate again.',
      )
      return undefined
    }
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return this.#refused(node, 'a number')
    if (number < least || number > most) return this.#refused(node, `from ${least} to ${most}`)
    this.ledger.use(node)
    return number
  }

  flag(name: string): boolean | undefined {
    const node = this.node(name)
    if (node === undefined) return undefined
    const value = node.kind === 'value' ? node.value : undefined
    if (typeof value === 'boolean') {
      this.ledger.use(node)
      return value
    }
    if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) {
      this.ledger.use(node)
      return value.toLowerCase() === 'true'
    }
    return this.#refused(node, 'true or false')
  }

  mapOf(name: string): SourceMap | undefined {
    const node = this.node(name)
    if (node === undefined || node.kind === 'map') return node
    return this.#refused(node, 'a map')
  }

  #refused(node: SourceNode, expected: string): undefined {
    this.ledger.note(node, 'left out', `The value must be ${expected}.`)
  }
}
