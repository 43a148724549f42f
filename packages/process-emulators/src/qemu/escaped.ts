/** Doubles each comma, as QEMU requires inside a value. */
export const escaped = (value: string): string => value.replaceAll(',', ',,')
