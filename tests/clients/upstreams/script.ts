import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { sampleOf } from './sample-of.ts'

/** A call that a task makes next: of a function with these arguments, or of a custom tool with this text. */
export interface ScriptedCall {
  /** The name, or the end of it: tools of a namespace have a prefix where the upstream has no namespaces. */
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>> | string
}

/** A tool as an upstream was offered it. */
export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
  /** Absent for a custom tool, whose input is a text. */
  readonly schema?: Readonly<Record<string, unknown>>
}

export interface Turn {
  readonly tools: readonly OfferedTool[]
  /** The name of the tool that has to be called; `any` for one of them, `none` for none. */
  readonly choice: string
  /** How many results of tools the conversation has. */
  readonly results: number
  /** The schema of the answer's text. */
  readonly format?: Readonly<Record<string, unknown>> | undefined
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: OfferedTool; readonly input: Readonly<Record<string, unknown>> | string }

export const FINAL_TEXT = 'The upstream is done: 4 words.'

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })

function satisfies({ $schema, $id, ...schema }: Readonly<Record<string, unknown>>, value: unknown): boolean {
  return ajv.validate<unknown>(schema, value)
}

/**
 * Decides what an upstream answers: the next call of the task while the conversation has fewer results than the task has
 * calls, then a text. Without a task, a call of the first tool whose arguments are a sample of its schema, then a text.
 */
export class Script {
  #calls: readonly ScriptedCall[] | undefined
  /** Mistakes of a task, such as a call of a tool that was not offered. */
  readonly mistakes: string[] = []

  start(calls: readonly ScriptedCall[]): void {
    this.#calls = calls
    this.mistakes.length = 0
  }

  reply({ tools, choice, results, format }: Turn): Reply {
    const text = format === undefined ? FINAL_TEXT : JSON.stringify(sampleOf(format))
    if (tools.length === 0 || choice === 'none') return { kind: 'text', text }
    if (this.#calls === undefined) return results > 0 ? { kind: 'text', text } : this.#sample(tools, choice)
    const next = this.#calls[results]
    if (next === undefined) return { kind: 'text', text }
    const tool = tools.find(({ name }) => name === next.tool || name.endsWith(`_${next.tool}`))
    if (tool === undefined) return { kind: 'text', text }
    const input = tool.schema !== undefined && typeof next.input === 'string' ? { input: next.input } : next.input
    if (tool.schema !== undefined && !satisfies(tool.schema, input)) {
      this.mistakes.push(`the call of ${tool.name} does not satisfy its schema: ${ajv.errorsText()}`)
    }
    return { kind: 'call', tool, input }
  }

  #sample(tools: readonly OfferedTool[], choice: string): Reply {
    const tool = tools.find(({ name }) => name === choice) ?? tools[0]
    if (tool === undefined) return { kind: 'text', text: FINAL_TEXT }
    if (tool.schema === undefined) return { kind: 'call', tool, input: 'Paris' }
    return { kind: 'call', tool, input: v.parse(v.record(v.string(), v.unknown()), sampleOf(tool.schema)) }
  }
}
