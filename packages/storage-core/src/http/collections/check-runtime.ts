/**
 * Checks that the runtime has what the records of the contract are built with, which happens while the package is loaded.
 *
 * @throws {Error} naming the version of Node that is needed
 */
export function checkRuntime(): void {
  if (typeof Map.groupBy === 'function') return
  const version: unknown = Reflect.get(Object(Reflect.get(globalThis, 'process')), 'version')
  throw new Error(`@trivium/storage-core needs Node 22.19 or newer; this is ${version ?? 'another runtime'}.`)
}
