/** Runs a call of a repository's method. Returns what its caller gets. */
export type CallWrapper = (call: () => unknown) => unknown

/** Wraps repositories once, so that each call of a method runs through `around`. */
export const wrapMethods = <Repositories extends object>(
  repositories: Repositories,
  around: CallWrapper,
): Repositories =>
  copy(repositories, (name) => {
    const repository: unknown = Reflect.get(repositories, name)
    return {
      value: isObject(repository) ? copy(repository, (method) => member(repository, method, around)) : repository,
    }
  })

function copy<T extends object>(from: T, describe: (name: PropertyKey) => PropertyDescriptor): T {
  const copied: T = Object.create(Object.prototype)
  for (const name of memberNames(from)) Object.defineProperty(copied, name, { enumerable: true, ...describe(name) })
  return copied
}

/** Looks a method up when it is called, as without the wrapping. Other members are read when they are read. */
function member(repository: object, name: PropertyKey, around: CallWrapper): PropertyDescriptor {
  if (!isMethod(repository, name)) return { get: () => Reflect.get(repository, name) }
  const call = (values: readonly unknown[]): unknown => {
    const method: unknown = Reflect.get(repository, name)
    return typeof method === 'function' ? Reflect.apply(method, repository, values) : method
  }
  return { value: (...values: readonly unknown[]) => around(() => call(values)) }
}

/** Returns whether a member is a method, without calling getters. */
function isMethod(repository: object, name: PropertyKey): boolean {
  let owner: object | null = repository
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner)
  return owner !== null && typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function'
}

/** Returns the names of the object's own members and of those of its classes. */
function memberNames(object: object): ReadonlySet<PropertyKey> {
  const names = new Set<PropertyKey>()
  for (let owner = object; owner !== Object.prototype; ) {
    for (const name of Reflect.ownKeys(owner)) if (name !== 'constructor') names.add(name)
    const next = Object.getPrototypeOf(owner)
    if (next === null) break
    owner = next
  }
  return names
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
