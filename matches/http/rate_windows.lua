-- Counts requests one after the other, each in several windows at once, or in none of them when one is full.
-- KEYS: a counter for each window, of all requests in a row. ARGV: for each window its limit and its length in
-- milliseconds; they are the same for all requests.
-- A window slides: what the slot before held counts for as much of it as still overlaps.
-- Gives as text, for each request, of its tightest window: 1 or 0, its limit, what is left of it, milliseconds until
-- the next request fits.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows = #ARGV / 2

local function count_one(first)
  local allowed, limit_told, left_told, wait_told = 1, 0, math.huge, 0
  local writes = {}
  for i = 1, windows do
    local key, limit, length = KEYS[first + i], tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
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
    writes[i] = {key, slot, count + 1, before, 2 * length}
  end

  if allowed == 1 then
    for _, it in ipairs(writes) do
      redis.call('HSET', it[1], 'slot', it[2], 'count', it[3], 'before', it[4])
      redis.call('PEXPIRE', it[1], it[5])
    end
    left_told = left_told - 1
  end
  return string.format('%d %d %d %d', allowed, limit_told, math.max(left_told, 0), math.ceil(wait_told))
end

local told = {}
for first = 0, #KEYS - windows, windows do
  told[#told + 1] = count_one(first)
end
return table.concat(told, ' ')
