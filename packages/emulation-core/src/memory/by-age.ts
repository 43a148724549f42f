interface Aged {
  readonly id: string
  readonly createdAt: Date
}

/** Sorts by creation time, oldest first, then by id. */
export const byAge = (one: Aged, other: Aged): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
