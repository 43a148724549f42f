import type { ToolCallPart } from './conversation-parts.ts'

type ToolId = Pick<ToolCallPart, 'name' | 'namespace'>

/** Values of tools, by their namespaces and names. */
export class ToolMap<Value> {
  readonly #byNamespace = new Map<string | undefined, Map<string, Value>>()

  get({ namespace, name }: ToolId): Value | undefined {
    return this.#byNamespace.get(namespace)?.get(name)
  }

  set({ namespace, name }: ToolId, value: Value): void {
    const values = this.#byNamespace.get(namespace) ?? new Map<string, Value>()
    this.#byNamespace.set(namespace, values.set(name, value))
  }
}
