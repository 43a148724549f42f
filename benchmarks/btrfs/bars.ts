/** The limits in milliseconds, with 1,000 qtrees. */
export const bars: Readonly<Record<string, number>> = {
  'quotas on': 3_000,
  'first reports after a start': 500,
  'reports of every qtree': 500,
  'report of one qtree by its name': 500,
}
