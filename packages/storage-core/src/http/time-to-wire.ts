/** Formats a time with an offset instead of a Z, as clients of ONTAP expect it. */
export const timeToWire = (time: Date): string => `${time.toISOString().slice(0, 19)}+00:00`
