/**
 * Runs a call of a repository's method. Returns what its caller gets. The method is that of the wrapped repositories, or
 * of those that are passed to `call`.
 */
export type CallWrapper<Repositories> = (call: (on?: Repositories) => unknown) => unknown

/** Wraps repositories once, so that each call of a method runs through `around`. */
export const wrapMethods = <Repositories extends object>(
  repositories: Repositories,
  around: CallWrapper<Repositories>,
): Repositories =>
  copy(repositories, (name) => {
    const repository: unknown = Reflect.get(repositories, name)
    if (!isObject(repository)) return { value: repository }
    const repositoryOf = (on: Repositories | undefined): unknown => (on ? Reflect.get(on, name) : repository)
    return { value: copy(repository, (method) => member(repository, method, repositoryOf, around)) }
  })

function copy<T extends object>(from: T, describe: (name: PropertyKey) => PropertyDescriptor): T {
  const copied: T = Object.create(Object.prototype)
  for (const name of memberNames(from)) Object.defineProperty(copied, name, { enumerable: true, ...describe(name) })
  return copied
}

/** Looks a method up when it is called, as without the wrapping. Other members are read when they are read. */
function member<Repositories>(
  repository: object,
  name: PropertyKey,
  repositoryOf: (on: Repositories | undefined) => unknown,
  around: CallWrapper<Repositories>,
): PropertyDescriptor {
  if (!isMethod(repository, name)) return { get: () => Reflect.get(repository, name) }
  const call = (values: readonly unknown[], on: Repositories | undefined): unknown => {
    const target = repositoryOf(on)
    const method: unknown = isObject(target) ? Reflect.get(target, name) : undefined
    return typeof method === 'function' ? Reflect.apply(method, target, values) : method
  }
  return { value: (...values: readonly unknown[]) => around((on) => call(values, on)) }
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
