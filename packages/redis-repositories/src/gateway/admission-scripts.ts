import { redisScript } from './redis-script.ts'

/**
 * A key's list has the times of its admissions, oldest first. KEYS: the list; ARGV: limit, now, window in milliseconds.
 * What has left the window goes only with an admission: until then a clock that goes back may still need it.
 *
 * @returns 1 or 0 for admitted, how many more, when the oldest that counts leaves the window
 */
export const admit = redisScript(`
local limit, now, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local last = tonumber(redis.call('LINDEX', KEYS[1], -1) or now)
if last > now then now = last end
local nth = tonumber(redis.call('LINDEX', KEYS[1], -limit) or (now - window))
if now - nth < window then return {0, 0, nth + window} end
if now - last >= window then redis.call('DEL', KEYS[1]) end
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
while now - oldest >= window do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
end
local count = redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], 2 * window)
return {1, limit - count, oldest + window}
`)

/** The same without an admission. @returns how many would be admitted, when the oldest that counts leaves the window */
export const inspect = redisScript(`
local limit, now, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local size = redis.call('LLEN', KEYS[1])
local function at(index) return tonumber(redis.call('LINDEX', KEYS[1], index)) end
if size > 0 then now = math.max(now, at(-1)) end
local first, behind = 0, size
while first < behind do
  local middle = math.floor((first + behind) / 2)
  if now - at(middle) >= window then first = middle + 1 else behind = middle end
end
local counting = math.min(size - first, limit)
if counting == 0 then return {limit, now} end
return {limit - counting, at(-counting) + window}
`)
