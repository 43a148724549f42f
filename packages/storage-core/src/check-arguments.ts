import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from 'valibot'

/** The schema of an argument, or a function that chooses it by all arguments. */
type ArgumentSchema = GenericSchema | ((...values: readonly unknown[]) => GenericSchema)

/** The schemas of the arguments of each method of a service. They check, and do not change values. */
export type ArgumentSchemas<Service> = {
  readonly [Name in keyof Service as Service[Name] extends (...values: never) => unknown
    ? Name
    : never]: readonly ArgumentSchema[]
}

/**
 * Makes each method of a service check what its caller passes, before anything is read or changed. Hosts in JavaScript
 * have no types, and types have no bounds.
 *
 * The method gets what was passed. Of a plain object with getters it gets a copy in which those that the schema names are
 * values, so that none of them returns another value after the check.
 *
 * A method then throws a `TypeError` for a value of another type, and a `RangeError` for one out of its bounds. Both name
 * the method and the field.
 */
export function checkArguments<Service extends object>(service: Service, schemas: ArgumentSchemas<Service>): Service {
  for (const name of Object.keys(schemas)) {
    const method: unknown = Reflect.get(service, name)
    const ofMethod: unknown = Reflect.get(schemas, name)
    if (typeof method !== 'function' || !Array.isArray(ofMethod)) continue
    const parameters: readonly ArgumentSchema[] = ofMethod
    Reflect.set(service, name, (...values: readonly unknown[]) => {
      const checked = [...values]
      for (const [index, schema] of parameters.entries()) {
        for (let isStable = false; !isStable; ) {
          const given = checked[index]
          const output = outputOf(name, typeof schema === 'function' ? schema(...checked) : schema, given)
          const stable = withoutGetters(given, output)
          isStable = stable === given
          if (!isStable) checked[index] = stable
        }
      }
      return Reflect.apply(method, service, checked)
    })
  }
  return service
}

function outputOf(method: string, schema: GenericSchema, value: unknown): unknown {
  const { issues, output } = safeParse(schema, value, { abortEarly: true })
  if (!issues) return output
  const [issue] = issues
  const field = getDotPath(issue)
  const subject = field === null ? `The value that '${method}' gets` : `'${field}' of '${method}'`
  const text = mismatchOf(issue)
  throw new (issue.kind === 'schema' ? TypeError : RangeError)(`${subject} ${text.replace(/\.?$/, '.')}`)
}

function mismatchOf({ message, expected, received }: BaseIssue<unknown>): string {
  if (expected === 'never') return 'is not known'
  if (!message.startsWith('Invalid ')) return message
  return received === 'undefined' ? 'is missing' : `must be ${expected}, not ${received}`
}

/** Returns a copy in which the getters that a schema has read are values, or the value itself where it has none. */
function withoutGetters(value: unknown, output: unknown): unknown {
  if (value === output || !isPlain(value) || !isPlain(output)) return value
  const changed: PropertyDescriptorMap = {}
  for (const name of Object.keys(output)) {
    const member = Object.getOwnPropertyDescriptor(value, name)
    if (!member) continue
    const found: unknown = member.get ? Reflect.get(value, name) : member.value
    const stable = withoutGetters(found, Reflect.get(output, name))
    if (member.get || stable !== found) {
      changed[name] = { value: stable, writable: true, enumerable: member.enumerable === true, configurable: true }
    }
  }
  if (Object.keys(changed).length === 0) return value
  const members = { ...Object.getOwnPropertyDescriptors(value), ...changed }
  return Array.isArray(value)
    ? Object.defineProperties([], members)
    : Object.create(Object.getPrototypeOf(value), members)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Array.isArray(value)
}
