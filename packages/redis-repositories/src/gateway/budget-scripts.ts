import { groupedScript, redisScript } from './redis-script.ts'

/**
 * An account is a hash of its windows, with one letter each for minute, day, month (`n`) and all time, then `w` for the
 * window, `t` for tokens, `c` for cost and `s` for the shift. Its holds are a hash by reservation, with the values
 * `tokens:cost:expiry:time:receipt`, the last one 1 where the reservation has a receipt. Numbers are written with all
 * their digits. `ARGV` begins with now, the latest plausible time, and the numbers of the minute, the day and the month.
 */
const COMMON = `
local now, plausible = tonumber(ARGV[1]), tonumber(ARGV[2])
local minute, day, month = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local names = {'mw', 'mt', 'ms', 'dw', 'dt', 'dc', 'ds', 'nw', 'nc', 'ns', 'ac'}
local function text(number) return string.format('%.0f', number) end
local function window(known, shift, current)
  local late = known - current
  if late < 0 or (late > 0 and shift > late) then return current, 0, true end
  if late > 1 then return known, late, false end
  return known, 0, false
end
local function account(key)
  local values = redis.call('HMGET', key, unpack(names))
  local found = {}
  for index, name in ipairs(names) do
    found[name] = tonumber(values[index] or '') or (string.sub(name, 2) == 'w' and -1 or 0)
  end
  local isNew
  found.mw, found.ms, isNew = window(found.mw, found.ms, minute)
  if isNew then found.mt = 0 end
  found.dw, found.ds, isNew = window(found.dw, found.ds, day)
  if isNew then found.dt, found.dc = 0, 0 end
  found.nw, found.ns, isNew = window(found.nw, found.ns, month)
  if isNew then found.nc = 0 end
  return found
end
local function store(key, changed)
  local fields = {}
  for _, name in ipairs(names) do
    fields[#fields + 1] = name
    fields[#fields + 1] = text(changed[name])
  end
  redis.call('HSET', key, unpack(fields))
end
local function parts(value)
  local tokens, cost, expiry, made, receipt = string.match(value, '^(%d+):(%d+):(%d+):(%d+):(%d)$')
  return tonumber(tokens), tonumber(cost), tonumber(expiry), tonumber(made), receipt
end
local function held(key, oldest)
  local sums = {tokens = 0, cost = 0, running = 0}
  local entries = redis.call('HGETALL', key)
  for index = 1, #entries, 2 do
    local tokens, cost, expiry, made, receipt = parts(entries[index + 1])
    if receipt == '0' and expiry < oldest then
      redis.call('HDEL', key, entries[index])
    else
      sums.cost = sums.cost + cost
      if expiry > now and made <= plausible then
        sums.tokens = sums.tokens + tokens
        sums.running = sums.running + 1
      end
    end
  end
  return sums
end
local function state(found, sums)
  return {text(found.mt), text(found.dt), text(sums.tokens), text(found.dc), text(found.nc), text(found.ac),
    text(sums.cost), text(sums.running)}
end
`

/**
 * Reserves in all accounts or in none. `KEYS` are the reservation, the expiries of reservations with a receipt, and for
 * each account its hash and its holds. `ARGV` continues with the time before which expired holds are removed, the id,
 * tokens, cost, expiry, receipt and a JSON of the account ids, and for each account the limits, -1 where absent: tokens a
 * minute and a day, money and its period, and requests at the same time.
 *
 * @returns an empty list, or the number of the account that refused, the limit, and the state of that account
 */
export const reserve = groupedScript(`${COMMON}
local oldest, id, tokens, cost, expiry = tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]
local receipt, ids = ARGV[11], ARGV[12]
local accounts = {}
for index = 1, (#KEYS - 2) / 2 do
  local key, holds, first = KEYS[2 * index + 1], KEYS[2 * index + 2], 13 + (index - 1) * 5
  local perMinute, perDay = tonumber(ARGV[first]), tonumber(ARGV[first + 1])
  local most, period, parallel = tonumber(ARGV[first + 2]), ARGV[first + 3], tonumber(ARGV[first + 4])
  local found, sums = account(key), held(holds, oldest)
  local limit
  local spent = ({day = found.dc, month = found.nc, total = found.ac})[period]
  if most >= 0 and spent + sums.cost + cost > most then limit = 'spend'
  elseif perDay >= 0 and found.dt + sums.tokens + tokens > perDay then limit = 'day'
  elseif perMinute >= 0 and found.mt + sums.tokens + tokens > perMinute then limit = 'minute'
  elseif parallel >= 0 and sums.running >= parallel then limit = 'parallel' end
  store(key, found)
  if limit then return {index - 1, limit, state(found, sums)} end
end
local flag = receipt == '' and '0' or '1'
local value = text(tokens) .. ':' .. text(cost) .. ':' .. expiry .. ':' .. text(now) .. ':' .. flag
for index = 1, (#KEYS - 2) / 2 do redis.call('HSET', KEYS[2 * index + 2], id, value) end
if flag == '1' then
  redis.call('HSET', KEYS[1], 'tokens', text(tokens), 'cost', text(cost), 'receipt', receipt, 'accounts', ids)
  redis.call('ZADD', KEYS[2], expiry, id)
end
return {}
`)

/**
 * Settles a reservation. `KEYS` are the reservation, the expiries, the times and the texts of receipts, and for each
 * account its hash and its holds. `ARGV` continues with the id, tokens, cost, and the receipt, or an empty text.
 *
 * @returns 1, or 0 where the reservation is settled already
 */
export const settle = groupedScript(`${COMMON}
local id, tokens, cost, receipt = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
local most = 9007199254740991
local removed = 0
for index = 1, (#KEYS - 4) / 2 do removed = removed + redis.call('HDEL', KEYS[2 * index + 4], id) end
if removed == 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], id)
for index = 1, (#KEYS - 4) / 2 do
  local key = KEYS[2 * index + 3]
  local found = account(key)
  found.mt, found.dt = found.mt + tokens, found.dt + tokens
  found.dc = math.min(found.dc + cost, most)
  found.nc = math.min(found.nc + cost, most)
  found.ac = math.min(found.ac + cost, most)
  store(key, found)
end
if receipt ~= '' then
  redis.call('ZADD', KEYS[3], text(now), id)
  redis.call('HSET', KEYS[4], id, receipt)
end
return 1
`)

/** Reads an account. `KEYS` are its hash and its holds. @returns its state */
export const inspect = redisScript(`${COMMON}
return state(account(KEYS[1]), held(KEYS[2], 0))
`)

/** Moves the expiry of a reservation. `KEYS` are the expiries and the holds of its accounts. `ARGV` is the id and the expiry. */
export const renew = redisScript(`
local id, expiry = ARGV[1], ARGV[2]
for index = 2, #KEYS do
  local value = redis.call('HGET', KEYS[index], id)
  if value then
    local changed = string.gsub(value, '^(%d+:%d+:)%d+', '%1' .. expiry)
    redis.call('HSET', KEYS[index], id, changed)
  end
end
redis.call('ZADD', KEYS[1], 'XX', expiry, id)
return 0
`)
