import { redisScript } from './redis-script.ts'

/**
 * A key's list has the times of its admissions, oldest first. After a request from a late clock, the last one ends with
 * `:` and the shift, by which the list is ahead of that clock. `KEYS` are the lists. `ARGV` begins with the window and the
 * lateness that a clock may have. All times are in milliseconds.
 */
const CLOCK = `
local window, skew = tonumber(ARGV[1]), tonumber(ARGV[2])
local function at(key, index)
  local entry = redis.call('LINDEX', key, index)
  if not entry then return nil, 0 end
  local time, shift = string.match(entry, '^(%d+):?(%d*)$')
  return tonumber(time), tonumber(shift) or 0
end
local function clock(key, now)
  local last, known = at(key, -1)
  if not last then last = now end
  local shift = 0
  if last - now > skew then shift = math.max(known, last - now) end
  return last, known, shift, math.max(last, now + shift)
end
`

/**
 * Admits requests where the limit allows it, one after the other. Only an admission removes times that have left the window,
 * since a clock that is set back may still need them. `ARGV` continues with the limit and the time of the request of each key.
 *
 * @returns for each request 1 or 0 for admitted, the remaining number, and when the oldest admission that counts leaves the
 *   window
 */
export const admit = redisScript(`${CLOCK}
local function admit(key, limit, now)
  local last, known, shift, time = clock(key, now)
  local nth = at(key, -limit) or (time - window)
  if time - nth < window then
    if shift > known then redis.call('LSET', key, -1, string.format('%.0f:%.0f', last, shift)) end
    return 0, 0, nth + window - shift
  end
  if time - last >= window then
    redis.call('DEL', key)
    time, shift = now, 0
  end
  local oldest = at(key, 0) or time
  while time - oldest >= window do
    redis.call('LPOP', key)
    oldest = at(key, 0) or time
  end
  local entry = string.format('%.0f', time)
  if shift > 0 then entry = entry .. string.format(':%.0f', shift) end
  local count = redis.call('RPUSH', key, entry)
  redis.call('PEXPIRE', key, 2 * window)
  return 1, limit - count, oldest + window - shift
end
local answers = {}
for index, key in ipairs(KEYS) do
  local admitted, remaining, reset = admit(key, tonumber(ARGV[2 * index + 1]), tonumber(ARGV[2 * index + 2]))
  answers[3 * index - 2], answers[3 * index - 1], answers[3 * index] = admitted, remaining, reset
end
return answers
`)

/**
 * Reads the state without an admission. `ARGV` continues with the limit and the time.
 *
 * @returns the remaining number, and when the oldest that counts leaves the window
 */
export const inspect = redisScript(`${CLOCK}
local key, limit, now = KEYS[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local last, known, shift, time = clock(key, now)
local size = redis.call('LLEN', key)
local first, behind = 0, size
while first < behind do
  local middle = math.floor((first + behind) / 2)
  if time - at(key, middle) >= window then first = middle + 1 else behind = middle end
end
local counting = math.min(size - first, limit)
if counting == 0 then return {limit, now} end
return {limit - counting, at(key, -counting) + window - shift}
`)
