import { groupedScript, redisScript } from './redis-script.ts'

/**
 * A key's list has the times of its admissions, oldest first. After a request from a late clock, the last one ends with
 * `:` and the shift, by which the list is ahead of that clock. `KEYS` is the list. `ARGV` is the limit, now, the window
 * and the lateness that a clock may have, all times in milliseconds.
 */
const CLOCK = `
local limit, now, window, skew = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function at(index)
  local entry = redis.call('LINDEX', KEYS[1], index)
  if not entry then return nil, 0 end
  local time, shift = string.match(entry, '^(%d+):?(%d*)$')
  return tonumber(time), tonumber(shift) or 0
end
local last, known = at(-1)
if not last then last = now end
local shift = 0
if last - now > skew then shift = math.max(known, last - now) end
local time = math.max(last, now + shift)
`

/**
 * Admits a request where the limit allows it. Only an admission removes times that have left the window, since a clock
 * that is set back may still need them.
 *
 * @returns 1 or 0 for admitted, the remaining number, and when the oldest admission that counts leaves the window
 */
export const admit = groupedScript(`${CLOCK}
local nth = at(-limit) or (time - window)
if time - nth < window then
  if shift > known then redis.call('LSET', KEYS[1], -1, string.format('%.0f:%.0f', last, shift)) end
  return {0, 0, nth + window - shift}
end
if time - last >= window then
  redis.call('DEL', KEYS[1])
  time, shift = now, 0
end
local oldest = at(0) or time
while time - oldest >= window do
  redis.call('LPOP', KEYS[1])
  oldest = at(0) or time
end
local entry = string.format('%.0f', time)
if shift > 0 then entry = entry .. string.format(':%.0f', shift) end
local count = redis.call('RPUSH', KEYS[1], entry)
redis.call('PEXPIRE', KEYS[1], 2 * window)
return {1, limit - count, oldest + window - shift}
`)

/**
 * Reads the state without an admission.
 *
 * @returns the remaining number, and when the oldest that counts leaves the window
 */
export const inspect = redisScript(`${CLOCK}
local size = redis.call('LLEN', KEYS[1])
local first, behind = 0, size
while first < behind do
  local middle = math.floor((first + behind) / 2)
  if time - at(middle) >= window then first = middle + 1 else behind = middle end
end
local counting = math.min(size - first, limit)
if counting == 0 then return {limit, now} end
return {limit - counting, at(-counting) + window - shift}
`)
