import { type Place, partsOf, type SourceNode } from '../source/source-node.ts'

/**
 * What happened to a key: it is translated but `differs`, the operator has something `to do`, it is `not needed` because the
 * gateway does it anyway, or it is `left out`.
 */
export type Finding = 'differs' | 'to do' | 'not needed' | 'left out'

export interface ReportLine extends Place {
  readonly finding: Finding
  /** Whole sentences, without any value of a secret. */
  readonly text: string
}

/** Which values of the input are translated or reported. */
export class Ledger {
  readonly #used = new Set<SourceNode>()
  readonly #origins = new Set<unknown>()
  readonly #reported = new Set<SourceNode>()
  readonly #lines = new Map<string, ReportLine>()

  /** Marks a value, with everything within it, as part of the output. */
  use(node: SourceNode): void {
    this.#mark(node, true)
  }

  /** Reports a value, with everything within it. Equal lines count once. */
  note(node: SourceNode, finding: Finding, text: string): void {
    this.#mark(node, finding !== 'left out')
    this.#reported.add(node)
    this.noteBeside(node, finding, text)
  }

  /** Reports something about a value that is translated nonetheless. */
  noteBeside({ place }: SourceNode, finding: Finding, text: string): void {
    const { file, line, path } = place
    this.#lines.set(JSON.stringify([file, line, path, text]), { file, line, path, finding, text })
  }

  /** Returns whether a value is translated or reported. */
  isHandled(node: SourceNode): boolean {
    return this.#used.has(node)
  }

  /** Returns whether a value has a line of its own. */
  isReported(node: SourceNode): boolean {
    return this.#reported.has(node)
  }

  /** Reports everything within a node that is neither used nor reported, each time the outermost such node. */
  noteRest(node: SourceNode, text: string): void {
    this.#noteWhere(node, text, (part) => this.#used.has(part))
  }

  /** Does the same for a node that no section reads, except for what aliases of it have used. */
  noteRestOfDefinition(node: SourceNode, text: string): void {
    this.#noteWhere(node, text, (part) => this.#used.has(part) || this.#origins.has(part.origin))
  }

  /** The lines in the order of the files. */
  lines(): readonly ReportLine[] {
    return [...this.#lines.values()].sort((one, other) =>
      one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
    )
  }

  #mark(node: SourceNode, hasEffect: boolean): void {
    this.#used.add(node)
    if (hasEffect) this.#origins.add(node.origin)
    for (const part of partsOf(node)) this.#mark(part, hasEffect)
  }

  #noteWhere(node: SourceNode, text: string, isHandled: (part: SourceNode) => boolean): void {
    const isTouched = (part: SourceNode): boolean => isHandled(part) || partsOf(part).some(isTouched)
    if (isHandled(node)) return
    if (isTouched(node)) for (const part of partsOf(node)) this.#noteWhere(part, text, isHandled)
    else this.note(node, 'left out', text)
  }
}
