-- Counts one request in several windows at once, or in none of them when one is full.
-- KEYS: a counter each. ARGV: for each window its limit and its length in milliseconds.
-- A window slides: what the slot before held counts for as much of it as still overlaps.
-- Gives for the tightest window: 1 or 0, its limit, what is left of it, milliseconds until the next request fits.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local allowed, limit_told, left_told, wait_told = 1, 0, math.huge, 0
local writes = {}

for i, key in ipairs(KEYS) do
  local limit, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local slot = math.floor(now / length)
  local gone = (now - slot * length) / length

  local stored = redis.call('HMGET', key, 'slot', 'count', 'before')
  local age = slot - (tonumber(stored[1]) or -2)
  local count, before = 0, 0
  if age == 0 then
    count, before = tonumber(stored[2]), tonumber(stored[3])
  elseif age == 1 then
    before = tonumber(stored[2])
  end

  local left = math.floor(limit - count - before * (1 - gone))
  local wait = 0
  if left < 1 then
    allowed = 0
    if count < limit then
      wait = (1 - (limit - count - 1) / before - gone) * length
    else
      wait = (2 - gone - (limit - 1) / count) * length
    end
  end
  if left < left_told or wait > wait_told then
    limit_told, left_told = limit, left
  end
  wait_told = math.max(wait_told, wait)
  writes[i] = {slot, count + 1, before, 2 * length}
end

if allowed == 1 then
  for i, key in ipairs(KEYS) do
    redis.call('HSET', key, 'slot', writes[i][1], 'count', writes[i][2], 'before', writes[i][3])
    redis.call('PEXPIRE', key, writes[i][4])
  end
  left_told = left_told - 1
end
return {allowed, limit_told, math.max(left_told, 0), math.ceil(wait_told)}
