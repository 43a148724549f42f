/** A function of `JSON` that not every runtime has, and that TypeScript does not know. */
const rawJson: unknown = Reflect.get(JSON, 'rawJSON')

/** Encodes a value as JSON, with bigints as numbers of all their digits, or as texts where the runtime cannot. */
export const encodeSizes = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one !== 'bigint') return one
    return typeof rawJson === 'function' ? rawJson(String(one)) : String(one)
  })
