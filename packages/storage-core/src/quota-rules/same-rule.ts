/** Whether two rules, or two copies of rules, are equal in every field. An absent field equals only an absent one. */
export const isSameRule = <Rule extends object>(left: Rule, right: Rule): boolean => isSame(left, right)

function isSame(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
