/** Returns whether `allowed_callers` of a tool has only the model itself, which is the default. */
export const isDirectOnly = (name: string, value: unknown): boolean =>
  name === 'allowed_callers' && Array.isArray(value) && value.every((caller) => caller === 'direct')
