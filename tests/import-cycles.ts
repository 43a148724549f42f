/** Returns the cycles of a graph, each as a list of files that import one another, by Tarjan's algorithm. */
export function importCycles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    let lowest = own
    stack.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? own)
    }
    if (lowest === own) {
      const cycle = stack.splice(stack.indexOf(file))
      if (cycle.length > 1) cycles.push(cycle)
    }
    return lowest
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return cycles
}
